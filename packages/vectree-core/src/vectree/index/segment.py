"""A segment: an immutable piece of the index, in memory or mapped from a file.

Every change of the index writes one new segment and commits it by name in the manifest; nothing that was
written is edited. Merging needs no text of the papers: vectors are copied, postings renumbered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vectree.document import Record
from vectree.index.codes import Codes, make_codes, merge_codes
from vectree.index.embedder import Vectors
from vectree.index.entries import Entry
from vectree.index.postings import Mask, Postings, build_postings, merge_postings
from vectree.index.rows import DocumentRow, decode_row, encode_row, make_row, name_lines, title_key

NO_YEAR = -1
"""Stands in ``Columns.years`` where a document has no year."""

_TITLE_BYTES = 96
"""Length to which titles are compared in listings; beyond it the order is by ``doc_id``."""

_MAX_YEAR = 9999


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """Values of m documents as arrays, so that no query loops over documents.

    Attributes:
        doc_ids: UTF-8, fixed width; shape (m,).
        titles: Folded titles, cut; shape (m,).
        years: Year or ``NO_YEAR``; shape (m,), int32.
        first_entries: Where each document's entries begin; shape (m + 1,), int32.
        row_starts: Where each document's line of ``rows`` begins; shape (m + 1,), int64.
        author_starts: Likewise in ``authors``; shape (m + 1,), int64.
        journal_starts: Likewise in ``journals``; shape (m + 1,), int64.
    """

    doc_ids: NDArray[np.bytes_]
    titles: NDArray[np.bytes_]
    years: NDArray[np.int32]
    first_entries: NDArray[np.int32]
    row_starts: NDArray[np.int64]
    author_starts: NDArray[np.int64]
    journal_starts: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Segment:
    """Entries of some documents, sorted by document.

    Attributes:
        name: Name of its file without the ending; empty while in memory.
        vectors: Shape (n, dimension), float32, rows of norm 1 or 0; (n, 0) if a vector store gives them back.
        codes: The same as integers; ``None`` in a small segment, or one of a former version.
        digests: Hash of each entry's text; shape (n,), 16 bytes each.
        postings: Words of the n entries.
        columns: Values of the m documents.
        rows: One line of JSON a document.
        authors: One line a document: each name folded and led by a tab.
        journals: One line a document, folded.
    """

    name: str = ""
    vectors: Vectors
    digests: NDArray[np.void]
    postings: Postings
    columns: Columns
    rows: NDArray[np.uint8]
    authors: NDArray[np.uint8]
    journals: NDArray[np.uint8]
    codes: Codes | None = None

    @property
    def documents(self) -> int:
        """Number of documents, removed ones included."""
        return len(self.columns.doc_ids)

    @property
    def entries(self) -> int:
        """Number of entries, removed ones included."""
        return len(self.vectors)

    def row(self, document: int) -> DocumentRow:
        """Read a document's row.

        Args:
            document: Position in the segment, from 0.

        Returns:
            The row; an altered file raises `CorpusDamaged`.
        """
        begin, end = self.columns.row_starts[document : document + 2]
        return decode_row(self.rows[begin:end].tobytes(), file=self.name)

    def span(self, document: int) -> slice:
        """The entries of a document.

        Args:
            document: Position in the segment, from 0.

        Returns:
            Slice of the segment's entries.
        """
        begin, end = self.columns.first_entries[document : document + 2]
        return slice(int(begin), int(end))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prepared:
    """A document ready to be written: its entries and their vectors, shape (len(entries), dimension)."""

    record: Record
    entries: tuple[Entry, ...]
    digests: tuple[bytes, ...]
    vectors: Vectors


def build_segment(papers: Sequence[Prepared], *, with_vectors: bool = True) -> Segment:
    """Make a segment of documents.

    Args:
        papers: At least one document.
        with_vectors: Whether it keeps their vectors; a vector store may do that instead.

    Returns:
        The segment, in memory.
    """
    rows = [encode_row(make_row(paper.record, paper.entries)) for paper in papers]
    names = [name_lines(paper.record) for paper in papers]
    journals, authors = [journal for journal, _ in names], [line for _, line in names]
    columns = Columns(
        doc_ids=np.array([paper.record.doc_id.encode() for paper in papers], dtype=np.bytes_),
        titles=np.array([title_key(paper.record) for paper in papers], dtype=f"S{_TITLE_BYTES}"),
        years=np.array([_year(paper.record) for paper in papers], dtype=np.int32),
        first_entries=_offsets([len(paper.entries) for paper in papers]).astype(np.int32),
        row_starts=_offsets([len(row) for row in rows]),
        author_starts=_offsets([len(line) for line in authors]),
        journal_starts=_offsets([len(line) for line in journals]),
    )
    vectors = np.concatenate([paper.vectors for paper in papers]).astype(np.float32)
    if not with_vectors:
        vectors = vectors[:, :0]
    return Segment(
        vectors=vectors,
        codes=make_codes(vectors),
        digests=np.array([digest for paper in papers for digest in paper.digests], dtype="V16"),
        postings=build_postings([entry.text for paper in papers for entry in paper.entries]),
        columns=columns,
        rows=_bytes(rows),
        authors=_bytes(authors),
        journals=_bytes(journals),
    )


def merge_segments(parts: Sequence[tuple[Segment, Mask]]) -> Segment:
    """Join segments, leaving out documents that are gone.

    Args:
        parts: Segments and, for each, which of its documents stay; at least one document stays.

    Returns:
        A segment in memory; its arrays are copies.
    """
    entry_masks = [entry_mask(segment.columns, stays) for segment, stays in parts]
    segments = list(zip(parts, entry_masks, strict=True))
    return Segment(
        vectors=np.concatenate([segment.vectors[keeps] for (segment, _), keeps in segments]),
        codes=merge_codes([(segment.vectors, segment.codes, keeps) for (segment, _), keeps in segments]),
        digests=np.concatenate([segment.digests[keeps] for (segment, _), keeps in segments]),
        postings=merge_postings([(segment.postings, keeps) for (segment, _), keeps in segments]),
        columns=_merge_columns([(segment.columns, stays) for segment, stays in parts]),
        rows=np.concatenate([_lines(part.rows, part.columns.row_starts, stays) for part, stays in parts]),
        authors=np.concatenate(
            [_lines(part.authors, part.columns.author_starts, stays) for part, stays in parts]
        ),
        journals=np.concatenate(
            [_lines(part.journals, part.columns.journal_starts, stays) for part, stays in parts]
        ),
    )


def entry_mask(columns: Columns, documents: Mask) -> Mask:
    """Spread a mask over documents to their entries.

    Args:
        columns: Values of m documents.
        documents: Shape (m,).

    Returns:
        Shape (n,).
    """
    return np.repeat(documents, np.diff(columns.first_entries))


def _merge_columns(parts: Sequence[tuple[Columns, Mask]]) -> Columns:
    def spans(starts: Sequence[NDArray[np.int32] | NDArray[np.int64]]) -> NDArray[np.int64]:
        kept = [np.diff(start)[stays] for start, (_, stays) in zip(starts, parts, strict=True)]
        return _offsets(np.concatenate(kept))

    return Columns(
        doc_ids=np.concatenate([columns.doc_ids[stays] for columns, stays in parts]),
        titles=np.concatenate([columns.titles[stays] for columns, stays in parts]),
        years=np.concatenate([columns.years[stays] for columns, stays in parts]),
        first_entries=spans([columns.first_entries for columns, _ in parts]).astype(np.int32),
        row_starts=spans([columns.row_starts for columns, _ in parts]),
        author_starts=spans([columns.author_starts for columns, _ in parts]),
        journal_starts=spans([columns.journal_starts for columns, _ in parts]),
    )


def _lines(blob: NDArray[np.uint8], starts: NDArray[np.int64], stays: Mask) -> NDArray[np.uint8]:
    """The lines of the documents that stay."""
    return blob if stays.all() else blob[np.repeat(stays, np.diff(starts))]


def _year(record: Record) -> int:
    year = record.metadata.year
    return year if year is not None and 0 <= year <= _MAX_YEAR else NO_YEAR


def _offsets(sizes: Sequence[int] | NDArray[np.int64] | NDArray[np.int32]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64)])


def _bytes(lines: Sequence[bytes]) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(lines), dtype=np.uint8)
