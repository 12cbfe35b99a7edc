"""What stands beside a line: cells of a table row, pieces of one line such as subscripts, a figure."""

from __future__ import annotations

from collections.abc import Sequence

from vectree.ingest.layout.body import BodyText
from vectree.ingest.parse import Line
from vectree.ingest.rows import Row

_SAME_BASELINE = 0.45
_WIDE = 0.8
_LONG_TEXT = 20
_COVERED_ROWS = 4
_SAME_EDGE = 2.0


def share_baseline(one: Line, other: Line) -> bool:
    """Whether two lines stand at the same height.

    Args:
        one: A line.
        other: Another of the same page.

    Returns:
        True within half the height of the smaller one, so that raised and lowered pieces count.
    """
    height = min(one.box.height, other.box.height) or 1.0
    return (
        abs(one.box.y1 - other.box.y1) < _SAME_BASELINE * height and abs(one.box.y0 - other.box.y0) < height
    )


def in_one_row(line: Line, other: Line | None, body: BodyText) -> bool:
    """Whether another line is part of the same row, and not running text of another column.

    Args:
        line: A line.
        other: A neighbour in reading order, if there is one.
        body: What running text looks like.

    Returns:
        True for cells of one table row and for pieces of one line.
    """
    if other is None or not share_baseline(line, other):
        return False
    apart = line.column != other.column and min(line.column, other.column) >= 0
    return not (apart or runs_wide(other, body))


def runs_wide(line: Line, body: BodyText) -> bool:
    """Whether a line is running text that fills its column.

    Args:
        line: A line.
        body: What running text looks like.

    Returns:
        True for body type over most of the usual width.
    """
    return body.carries(line) and line.box.width > _WIDE * body.width


def in_figure(rows: Sequence[Row], place: int, body: BodyText) -> bool:
    """Whether a row belongs to a figure, and not to text that the figure's region happens to cover.

    Regions of images can be larger than what is seen of them; where running text lies inside one, it is text.

    Args:
        rows: Rows of the page.
        place: Position of the row.
        body: What running text looks like.

    Returns:
        True for words inside a figure.
    """
    if not rows[place].line.in_figure:
        return False
    near = rows[place : place + _COVERED_ROWS]
    if any(row.line.in_figure and runs_wide(row.line, body) and len(row.text) > _LONG_TEXT for row in near):
        return False
    return not (len(near) > 1 and _heads(rows[place].line, near[1].line, body))


def _heads(line: Line, below: Line, body: BodyText) -> bool:
    """Whether a line stands right above a paragraph at its left edge."""
    return (
        runs_wide(below, body)
        and abs(below.box.x0 - line.box.x0) < _SAME_EDGE
        and 0 < below.box.y0 - line.box.y0 < 2 * line.box.height
    )
