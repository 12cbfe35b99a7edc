"""What the index keeps of a document beside its vectors: enough to show a hit without opening the store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pydantic import TypeAdapter, ValidationError

from vectree.document import PageRange, Record
from vectree.errors import CorpusDamaged
from vectree.index.entries import Entry
from vectree.normal import name_key

REINDEX = "Rebuild the index from the stored papers: vectree reindex."
"""The index is derived: whatever befalls it, the papers are untouched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionRow:
    """A section that has an entry.

    Attributes:
        node_id: The top-level node.
        title: Number and title.
        first: First page of the covering range.
        last: Last page of it.
    """

    node_id: str
    title: str
    first: int
    last: int

    @property
    def pages(self) -> PageRange:
        """The covering page range."""
        return PageRange(first=self.first, last=self.last)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """A document as search shows it; its sections in the order of their entries."""

    doc_id: str
    title: str
    authors: tuple[str, ...]
    journal: str | None
    year: int | None
    total_pages: int
    description: str
    related: tuple[str, ...]
    sections: tuple[SectionRow, ...]


_ROW = TypeAdapter(DocumentRow)


def make_row(record: Record, entries: Sequence[Entry]) -> DocumentRow:
    """Take from a record what search shows.

    Args:
        record: The document.
        entries: Its entries, the document entry first.

    Returns:
        The row.
    """
    about = record.metadata
    return DocumentRow(
        doc_id=record.doc_id,
        title=about.title,
        authors=about.authors,
        journal=about.journal,
        year=about.year,
        total_pages=record.total_pages,
        description=about.description,
        related=record.related,
        sections=tuple(
            SectionRow(
                node_id=entry.node_id, title=entry.title, first=entry.pages.first, last=entry.pages.last
            )
            for entry in entries[1:]
        ),
    )


def encode_row(row: DocumentRow) -> bytes:
    """Write a row as one line of JSON.

    Args:
        row: The row.

    Returns:
        ASCII with a line break at the end; half a surrogate pair from a broken font map stays as an escape.
    """
    return json.dumps(asdict(row), separators=(",", ":")).encode() + b"\n"


def decode_row(line: bytes, *, file: str) -> DocumentRow:
    """Read a row.

    Args:
        line: One line of the file.
        file: Name of the file, for the error.

    Returns:
        The row.

    Raises:
        CorpusDamaged: If the line is no such row.
    """
    try:
        return _ROW.validate_json(line)
    except ValidationError:
        pass  # half a surrogate pair, which only the standard library reads, or damage
    try:
        return _ROW.validate_python(json.loads(line), strict=False)
    except (ValueError, ValidationError, RecursionError) as error:
        raise CorpusDamaged(f"The index file {file!r} is damaged.", hint=REINDEX) from error


def name_lines(record: Record) -> tuple[bytes, bytes]:
    """The searchable forms of a document's journal and authors.

    Args:
        record: The document.

    Returns:
        The journal as one line, and the authors, each led by a tab, as one line; UTF-8.
    """
    about = record.metadata
    authors = "".join("\t" + name_key(author) for author in about.authors)
    return _encoded(name_key(about.journal or "")), _encoded(authors)


def title_key(record: Record) -> bytes:
    """The form of a title that listings are sorted by.

    Args:
        record: The document.

    Returns:
        Folded title, UTF-8.
    """
    return _encoded(name_key(record.metadata.title)).rstrip(b"\n")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace") + b"\n"
