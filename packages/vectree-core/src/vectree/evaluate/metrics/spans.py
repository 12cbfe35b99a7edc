"""Which pages a passage spans: it inherits every one of them as evidence (§4.3)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence


def pages_spanned(starts: Sequence[int], start: int, end: int) -> range:
    """Find the pages that a stretch of a document's text touches.

    Args:
        starts: Offset in the document's text at which each page begins, ascending; the first is 0. A page
            without text begins where the next one does, and is spanned by nothing.
        start: Offset of the stretch's first character.
        end: Offset after its last character.

    Returns:
        Page numbers from 1; empty for an empty stretch. Text between two pages (a separator) belongs to the
        page before it.
    """
    if end <= start or not starts:
        return range(0)
    first = bisect_right(starts, start)
    last = bisect_left(starts, end)
    return range(max(first, 1), max(last, 1) + 1)
