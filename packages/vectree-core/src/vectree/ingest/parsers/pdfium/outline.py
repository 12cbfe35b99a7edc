"""What a PDF says about itself: bookmarks, page labels, the fields of its information dictionary."""

from __future__ import annotations

from typing import Any

from vectree.ingest.parse import Bookmark
from vectree.ingest.parsers.pdfium.native import pdfium
from vectree.normal import clean

MAX_DEPTH = 12
MAX_BOOKMARKS = 10_000
MAX_TITLE = 1_000
MAX_LABEL = 40
MAX_INFO = 4_000

_INFO_KEYS = {
    "title": "Title",
    "author": "Author",
    "subject": "Subject",
    "keywords": "Keywords",
    "creation_date": "CreationDate",
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
    for entry in document.get_toc(max_depth=MAX_DEPTH):
        if len(found) >= MAX_BOOKMARKS:
            break
        title = tidy(entry.get_title(), MAX_TITLE)
        found.append(Bookmark(title=title, page=_target(entry, pages), level=int(entry.level) + 1))
    return tuple(found)


def _target(entry: Any, pages: int) -> int | None:
    """The physical page a bookmark points at."""
    try:
        target = entry.get_dest()
        index = target.get_index() if target is not None else None
    except pdfium.PdfiumError:
        return None
    return index + 1 if isinstance(index, int) and 0 <= index < pages else None


def read_info(document: Any) -> dict[str, str]:
    """Title, author, subject, keywords and creation date, where present.

    Args:
        document: PDFium's document.

    Returns:
        Non-empty fields.
    """
    values = {name: tidy(document.get_metadata_value(key), MAX_INFO) for name, key in _INFO_KEYS.items()}
    return {name: value for name, value in values.items() if value}


def read_label(document: Any, number: int) -> str | None:
    """The printed label of a page.

    Args:
        document: PDFium's document.
        number: Physical page, from 1.

    Returns:
        The label, if there is one that differs from the number.
    """
    label = tidy(document.get_page_label(number - 1), MAX_LABEL)
    return label if label and label != str(number) else None
