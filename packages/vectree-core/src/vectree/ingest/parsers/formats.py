"""Which format a source has: by its name, and by its first bytes where the name says nothing."""

from __future__ import annotations

import zipfile
from enum import StrEnum
from pathlib import Path


class Format(StrEnum):
    """A format that can be read."""

    PDF = "pdf"
    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"
    DOCX = "docx"
    QASPER = "qasper"


SUFFIXES = {
    ".pdf": Format.PDF,
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".txt": Format.TEXT,
    ".html": Format.HTML,
    ".htm": Format.HTML,
    ".docx": Format.DOCX,
}
"""What a file is by its name alone."""

DATA_SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
"""Names under which QASPER is handed out; the contents decide."""

CONVERTED = frozenset({Format.HTML, Format.DOCX})
"""Formats that need the extra ``docs``."""

READABLE = "PDF, Markdown (.md), text (.txt), HTML, DOCX and QASPER (.json) files"

HOUSEKEEPING = frozenset(
    {
        "authors",
        "changelog",
        "code_of_conduct",
        "contributing",
        "licence",
        "license",
        "notice",
        "readme",
        "requirements",
    }
)
"""Names of Markdown and text files that speak of a folder and are no papers."""

_HEAD = 1024
_DATA_HEAD = 1 << 20
_PDF = b"%PDF-"
_ZIP = b"PK\x03\x04"
_DOCX_MEMBER = "word/document.xml"


def format_of(path: Path) -> Format | None:
    """The format of a file in a folder: by its name; data files by what they hold.

    Args:
        path: A file.

    Returns:
        Its format; ``None`` for files that are passed over. A data file that cannot be opened is one.
    """
    by_name = SUFFIXES.get(path.suffix.lower())
    if by_name is not None or not path.name.lower().endswith(DATA_SUFFIXES):
        return by_name
    try:
        return Format.QASPER if _is_qasper(path) else None
    except (OSError, EOFError):
        return None


def is_housekeeping(path: Path) -> bool:
    """Whether a file of a folder speaks of the folder, as a README does; named explicitly it is read.

    Args:
        path: A file.

    Returns:
        True for Markdown and text files with one of the names in ``HOUSEKEEPING``.
    """
    plain = SUFFIXES.get(path.suffix.lower()) in (Format.MARKDOWN, Format.TEXT)
    return plain and path.stem.lower() in HOUSEKEEPING


def format_of_named(path: Path) -> Format | None:
    """The format of a file that was named explicitly, which may have any name.

    Args:
        path: A file.

    Returns:
        Its format by name, else by its first bytes; ``None`` if neither says what it is.

    Raises:
        OSError: If it cannot be read.
    """
    found = format_of(path)
    if found is not None:
        return found
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if _PDF in head:
        return Format.PDF
    if head.startswith(_ZIP):
        return Format.DOCX if _is_docx(path) else None
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return Format.HTML
    return Format.QASPER if start[:1] in (b"{", b"[", b"\x1f") and _is_qasper(path) else None


def _is_qasper(path: Path) -> bool:
    """Whether JSON holds papers with their sections, as QASPER has them."""
    import gzip

    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    with gzip.open(path, "rb") if packed else path.open("rb") as file:
        head = file.read(_DATA_HEAD)
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return start in (b"{", b"[") and b'"full_text"' in head and b'"section_name"' in head


def _is_docx(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return _DOCX_MEMBER in archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError):
        return False
