"""Running heads that a count over the whole document does not settle.

A parser recognises lines that repeat through the document. Two kinds escape it. Heads that name the current
chapter or section repeat only for a while; they give themselves away by their place: the same height, type
and size on most pages, and words that come back within a few pages. And the heading of a section is taken
for a running head where later pages repeat its words; it gives itself away by larger or bolder type (field
case C04).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import median

from vectree.ingest.parse import Line, ParsedPage
from vectree.normal import match_key

_BAND = 0.14
_NEAR_PAGES = 6
_MIN_PAGES = 3
_MIN_SHARE = 0.15
_ESTABLISHED = 0.6
_SLOT_HEIGHT = 9.0
_SAME_LINE = 2.0
_LARGER = 1.12
_DIGITS = re.compile(r"\d+")

_Place = tuple[int, int]


def running_lines(pages: Sequence[ParsedPage]) -> frozenset[_Place]:
    """Running heads and feet of a document.

    Args:
        pages: All pages, lines in reading order.

    Returns:
        (page number, position in its lines): those the parser marked, less the mistaken ones, and those it
        missed.
    """
    marked = {
        (page.number, index) for page in pages for index, line in enumerate(page.lines) if line.furniture
    }
    return frozenset((marked - set(_mistaken(pages))) | set(_missed(pages)))


def _mistaken(pages: Sequence[ParsedPage]) -> Iterator[_Place]:
    """Marked lines set larger or bolder than the others of their words: the heading that those repeat."""
    groups: dict[str, list[tuple[_Place, Line]]] = defaultdict(list)
    for page in pages:
        for index, line in enumerate(page.lines):
            if line.furniture and (key := _key(line)):
                groups[key].append(((page.number, index), line))
    for members in groups.values():
        size = median(line.size for _, line in members)
        bold = sum(line.bold for _, line in members) > len(members) / 2
        loud = [place for place, line in members if line.size > _LARGER * size or (line.bold and not bold)]
        if len(loud) == 1 and len(members) > 1:
            yield loud[0]


def _missed(pages: Sequence[ParsedPage]) -> Iterator[_Place]:
    """Unmarked lines in a slot that is a running head's on most pages, or that repeat in it near by."""
    slots: dict[tuple[bool, str, float], list[_Place]] = defaultdict(list)
    largest = _LARGER * median([line.size for page in pages for line in page.lines] or [0.0])
    for page in pages:
        for index in _edge_lines(page):
            line = page.lines[index]
            if line.size > largest:
                continue  # "Study 1" and "Study 2" at the top of their pages are headings
            slots[line.box.y0 < page.height / 2, line.font, round(line.size * 2) / 2].append(
                (page.number, index)
            )
    for members in slots.values():
        middle = median(_line(pages, place).box.y0 for place in members)
        level = [place for place in members if abs(_line(pages, place).box.y0 - middle) < _SLOT_HEIGHT]
        if len({page for page, _ in level}) >= max(_MIN_PAGES, _MIN_SHARE * len(pages)):
            yield from _running(level, pages)


def _edge_lines(page: ParsedPage) -> list[int]:
    """The uppermost and lowest lines with what shares their baseline, and marked lines at the edges."""
    if len(page.lines) < 2:
        return []
    high, low = _BAND * page.height, (1 - _BAND) * page.height
    body = [line for line in page.lines if not line.furniture]
    top = min((line.box.y0 for line in body), default=high)
    foot = max((line.box.y1 for line in body), default=low)
    return [
        index
        for index, line in enumerate(page.lines)
        if (line.box.y0 < high and (line.furniture or line.box.y0 < top + _SAME_LINE))
        or (line.box.y1 > low and (line.furniture or line.box.y1 > foot - _SAME_LINE))
    ]


def _running(members: Sequence[_Place], pages: Sequence[ParsedPage]) -> list[_Place]:
    """Members of one slot that repeat near by; all of them if most do."""
    at: dict[str, set[int]] = defaultdict(set)
    worded: list[tuple[_Place, str]] = []
    for place in members:
        if key := _key(_line(pages, place)):
            at[key].add(place[0])
            worded.append((place, key))
    repeated = [
        place for place, key in worded if any(0 < abs(other - place[0]) <= _NEAR_PAGES for other in at[key])
    ]
    established = bool(worded) and len(repeated) >= _ESTABLISHED * len(worded)
    return [place for place, _ in worded] if established else repeated


def _line(pages: Sequence[ParsedPage], place: _Place) -> Line:
    return pages[place[0] - 1].lines[place[1]]


def _key(line: Line) -> str:
    return match_key(_DIGITS.sub("", line.text))
