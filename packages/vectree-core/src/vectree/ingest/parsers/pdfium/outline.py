"""What a PDF says about itself: bookmarks, page labels, the fields of its information dictionary."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from vectree.ingest.parse import Bookmark
from vectree.ingest.parsers.pdfium.native import raw
from vectree.normal import clean

MAX_DEPTH = 12
MAX_BOOKMARKS = 10_000
MAX_TITLE = 1_000
MAX_LABEL = 40
MAX_INFO = 4_000
MAX_BYTES = 1 << 20
"""A longer string in the file is passed over."""

_TERMINATOR = 2
_INFO_KEYS = {
    "title": b"Title",
    "author": b"Author",
    "subject": b"Subject",
    "keywords": b"Keywords",
}


def tidy(text: str, most: int) -> str:
    """Make a string from a file safe to store: no surrogates, no control characters, bounded.

    Args:
        text: As stored in the file.
        most: Characters kept.

    Returns:
        The text on one line.
    """
    kept = "".join(char for char in clean(text[: 2 * most]) if char.isprintable() or char in " \n\r")
    return " ".join(kept.split())[:most]


def read_bookmarks(document: Any, pages: int) -> tuple[Bookmark, ...]:
    """The outline, depth first; cycles, depth and number are bounded.

    Args:
        document: PDFium's document.
        pages: Number of pages; targets beyond it point nowhere.

    Returns:
        Bookmarks as stored, uncleaned but safe.
    """
    found: list[Bookmark] = []
    seen: set[int] = set()
    waiting: list[tuple[Any, int]] = [(raw.FPDFBookmark_GetFirstChild(document, None), 1)]
    while waiting and len(found) < MAX_BOOKMARKS:
        entry, level = waiting.pop()
        if not entry or ctypes.addressof(entry.contents) in seen:
            continue
        seen.add(ctypes.addressof(entry.contents))
        title = _wide_text(lambda buffer, size, entry=entry: raw.FPDFBookmark_GetTitle(entry, buffer, size))
        found.append(
            Bookmark(title=tidy(title, MAX_TITLE), page=_target(document, entry, pages), level=level)
        )
        waiting.append((raw.FPDFBookmark_GetNextSibling(document, entry), level))
        if level < MAX_DEPTH:
            waiting.append((raw.FPDFBookmark_GetFirstChild(document, entry), level + 1))
    return tuple(found)


def _target(document: Any, entry: Any, pages: int) -> int | None:
    """The physical page a bookmark points at."""
    target = raw.FPDFBookmark_GetDest(document, entry)
    index = int(raw.FPDFDest_GetDestPageIndex(document, target)) if target else -1
    return index + 1 if 0 <= index < pages else None


def read_info(document: Any) -> dict[str, str]:
    """Title, author, subject, keywords and creation date, where present.

    Args:
        document: PDFium's document.

    Returns:
        Non-empty fields.
    """
    found: dict[str, str] = {}
    for name, key in _INFO_KEYS.items():
        value = _wide_text(lambda buffer, size, key=key: raw.FPDF_GetMetaText(document, key, buffer, size))
        if text := tidy(value, MAX_INFO):
            found[name] = text
    return found


def read_label(document: Any, number: int) -> str | None:
    """The printed label of a page.

    Args:
        document: PDFium's document.
        number: Physical page, from 1.

    Returns:
        The label, if there is one that differs from the number.
    """
    label = _wide_text(lambda buffer, size: raw.FPDF_GetPageLabel(document, number - 1, buffer, size))
    tidied = tidy(label, MAX_LABEL)
    return tidied if tidied and tidied != str(number) else None


def _wide_text(ask: Callable[[Any, int], int]) -> str:
    """A string from one of PDFium's functions that fill a buffer with UTF-16; broken pairs are dropped."""
    size = int(ask(None, 0))
    if not _TERMINATOR < size <= MAX_BYTES:
        return ""
    buffer = ctypes.create_string_buffer(size)
    ask(buffer, size)
    return buffer.raw[: size - _TERMINATOR].decode("utf-16-le", "ignore")
