"""The empty space around a caption, in which its figure must stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from vectree.ingest.parsers.pdfium.captions import LEADING, Caption
from vectree.ingest.parsers.pdfium.fragment import Fragment
from vectree.ingest.parsers.pdfium.geometry import Frame, Rect, overlap

LONG_NOTE = 60
"""Two consecutive lines of this many characters bound a zone even if they are not set like running text."""

OVERLAP = 0.25
"""Share of a line's width that must reach into a zone's columns for the line to bound it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Zones:
    """Where a caption's figure may stand: in each direction, the space up to the next running text.

    Attributes:
        above: Over the caption, as wide as its columns.
        below: Under it.
        left: Beside it, from the edge of what is printed.
        right: Likewise on the other side.
        narrow: Over the caption, no wider than itself: where text runs around figure and caption.
    """

    above: Rect
    below: Rect
    left: Rect
    right: Rect
    narrow: Rect


def find_zones(
    captions: list[Caption], lines: list[Fragment], drawn: Iterable[Rect], frame: Frame
) -> list[Zones]:
    """Find the zones of every caption of a page.

    Args:
        captions: Captions of the page.
        lines: Its lines in reading order.
        drawn: Places where something is drawn.
        frame: Its visible box.

    Returns:
        One entry a caption, in order.
    """
    barriers = _barriers(lines, list(drawn))
    extent = _text_extent(lines, frame)
    found: list[Zones] = []
    for caption in captions:
        blocked = [*barriers, *(other.rect for other in captions if other is not caption)]
        x0, y0, x1, y1 = caption.rect
        left, right = _span(caption, captions, lines, extent)
        above, below = _free_height(caption.rect, blocked, left, right, frame)
        narrow, _ = _free_height(caption.rect, blocked, x0, x1, frame)
        middle = (x0, (y0 + y1) / 2, x1, (y0 + y1) / 2)
        left_top, left_bottom = _free_height(middle, blocked, extent[0], x0, frame)
        right_top, right_bottom = _free_height(middle, blocked, x1, extent[1], frame)
        found.append(
            Zones(
                above=(left, above, right, y0),
                below=(left, y1, right, below),
                left=(extent[0], left_top, x0, left_bottom),
                right=(x1, right_top, extent[1], right_bottom),
                narrow=(x0, narrow, x1, y0),
            )
        )
    return found


def _barriers(lines: list[Fragment], drawn: list[Rect]) -> list[Rect]:
    """Lines that cannot be part of a figure: running text, and paragraphs in another font."""
    found = [line.rect for line in lines if line.prose]
    for above, line in pairwise(lines):
        if min(len(above.text), len(line.text)) < LONG_NOTE or not (above.level and line.level):
            continue
        together = above.size == line.size and 0 < line.rect[1] - above.rect[1] < LEADING * line.size
        if together and not any(overlap(line.rect, rect) > 0.0 for rect in drawn):
            found += [above.rect, line.rect]
    return found


def _text_extent(lines: Iterable[Fragment], frame: Frame) -> tuple[float, float]:
    """Left and right edge of what is printed."""
    inside = [line.rect for line in lines if line.level and not line.furniture]
    if not inside:
        return 0.0, frame.width
    return min(rect[0] for rect in inside), max(rect[2] for rect in inside)


def _span(
    caption: Caption, captions: list[Caption], lines: list[Fragment], extent: tuple[float, float]
) -> tuple[float, float]:
    """Left and right edge of the columns a caption belongs to."""
    left, right = extent
    if caption.column >= 0:
        column = [line.rect for line in lines if line.column == caption.column and line.level]
        left = min(rect[0] for rect in column)
        right = max(rect[2] for rect in column)
    for other in captions:
        beside = min(other.rect[3], caption.rect[3]) > max(other.rect[1], caption.rect[1])
        if other is caption or not beside:
            continue
        if other.rect[0] >= caption.rect[2]:
            right = min(right, (other.rect[0] + caption.rect[2]) / 2)
        elif other.rect[2] <= caption.rect[0]:
            left = max(left, (other.rect[2] + caption.rect[0]) / 2)
    return min(left, caption.rect[0]), max(right, caption.rect[2])


def _free_height(
    start: Rect, barriers: list[Rect], left: float, right: float, frame: Frame
) -> tuple[float, float]:
    """From the text above a place to the text below it, within the columns from left to right."""
    above, below = 0.0, frame.height
    for rect in barriers:
        shared = min(rect[2], right) - max(rect[0], left)
        if shared < OVERLAP * (rect[2] - rect[0]):
            continue
        if rect[3] <= start[1] + 2.0:
            above = max(above, rect[3])
        elif rect[1] >= start[3] - 2.0:
            below = min(below, rect[1])
    return above, below
