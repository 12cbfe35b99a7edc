"""Search over the corpus: both retrievers, gates, fusion, and what is shown of each paper (§3.4, Layer 0)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vectree.errors import CorpusDamaged, InvalidArguments
from vectree.evidence import Filters, SearchHit, SearchResult
from vectree.index.corpus_index import CorpusIndex
from vectree.index.embedder import Embedder, Vectors, check_vectors, normalized
from vectree.index.snapshot import Snapshot
from vectree.search.filters import Selection, select
from vectree.search.gates import GateThresholds, thresholds_for
from vectree.search.hits import listed_hit, ranked_hit
from vectree.search.scoring import Decision, Scored, decisions, exact_similarities, score
from vectree.words import words

T = TypeVar("T")

LISTING = "*"
"""The query that lists instead of ranking; only exactly this, white space aside."""

MAX_QUERY_CHARACTERS = 4_000
"""Longer queries are cut, and the result says so."""

NO_FILTERS = Filters()


class HybridSearch:
    """Ranks the papers of a corpus for a query.

    Args:
        index: The index.
        embedder: Embeds queries; the one the index was built with.
        thresholds: The gates; by default those that go with the embedder.
    """

    def __init__(
        self, index: CorpusIndex, embedder: Embedder, thresholds: GateThresholds | None = None
    ) -> None:
        self._index = index
        self._embedder = embedder
        self._thresholds = thresholds or thresholds_for(embedder)

    @property
    def thresholds(self) -> GateThresholds:
        """The gates in use."""
        return self._thresholds

    def search(
        self,
        query: str,
        *,
        top_k: int = 10,
        offset: int = 0,
        filters: Filters = NO_FILTERS,
        gates: bool = True,
    ) -> SearchResult:
        """Find papers.

        An empty query, a number out of range, or years between which none lies raise `InvalidArguments`.

        Args:
            query: What to look for; ``*`` alone lists every paper that passes the filters.
            top_k: Papers on a page of results, at least 1.
            offset: Results to skip, from 0.
            filters: Applied before anything is ranked.
            gates: Whether marginal results are left out.

        Returns:
            One page of results; ``total_matches`` counts all pages.
        """
        _check(query, top_k, offset)
        return self._with_latest(
            lambda snapshot: self._search(snapshot, query, slice(offset, offset + top_k), filters, gates)
        )

    def _search(
        self, snapshot: Snapshot, query: str, page: slice, filters: Filters, gates: bool
    ) -> SearchResult:
        selection = select(snapshot, filters)
        if query.strip() == LISTING:
            numbers = _listed(snapshot, selection)
            hits = tuple(listed_hit(snapshot.row(int(number))) for number in numbers[page])
            return _result(query, hits, len(numbers), snapshot, selection)
        scored = self._score(query, snapshot, selection, gates=gates)
        kept = scored.ranking.kept if scored else np.zeros(0, dtype=np.int64)
        hits = self._hits(scored, kept[page]) if scored else ()
        return _result(query, hits, len(kept), snapshot, selection, scored.dense.note if scored else "")

    def explain(self, query: str, *, filters: Filters = NO_FILTERS, limit: int = 50) -> tuple[Decision, ...]:
        """Say what became of each candidate: the results first, then the best of those that were left out.

        Args:
            query: As for `search`, but not ``*``.
            filters: As for `search`.
            limit: Most decisions to return, at least 1.

        Returns:
            Decisions, best first.
        """
        _check(query, limit, 0)

        def explained(snapshot: Snapshot) -> tuple[Decision, ...]:
            selection = select(snapshot, filters)
            scored = self._score(query, snapshot, selection, gates=True, every=True)
            return decisions(scored, limit) if scored else ()

        return self._with_latest(explained)

    def _with_latest(self, look: Callable[[Snapshot], T]) -> T:
        """Search the latest state, and once more if another process took entries away meanwhile."""
        try:
            return look(self._index.snapshot())
        except CorpusDamaged:
            if not self._index.refresh():
                raise
            return look(self._index.snapshot())

    def _score(
        self, query: str, snapshot: Snapshot, selection: Selection, *, gates: bool, every: bool = False
    ) -> Scored | None:
        """Score and rank; ``None`` if there is nothing to rank or no word to look for."""
        used = query[:MAX_QUERY_CHARACTERS]
        chosen = np.flatnonzero(selection.chosen)
        if not len(chosen) or not words(used):
            return None
        thresholds = self._thresholds if gates else None
        return score(snapshot, chosen, used, self._embed(used), thresholds, every=every)

    def _embed(self, query: str) -> Vectors:
        vector = np.asarray(self._embedder.embed_query(query), dtype=np.float32)
        fingerprint = self._embedder.fingerprint
        check_vectors(vector, (fingerprint.dimension,), fingerprint.name)
        return normalized(vector)

    def _hits(self, scored: Scored, positions: NDArray[np.int64]) -> tuple[SearchHit, ...]:
        similarities = exact_similarities(scored, positions)
        return tuple(
            self._hit(scored, int(position), cosines)
            for position, cosines in zip(positions, similarities, strict=True)
        )

    def _hit(self, scored: Scored, position: int, similarities: Vectors) -> SearchHit:
        number = int(scored.chosen[position])
        return ranked_hit(
            scored.snapshot.row(number),
            similarities,
            scored.lexical.bm25[scored.snapshot.span(number)],
            rrf=float(scored.ranking.rrf[position]),
            relevant=self._thresholds.relevant_similarity,
        )


def _check(query: str, top_k: int, offset: int) -> None:
    if not query.strip():
        raise InvalidArguments(
            "The query is empty.", hint=f"Give words to look for, or {LISTING!r} to list the library."
        )
    if top_k < 1 or offset < 0:
        raise InvalidArguments(f"top_k {top_k} and offset {offset}: needs top_k >= 1 and offset >= 0.")


def _listed(snapshot: Snapshot, selection: Selection) -> NDArray[np.int64]:
    """Chosen documents, the latest first, those without a year last; then by title."""
    chosen = np.flatnonzero(selection.chosen)
    return chosen[np.lexsort((snapshot.order[chosen], snapshot.titles[chosen], -snapshot.years[chosen]))]


def _result(
    query: str,
    hits: tuple[SearchHit, ...],
    total: int,
    snapshot: Snapshot,
    selection: Selection,
    note: str = "",
) -> SearchResult:
    return SearchResult(
        query=query,
        hits=hits,
        total_matches=total,
        total_documents=snapshot.documents,
        excluded_unknown=selection.excluded_unknown,
        note=f"{_note(query, total, snapshot, selection)} {note}".strip(),
    )


def _note(query: str, total: int, snapshot: Snapshot, selection: Selection) -> str:
    """What a reader should know: that the query was cut, or why nothing was found."""
    notes: list[str] = []
    if len(query) > MAX_QUERY_CHARACTERS:
        notes.append(f"Only the first {MAX_QUERY_CHARACTERS:,} characters of the query were used.")
    if not snapshot.documents:
        notes.append("The library is empty.")
    elif not selection.size:
        notes.append(f"None of the {snapshot.documents} papers passes the filters.")
    elif not total:
        searched = f"None of the {selection.size} papers searched"
        notes.append(
            f"{searched} is relevant to the query. Try synonyms, broader terms or an author's name."
            if words(query[:MAX_QUERY_CHARACTERS])
            else "The query holds no word to look for."
        )
    return " ".join(notes)
