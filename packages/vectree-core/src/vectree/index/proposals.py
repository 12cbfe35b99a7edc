"""Searching through a vector store: it proposes entries, the index decides with exact cosines (§3.4).

The store is asked for more until the farthest entry it proposes lies below the gate, so that gating decides
as it would on all entries, as far as the store's own search is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vectree.errors import CorpusDamaged
from vectree.index.dense import DenseScores, Entries, Matrix
from vectree.index.embedder import Vectors
from vectree.index.rows import REINDEX
from vectree.index.vector_store import STORED_COSINE_ERROR, Neighbours, VectorSpace

FIRST_DEPTH = 512
"""Entries asked for at first; eleven make a paper."""

GROWTH = 4
"""By how much deeper the next question goes."""

MAX_DEPTH = 16_384
"""Entries asked for at most; beyond it the result says that there may be more."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Proposed:
    """Known entries among the nearest, with their cosines by the store if it gives any."""

    entries: Entries
    similarities: Vectors | None
    exhausted: bool = False
    note: str = ""


class StoreSearch:
    """The dense half of one committed state whose vectors lie in a store.

    Args:
        space: The store's space.
        keys: Key of each entry, ``""`` for those of removed documents.
        documents: Document of each entry; shape (n,).
        matrix: The index's own vectors, if the store does not give them back.
    """

    def __init__(
        self, space: VectorSpace, keys: Sequence[str], documents: Entries, matrix: Matrix | None
    ) -> None:
        self._space = space
        self._keys = keys
        self._documents = documents
        self._matrix = matrix
        self._numbers = {key: number for number, key in enumerate(keys) if key}

    def scores(self, query: Vectors, gate: float | None) -> DenseScores:
        """Score the entries that the store proposes.

        Args:
            query: Shape (dimension,), norm 1 or 0.
            gate: Entries below it need not be found; ``None`` for as many as `MAX_DEPTH` allows.

        Returns:
            The scores; an entry that was not proposed stands at 0, or just below a gate that is lower.
        """
        unknown = 0.0 if gate is None else min(0.0, float(np.nextafter(np.float32(gate), np.float32(-2))))
        values = np.full(len(self._keys), unknown, dtype=np.float32)

        def exact(entries: Entries) -> Vectors:
            return self._exact(entries, query)

        if not query.any():
            return DenseScores(values=np.zeros_like(values), exact=exact)
        proposed = self._propose(query, gate)
        entries, similarities = proposed.entries, proposed.similarities
        if similarities is None:
            values[entries] = exact(entries)
        else:
            values[entries] = similarities
            deciding = entries[self._deciding(entries, similarities, gate)]
            values[deciding] = exact(deciding)
        if proposed.exhausted:
            withheld = self._withheld(entries)
            values[withheld] = exact(withheld)
        return DenseScores(values=values, exact=exact, note=proposed.note)

    def _propose(self, query: Vectors, gate: float | None) -> _Proposed:
        depth = FIRST_DEPTH
        while True:
            found = self._space.nearest(query, depth)
            entries, similarities = self._known(found)
            if found.partial or len(found.keys) < depth:
                return _Proposed(entries=entries, similarities=similarities, exhausted=True)
            if gate is not None and self._farthest(entries, similarities, query) < gate - STORED_COSINE_ERROR:
                return _Proposed(entries=entries, similarities=similarities)
            if depth >= MAX_DEPTH:
                note = f"Only the {depth:,} nearest entries of the vector store were considered."
                return _Proposed(entries=entries, similarities=similarities, note=note)
            depth = min(GROWTH * depth, MAX_DEPTH)

    def _withheld(self, proposed: Entries) -> Entries:
        """Entries that a store holds and did not propose though it was asked for more than it gave.

        A graph of neighbours loses its way among vectors that are nearly alike, and some stores cap what one
        question may give. The index knows what is missing and looks it up itself.
        """
        living = np.fromiter(self._numbers.values(), dtype=np.int64, count=len(self._numbers))
        return np.setdiff1d(living, proposed, assume_unique=True)[:MAX_DEPTH]

    def _known(self, found: Neighbours) -> tuple[Entries, Vectors | None]:
        numbers = [self._numbers.get(key, -1) for key in found.keys]
        entries = np.array(numbers, dtype=np.int64)
        known = entries >= 0
        similarities = found.similarities
        return entries[known], None if similarities is None else similarities[known]

    def _farthest(self, entries: Entries, similarities: Vectors | None, query: Vectors) -> float:
        """Cosine of the last known proposal; without any, the store is asked for more."""
        if not len(entries):
            return np.inf
        if similarities is not None:
            return float(similarities.min())
        return float(self._exact(entries[-1:], query)[0])

    def _deciding(self, entries: Entries, similarities: Vectors, gate: float | None) -> Entries:
        """Places of those that may be the best of a document that may pass the gate."""
        best = np.full(int(self._documents.max(initial=-1)) + 1, -np.inf, dtype=np.float32)
        documents = self._documents[entries]
        np.maximum.at(best, documents, similarities)
        near = similarities >= best[documents] - np.float32(2 * STORED_COSINE_ERROR)
        if gate is not None:
            near &= similarities >= np.float32(gate - STORED_COSINE_ERROR)
        return np.flatnonzero(near)

    def vectors(self, entries: Entries) -> Vectors:
        """Vectors of some entries.

        Args:
            entries: Their numbers; shape (n,), at least one.

        Returns:
            Shape (n, dimension), float32.

        Raises:
            CorpusDamaged: If the store has lost some, or another process has just removed them.
        """
        if self._matrix is not None:
            return self._matrix.vectors(entries)
        keys = [self._keys[int(number)] for number in entries]
        found = self._space.vectors(keys)
        if missing := [key for key in keys if key not in found]:
            raise CorpusDamaged(
                f"The vector store lacks {len(missing)} entries that the index names, such as {missing[0]!r}.",
                hint=REINDEX,
            )
        return np.stack([found[key] for key in keys]).astype(np.float32, copy=False)

    def _exact(self, entries: Entries, query: Vectors) -> Vectors:
        if not len(entries):
            return np.zeros(0, dtype=np.float32)
        return np.einsum("ij,j->i", self.vectors(entries), query)
