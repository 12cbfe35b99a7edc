"""Text of a document inside a prompt: quoted as data, between marks that it cannot close (C39)."""

from __future__ import annotations

from collections.abc import Sequence

from vectree.fence import fence_for


def quote_pages(pages: Sequence[tuple[int, str]]) -> str:
    """Quote pages.

    Args:
        pages: Physical page and its text.

    Returns:
        Each page between marks, its number before them.
    """
    mark = fence_for([text for _, text in pages])
    return "\n".join(f"page {number} <<{mark}\n{text}\n{mark}>>" for number, text in pages)


def quote(text: str) -> str:
    """Quote one text.

    Args:
        text: Any text of a document.

    Returns:
        The text between marks.
    """
    mark = fence_for([text])
    return f"<<{mark}\n{text}\n{mark}>>"
