"""Search within one paper: every section by both retrievers, and the pages to read first (§3.4, Layer 1).

Deviation: the paper searches the indexed top-level sections; here every section is searchable, deeper ones
too, without more stored vectors. There are no gates: the reader has chosen the paper already.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vectree.document import Page, Record, SectionTree
from vectree.errors import InvalidArguments
from vectree.evidence import SectionHit
from vectree.index.embedder import Embedder, check_vectors, normalized
from vectree.index.entries import is_back_matter
from vectree.search.fusion import fuse, ranks
from vectree.search.paper_index import PaperIndex
from vectree.words import words

LIKELY_PAGES = 3
"""Pages named with a section."""

KEPT_PAPERS = 16
"""Papers kept ready, the least recently searched leave first."""

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
    similarity = paper.similarities(normalized(vector), embedder)
    bm25, passages = paper.sections_bm25(query), paper.passages_bm25(query)
    order = np.arange(len(paper.paths))
    fused = fuse(ranks(similarity, similarity > 0, order), ranks(bm25, bm25 > 0, order))
    back = np.array([is_back_matter(path[0]) for path in paper.paths], dtype=np.bool_)
    best_first = [int(place) for place in np.lexsort((order, -fused, back)) if fused[place] > 0]
    pages = _likely_pages(paper, passages)
    return tuple(
        SectionHit(
            node_id=paper.paths[place][-1].id,
            title=paper.paths[place][-1].printed,
            path=" > ".join(node.printed for node in paper.paths[place]),
            pages=paper.paths[place][-1].covering,
            similarity=float(similarity[place]),
            bm25=float(bm25[place]),
            rrf=float(fused[place]),
            likely_pages=pages.get(place, ()),
        )
        for place in best_first
    )


def _likely_pages(paper: PaperIndex, bm25: NDArray[np.float64]) -> dict[int, tuple[int, ...]]:
    """The pages of each section with its best passages."""
    found: dict[int, dict[int, None]] = {}
    for place in np.argsort(-bm25, kind="stable"):
        if bm25[place] <= 0:
            break
        passage = paper.passages[place]
        found.setdefault(passage.section, {}).setdefault(passage.page)
    return {section: tuple(pages)[:LIKELY_PAGES] for section, pages in found.items()}
