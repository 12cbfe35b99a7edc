"""Captions: where they start, how far they go, and whether they name a figure or a table."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vectree.ingest.parsers.pdfium.fragment import Fragment
from vectree.ingest.parsers.pdfium.geometry import Rect, union

MAX_CAPTION = 2_000
MAX_LINES = 40
LEADING = 1.9
"""Caption lines follow one another within this many font sizes, top to top."""

APART = 1.6
"""A caption set in the font of running text starts at least this many font sizes below the line above."""

_START = re.compile(
    r"""(?:(?:extended\ data|supplementa(?:ry|l)|supporting|online|appendix)\s+)?
        (?:(?P<figure>fig(?:ure)?|scheme|chart|plate|graph|exhibit|abb(?:ildung)?|figura|gráfico)
          |(?P<table>table|tab|box|algorithm|listing|tabelle|tableau|tabla))
        (?:\.\s{0,3}|\s{1,3})(?:[A-Z]{1,2}[.-]?\s?)?\d{1,3}(?:[.-]\d{1,3})*[A-Za-z]?\b
        (?P<rest>.*)$""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_ELSEWHERE = re.compile(
    r"(?:legend|caption)s? (?:is |are )?(?:continued )?on (?:the )?(?:previous|next|following|opposite) page",
    re.IGNORECASE,
)
_SET_OFF = re.compile(r"\s*[.:|–—-]")
_CLOSED = re.compile(r"\s*(?:[.:|)\]–—-]|$|\(?(?:continued|cont))", re.IGNORECASE)
_CAPITAL = re.compile(r"\s+[^\W\d_a-z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """A caption on a page.

    Attributes:
        text: Its words on one line.
        label: What it calls its figure, lower case: ``"fig. 3"``.
        rect: Its place.
        start: Index of its first line among the page's lines.
        stop: One past its last line.
        column: Column of its first line.
        is_table: Whether it names a table, box, algorithm or listing: things made of text.
        is_set_off: Whether a full stop, colon, bar or dash follows the number.
    """

    text: str
    label: str
    rect: Rect
    start: int
    stop: int
    column: int
    is_table: bool
    is_set_off: bool


def find_captions(lines: list[Fragment]) -> list[Caption]:
    """Find the captions of a page.

    Args:
        lines: Lines of the page in reading order.

    Returns:
        Captions in reading order.
    """
    found: list[Caption] = []
    for start, line in enumerate(lines):
        match = _START.match(line.text)
        if match is None or line.furniture or not _is_start(lines, start, match.group("rest")):
            continue
        stop = _stop(lines, start)
        rect = line.rect
        for other in lines[start + 1 : stop]:
            rect = union(rect, other.rect)
        caption = Caption(
            text=_join(lines[start:stop]),
            label=line.text[: match.start("rest")].casefold(),
            rect=rect,
            start=start,
            stop=stop,
            column=line.column,
            is_table=match.group("table") is not None,
            is_set_off=_SET_OFF.match(match.group("rest")) is not None,
        )
        found.append(caption)
    return found


def _is_start(lines: list[Fragment], start: int, rest: str) -> bool:
    """Whether "Figure 3 ..." opens a caption and not a sentence that runs on from the line above."""
    line = lines[start]
    if line.lead is not None or line.face.bold_name or not line.prose:
        return True
    above = lines[start - 1] if start else None
    attached = (
        above is not None
        and above.column == line.column
        and 0 <= line.rect[1] - above.rect[1] < APART * line.size
        and above.prose
    )
    return not attached and bool(_CLOSED.match(rest) or _CAPITAL.match(rest))


def _stop(lines: list[Fragment], start: int) -> int:
    """One past the last line of a caption: lines below one another in one size, up to a gap."""
    stop = start + 1
    while stop < len(lines) and stop - start < MAX_LINES:
        above, line = lines[stop - 1], lines[stop]
        step = line.rect[1] - above.rect[1]
        beside = min(line.rect[2], above.rect[2]) > max(line.rect[0], above.rect[0])
        same_line = abs(step) <= 0.5 * line.size
        if not same_line and not (beside and 0 < step <= LEADING * max(above.size, 4.0)):
            break
        if abs(line.size - above.size) > 0.7 or _START.match(line.text) or line.furniture:
            break
        stop += 1
    return stop


def points_elsewhere(caption: str) -> bool:
    """Whether a caption only says that it is printed on another page.

    Args:
        caption: A caption.

    Returns:
        True for "(See legend on previous page.)" and its like.
    """
    return _ELSEWHERE.search(caption) is not None


def _join(lines: list[Fragment]) -> str:
    """Lines as one, broken words mended."""
    text = "".join(line.text if line.hyphen else f"{line.text} " for line in lines)
    return text[:MAX_CAPTION].strip()
