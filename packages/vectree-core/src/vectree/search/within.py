"""Search within one paper: every section by both retrievers, and the pages to read first (§3.4, Layer 1).

Deviation: the paper searches the indexed top-level sections; here every section is searchable, deeper ones
too, without more stored vectors. There are no gates: the reader has chosen the paper already.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vectree.document import Node, Page, Record, SectionTree
from vectree.errors import InvalidArguments
from vectree.evidence import SectionHit
from vectree.index.embedder import Embedder, check_vectors, normalized
from vectree.index.entries import is_back_matter
from vectree.normal import match_key
from vectree.search.fusion import fuse, ranks
from vectree.search.paper_index import PaperIndex
from vectree.search.passages import passage_shares
from vectree.words import words

LIKELY_PAGES = 3
"""Pages named with a section."""

KEPT_PAPERS = 16
"""Papers kept ready, the least recently searched leave first."""

OVERVIEW_SHARE = 0.9
"""What remains of the fused value of a section that only speaks of others: of this paper, as abstract and
conclusions do, or of other papers, as related work does. It costs such a section seven ranks. They match
almost any question about the paper and hardly ever hold its answer: on QASPER (train, 109 questions) the F1
of the first page rises from 0.24 to 0.28."""

_OVERVIEW = re.compile(
    r"(structured|graphical|extended)?abstract|(author|plainlanguage|executive|lay)?summary|highlights|keypoints"
    r"|significance(statement)?|conclusions?|concludingremarks|summaryandconclusions?|conclusionsandfuturework"
    r"|conclusionandfuturework|relatedworks?|previouswork|literaturereview"
    r"|zusammenfassung|résumé|resumen|fazit|conclusiones|conclusiónes"
)
_MAX_QUERY_CHARACTERS = 4_000


class WithinSearch:
    """Searches papers one at a time and keeps the last ones ready; safe to use from several threads.

    Args:
        embedder: Embeds queries and sections.
        kept: How many papers to keep ready.
    """

    def __init__(self, embedder: Embedder, *, kept: int = KEPT_PAPERS) -> None:
        self._embedder = embedder
        self._kept = kept
        self._ready: OrderedDict[str, PaperIndex] = OrderedDict()
        self._lock = threading.Lock()

    def search(
        self, record: Record, tree: SectionTree, pages: Sequence[Page], query: str, *, top_k: int = 5
    ) -> tuple[SectionHit, ...]:
        """Rank the sections of a paper.

        Args:
            record: The paper.
            tree: Its section tree.
            pages: Every page of it.
            query: What to look for.
            top_k: Most sections to return, at least 1.

        Returns:
            Sections, best first, each with the pages on which the query's words concentrate.

        Raises:
            InvalidArguments: If the query is empty or ``top_k`` is below 1.
        """
        if not query.strip():
            raise InvalidArguments("The query is empty.", hint="Give words to look for in the paper.")
        if top_k < 1:
            raise InvalidArguments(f"top_k {top_k}: needs top_k >= 1.")
        used = query[:_MAX_QUERY_CHARACTERS]
        if not words(used):
            return ()
        return _rank(self._paper(record, tree, pages), used, self._embedder)[:top_k]

    def _paper(self, record: Record, tree: SectionTree, pages: Sequence[Page]) -> PaperIndex:
        with self._lock:
            paper = self._ready.get(record.doc_id)
            if paper is None or paper.record.sha256 != record.sha256 or paper.tree != tree:
                paper = PaperIndex(record, tree, pages)
                self._ready[record.doc_id] = paper
            self._ready.move_to_end(record.doc_id)
            while len(self._ready) > self._kept:
                self._ready.popitem(last=False)
            return paper


def search_within(
    record: Record,
    tree: SectionTree,
    pages: Sequence[Page],
    query: str,
    *,
    embedder: Embedder,
    top_k: int = 5,
) -> tuple[SectionHit, ...]:
    """Rank the sections of a paper once; `WithinSearch` keeps papers ready between queries.

    Args:
        record: The paper.
        tree: Its section tree.
        pages: Every page of it.
        query: What to look for.
        embedder: Embeds query and sections.
        top_k: Most sections to return, at least 1.

    Returns:
        Sections, best first.
    """
    return WithinSearch(embedder, kept=1).search(record, tree, pages, query, top_k=top_k)


def _rank(paper: PaperIndex, query: str, embedder: Embedder) -> tuple[SectionHit, ...]:
    vector = np.asarray(embedder.embed_query(query), dtype=np.float32)
    check_vectors(vector, (embedder.fingerprint.dimension,), embedder.fingerprint.name)
    bm25 = paper.sections_bm25(query)
    similarity = paper.similarities(normalized(vector), embedder, bm25)
    overview = [_speaks_of_others(path, query) for path in paper.paths]
    order = np.arange(len(paper.paths))
    fused = fuse(ranks(similarity, similarity > 0, order), ranks(bm25, bm25 > 0, order))
    fused *= np.where(overview, OVERVIEW_SHARE, 1.0)
    back = np.array([is_back_matter(path[-1]) for path in paper.paths], dtype=np.bool_)
    best_first = [int(place) for place in np.lexsort((order, -fused, back)) if fused[place] > 0]
    likely = _likely_pages(paper, passage_shares(paper, query, overview))
    return tuple(
        SectionHit(
            node_id=paper.paths[place][-1].id,
            title=paper.paths[place][-1].printed,
            path=" > ".join(node.printed for node in paper.paths[place]),
            pages=paper.paths[place][-1].covering,
            similarity=float(similarity[place]),
            bm25=float(bm25[place]),
            rrf=float(fused[place]),
            likely_pages=tuple(likely.get(place, ())),
            likely_shares=tuple(likely.get(place, {}).values()),
        )
        for place in best_first
    )


def _speaks_of_others(path: Sequence[Node], query: str) -> bool:
    """Whether a section is an overview, or part of one, and the query does not ask for it by name."""
    asked = match_key(query)
    titles = [match_key(node.title) for node in path]
    return any(_OVERVIEW.fullmatch(title) is not None and title not in asked for title in titles)


def _likely_pages(paper: PaperIndex, shares: NDArray[np.float64]) -> dict[int, dict[int, float]]:
    """Of each section the pages with its best passages, and how near each comes to the best of the paper."""
    found: dict[int, dict[int, float]] = {}
    for place in np.argsort(-shares, kind="stable")[: np.count_nonzero(shares > 0)]:
        passage = paper.passages[int(place)]
        pages = found.setdefault(passage.section, {})
        if passage.page not in pages and len(pages) < LIKELY_PAGES:
            pages[passage.page] = float(shares[place])
    return found
