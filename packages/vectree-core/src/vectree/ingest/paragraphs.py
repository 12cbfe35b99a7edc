"""Whether a line goes on with the paragraph above it."""

from __future__ import annotations

import re

from vectree.ingest.layout.body import BodyText
from vectree.ingest.parse import Line

_SENTENCE_END = (".", "!", "?", ":", ".”", '."', ".)", "。")
_ITEM = re.compile(r"^(?:[•▪◦‣●○■–—-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|\[\d{1,3}\])\s")
_INDENT = 0.6
_SHORT = 0.8


def continues(above: Line, line: Line, body: BodyText) -> bool:
    """Decide whether two lines in reading order belong to one paragraph.

    Args:
        above: The last line of the paragraph so far.
        line: The next line.
        body: What running text looks like.

    Returns:
        True if a reader would read on without a pause.
    """
    if above.hyphen:
        return True
    if abs(above.size - line.size) > 1.1 or (
        above.bold != line.bold and above.box.width < _SHORT * body.width
    ):
        return False
    ended = above.text.endswith(_SENTENCE_END)
    if line.box.y0 <= above.box.y0 or _elsewhere(above, line):
        return not ended and (line.text[:1].islower() or above.box.width > _SHORT * body.width)
    if line.box.y0 - above.box.y1 > max(body.gap, 0.0) + 0.55 * line.size:
        return False
    if _ITEM.match(line.text) and (ended or above.box.width < _SHORT * body.width):
        return False
    shifted = line.box.x0 - above.box.x0
    if ended and abs(shifted) > _INDENT * line.size:
        return False
    return not (ended and above.box.width < _SHORT * body.width and not line.text[:1].islower())


def _elsewhere(above: Line, line: Line) -> bool:
    """Whether a line stands in another column."""
    return line.box.x0 > above.box.x1 or above.box.x0 > line.box.x1


def cell_gap(left: Line, right: Line) -> bool:
    """Whether the space between two pieces of a row is that between cells, not that between words.

    Args:
        left: A piece.
        right: The piece after it on the same baseline.

    Returns:
        True for more than about one and a half letters' width, or for a step back.
    """
    return not -left.size < right.box.x0 - left.box.x1 < 1.2 * left.size


def touches(left: Line, right: Line) -> bool:
    """Whether two pieces of a row stand without a space between them, as a letter and its subscript do.

    Args:
        left: A piece.
        right: The piece after it on the same baseline.

    Returns:
        True for less than a tenth of the font size between them.
    """
    return right.box.x0 - left.box.x1 < 0.1 * left.size
