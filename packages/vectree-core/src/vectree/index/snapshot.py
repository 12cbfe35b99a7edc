"""One committed state of the index, as a search sees it from beginning to end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vectree.errors import CorpusDamaged
from vectree.index.bm25 import Lexical, score_bm25
from vectree.index.dense import DenseScores, Matrix, cosines
from vectree.index.embedder import Vectors
from vectree.index.postings import Mask
from vectree.index.proposals import StoreSearch
from vectree.index.rows import REINDEX, DocumentRow
from vectree.index.segment import Columns, Segment, entry_mask
from vectree.index.vector_store import VectorSpace

T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a document stands.

    Attributes:
        segment: Position of its segment, from 0.
        document: Position in the segment, from 0.
    """

    segment: int
    document: int


class Snapshot:
    """Segments and which of their documents are alive.

    Documents and entries are numbered through all segments, removed ones included; arrays "over documents" or
    "over entries" have that many values. Everything that grows with the library is computed once here, or as
    one array operation; nothing on the way of a query loops over documents.

    Args:
        parts: Segments and, for each, which of its documents are alive; shape (m,).
        space: Where vectors lie besides, if they do.
        keys: Keys of each segment's entries in that space; empty without one.
    """

    def __init__(
        self,
        parts: Sequence[tuple[Segment, Mask]],
        space: VectorSpace | None = None,
        keys: Sequence[Sequence[str]] = (),
    ) -> None:
        self._space = space
        self._segment_keys = keys
        self.segments = tuple(segment for segment, _ in parts)
        self._masks = tuple(mask for _, mask in parts)
        self._entry_masks = [entry_mask(segment.columns, mask) for segment, mask in parts]
        self._bases = _running([segment.documents for segment in self.segments])
        self._entry_bases = _running([segment.entries for segment in self.segments])
        self.alive: Mask = np.concatenate([np.zeros(0, dtype=np.bool_), *self._masks])
        self.documents = int(np.count_nonzero(self.alive))
        self.entries = sum(int(np.count_nonzero(mask)) for mask in self._entry_masks)

    @cached_property
    def years(self) -> NDArray[np.int32]:
        """Year or ``NO_YEAR`` over documents."""
        return _joined([segment.columns.years for segment in self.segments], np.int32)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Rank by ``doc_id`` over documents: the stable key that breaks ties."""
        doc_ids = _joined([segment.columns.doc_ids for segment in self.segments], np.bytes_)
        ranks = np.empty(len(doc_ids), dtype=np.int64)
        ranks[np.argsort(doc_ids, kind="stable")] = np.arange(len(doc_ids))
        return ranks

    @cached_property
    def titles(self) -> NDArray[np.bytes_]:
        """Folded titles over documents."""
        return _joined([segment.columns.titles for segment in self.segments], np.bytes_)

    @cached_property
    def doc_ids(self) -> tuple[str, ...]:
        """Living documents, in the order of their numbers."""
        found = _joined([segment.columns.doc_ids for segment in self.segments], np.bytes_)
        return tuple(doc_id.decode() for doc_id in found[self.alive].tolist())

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """First entry over documents."""
        parts = [
            segment.columns.first_entries[:-1].astype(np.int64) + base
            for segment, base in zip(self.segments, self._entry_bases, strict=False)
        ]
        return _joined(parts, np.int64)

    @property
    def columns(self) -> Sequence[tuple[Columns, int]]:
        """Columns of each segment, and the number of its first document."""
        return [(segment.columns, base) for segment, base in zip(self.segments, self._bases, strict=False)]

    @cached_property
    def keys(self) -> list[str]:
        """Key of each entry in the vector store, ``""`` where the document was removed; empty without one."""
        return [
            key if alive else ""
            for keys, mask in zip(self._segment_keys, self._entry_masks, strict=False)
            for key, alive in zip(keys, mask.tolist(), strict=True)
        ]

    @cached_property
    def _matrix(self) -> Matrix:
        return Matrix([(segment.vectors, segment.codes) for segment in self.segments])

    @cached_property
    def _store_search(self) -> StoreSearch | None:
        if self._space is None:
            return None
        documents = np.repeat(np.arange(len(self.alive)), np.diff([*self._starts, self._entry_bases[-1]]))
        matrix = None if self._space.gives_vectors else self._matrix
        return StoreSearch(self._space, self.keys, documents, matrix)

    def dense(self, query: Vectors, gate: float | None) -> DenseScores:
        """Cosines of a query with the entries, exact wherever they decide whether a document passes a gate.

        Args:
            query: Shape (dimension,), norm 1 or 0.
            gate: The dense gate; ``None`` if every cosine counts.

        Returns:
            The scores.
        """
        if self._store_search is not None:
            return self._store_search.scores(query, gate)
        return self._matrix.scores(query, gate)

    def similarities(self, query: Vectors) -> Vectors:
        """Cosines of a query with every entry of a living document, exactly, whatever it costs.

        Args:
            query: Shape (dimension,), norm 1 or 0.

        Returns:
            Over entries, float32; 0 for removed documents whose vectors are gone.
        """
        if self._space is None or not self._space.gives_vectors:
            return self._matrix.scores(query, None).values
        found = np.zeros(self._entry_bases[-1], dtype=np.float32)
        alive = np.flatnonzero(np.concatenate(self._entry_masks)) if self.segments else np.zeros(0, np.int64)
        found[alive] = cosines([self.vectors(alive)], query)
        return found

    def vectors(self, entries: NDArray[np.int64]) -> Vectors:
        """Vectors of some entries of living documents, wherever they lie.

        Args:
            entries: Their numbers; shape (n,).

        Returns:
            Shape (n, dimension), float32.
        """
        if self._store_search is not None:
            return self._store_search.vectors(entries)
        return self._matrix.vectors(entries)

    def lexical(self, query: str) -> Lexical:
        """BM25 of a query with every entry.

        Args:
            query: Any text.

        Returns:
            Scores over entries.

        Raises:
            CorpusDamaged: If postings point at entries that do not exist.
        """
        masks = zip(self.segments, self._entry_masks, strict=True)
        try:
            return score_bm25(query, [(segment.postings, mask) for segment, mask in masks])
        except (IndexError, ValueError) as error:
            raise CorpusDamaged("The postings of the index are damaged.", hint=REINDEX) from error

    def best(self, values: NDArray[T]) -> NDArray[T]:
        """The best value among each document's entries.

        Args:
            values: Over entries.

        Returns:
            Over documents.
        """
        return np.maximum.reduceat(values, self._starts) if len(self._starts) else values[:0]

    def number(self, doc_id: str) -> int | None:
        """Find a living document.

        Args:
            doc_id: Its id.

        Returns:
            Its number, or ``None``.
        """
        wanted = doc_id.encode("utf-8", "replace")
        for segment, mask, base in zip(self.segments, self._masks, self._bases, strict=False):
            found = np.flatnonzero((segment.columns.doc_ids == wanted) & mask)
            if len(found):
                return base + int(found[0])
        return None

    def place(self, number: int) -> Place:
        """Find the segment of a document.

        Args:
            number: Number of the document.

        Returns:
            Its place.
        """
        segment = int(np.searchsorted(self._bases, number, side="right")) - 1
        return Place(segment=segment, document=number - self._bases[segment])

    def row(self, number: int) -> DocumentRow:
        """What search shows of a document.

        Args:
            number: Number of the document.

        Returns:
            Its row.
        """
        place = self.place(number)
        return self.segments[place.segment].row(place.document)

    def digests(self, number: int) -> list[bytes]:
        """By what the texts of a document's entries are known again.

        Args:
            number: Number of the document.

        Returns:
            A digest for each entry, the document entry first.
        """
        place = self.place(number)
        segment = self.segments[place.segment]
        return [digest.tobytes() for digest in segment.digests[segment.span(place.document)]]

    def span(self, number: int) -> slice:
        """The entries of a document: the document entry, then its sections.

        Args:
            number: Number of the document.

        Returns:
            Slice over entries.
        """
        place = self.place(number)
        local = self.segments[place.segment].span(place.document)
        base = self._entry_bases[place.segment]
        return slice(base + local.start, base + local.stop)


def _running(sizes: Sequence[int]) -> list[int]:
    """Sums up to each position, and the total at the end."""
    return [0, *np.cumsum(sizes, dtype=np.int64).tolist()]


def _joined(parts: Sequence[NDArray[T]], kind: type[T]) -> NDArray[T]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=kind)
