"""Sentences for the report: what a reader of this document's record should know about its pages."""

from __future__ import annotations

from collections.abc import Iterable

from vectree.document import TextStatus
from vectree.ingest.parsers.pdfium.page import ReadPage

HIDDEN_NOTEWORTHY = 0.02
"""Share of invisible text on a page from which the reader is told."""

_SENTENCES = {
    TextStatus.SCAN: "No text layer on {pages} (scanned): readable only by OCR, kept as an image.",
    TextStatus.OCR_LAYER: "The text of {pages} comes from OCR and may hold reading errors.",
    TextStatus.GARBLED: "The text of {pages} may be garbled: its codes do not look like letters.",
}


def document_warnings(pages: list[ReadPage]) -> list[str]:
    """What to tell about the text of a document.

    Args:
        pages: All pages.

    Returns:
        At most one sentence for each kind of trouble, naming the pages.
    """
    sentences: list[str] = []
    for status, sentence in _SENTENCES.items():
        numbers = [page.number for page in pages if page.status is status]
        if numbers:
            sentences.append(sentence.format(pages=page_list(numbers)))
    cut = [page.number for page in pages if page.truncated]
    if cut:
        sentences.append(f"More characters than are kept on {page_list(cut)}; the rest was left out.")
    hidden = [
        page.number
        for page in pages
        if page.hidden_share >= HIDDEN_NOTEWORTHY and page.status is not TextStatus.OCR_LAYER
    ]
    if hidden:
        sentences.append(f"Text that a reader of the page cannot see on {page_list(hidden)}.")
    return sentences


def unread_warning(number: int, reason: str) -> str:
    """What to tell about a page that could not be read.

    Args:
        number: Physical page, from 1.
        reason: What went wrong.

    Returns:
        A sentence.
    """
    return f"Page {number} could not be read and is kept as an empty page: {reason.rstrip('.')}."


def page_list(numbers: Iterable[int]) -> str:
    """Name pages briefly.

    Args:
        numbers: Physical pages in ascending order.

    Returns:
        Such as ``"page 3"`` or ``"pages 1-4, 9"``.
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    parts = [str(first) if first == last else f"{first}-{last}" for first, last in runs]
    return f"{'page' if len(parts) == 1 and '-' not in parts[0] else 'pages'} {', '.join(parts)}"
