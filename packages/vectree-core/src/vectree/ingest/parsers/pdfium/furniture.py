"""Running heads, footers, page numbers and margin text: on the page, but not part of what it says.

Three signs, each from the document as a whole: the same words at the edge of page after page; numbers there
that count the pages; and, once these have shown where the running head stands, whatever else stands in
that very place, since a head that names the section changes with it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Protocol

from vectree.ingest.parsers.pdfium.fragment import Fragment

EDGE_BAND = 0.12
"""Part of the page height at top and bottom where furniture stands."""

OUTER_BAND = 0.2
"""Part of the page height in which the outermost line may be furniture on a page with wide margins."""

ISOLATION = 1.9
"""The outermost line is set off if the next one is this many font sizes away, top to top."""

SIDE_BAND = 0.09
"""Part of the page width at either side that is margin."""

FEWEST_LETTERS = 3
"""Shorter lines repeat by chance: panel letters, ticks of an axis."""

PLACE_SHARE = 0.4
FEWEST_PLACES = 4
"""A place is that of the running head if furniture stands there on this share of the pages."""

MOST_PLACE_LENGTH = 90

NUMBER_SHARE = 0.15
"""Numbers count the pages if they do so on this share of them; small roman ones, on two pages."""

PLACE_TOLERANCE = 4.0

_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
_PAGE_NUMBER = re.compile(
    r"(?:page|seite|p\.|s\.)?[\s|–—-]*(?P<number>\d{1,5}|[ivxlc]{1,8})[\s|–—-]*(?:(?:of|/|von|de)\s*\d{1,5})?",
    re.IGNORECASE,
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


class Laid(Protocol):
    """A page with its size and lines."""

    @property
    def width(self) -> float:
        """Displayed width in points."""
        ...

    @property
    def height(self) -> float:
        """Displayed height in points."""
        ...

    @property
    def lines(self) -> list[Fragment]:
        """Lines in reading order."""
        ...


def mark_furniture(pages: Sequence[Laid]) -> None:
    """Mark what stands at the edge of pages and belongs to none of them.

    In a document of nothing but such lines, none is marked: then they are its text.

    Args:
        pages: All pages of a document; ``furniture`` of their lines is filled in.
    """
    edges = [list(_at_edge(page)) for page in pages]
    _mark_repeated(edges)
    _mark_numbers(edges)
    _mark_margins(pages, edges)
    _mark_places(pages, edges)
    lines = [line for page in pages for line in page.lines]
    if all(line.furniture for line in lines):
        for line in lines:
            line.furniture = False


def repeats_needed(pages: int) -> float:
    """On how many pages a line must stand at the edge to count as furniture.

    Args:
        pages: Number of pages of the document.

    Returns:
        A quarter of the pages, but from 3 to 8; 2 in documents of up to three pages.
    """
    return max(3.0, min(pages / 4, 8.0)) if pages > 3 else 2.0


def _at_edge(page: Laid) -> Iterator[Fragment]:
    """Lines in the bands at the edges, and the outermost lines of a page with wide margins."""
    top, bottom = EDGE_BAND * page.height, (1 - EDGE_BAND) * page.height
    left, right = SIDE_BAND * page.width, (1 - SIDE_BAND) * page.width
    outermost = _set_off(page)
    for line in page.lines:
        x0, y0, x1, y1 = line.rect
        if y1 < top or y0 > bottom or x1 < left or x0 > right or any(line is other for other in outermost):
            yield line


def _set_off(page: Laid) -> list[Fragment]:
    """The topmost and the lowest line, each if it stands apart from the next."""
    lines = sorted((line for line in page.lines if line.level), key=lambda line: line.rect[1])
    found: list[Fragment] = []
    for ordered, limit in ((lines, OUTER_BAND), (lines[::-1], 1 - OUTER_BAND)):
        if not ordered:
            continue
        first = ordered[0]
        row = [line for line in ordered if abs(line.rect[1] - first.rect[1]) <= 0.5 * first.size]
        inside = (first.rect[1] < limit * page.height) == (limit < 0.5)
        gap = abs(ordered[len(row)].rect[1] - first.rect[1]) if len(row) < len(ordered) else 0.0
        if inside and gap > ISOLATION * max(first.size, 4.0):
            found += row
    return found


def _mark_repeated(edges: list[list[Fragment]]) -> None:
    """Lines that stand at the edge of several pages, whatever numbers are in them."""
    seen: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    for number, lines in enumerate(edges):
        for line in lines:
            seen[_key(line)].add(number)
    need = repeats_needed(len(edges))
    for lines in edges:
        for line in lines:
            key = _key(line)
            line.furniture |= len(seen[key]) >= need and len(_LETTER.findall(key[0])) >= FEWEST_LETTERS


def _key(line: Fragment) -> tuple[str, int]:
    """The line with its numbers made alike, and its size: a heading may have the words of a running head."""
    return _DIGITS.sub("#", line.text), round(line.size)


def _mark_numbers(edges: list[list[Fragment]]) -> None:
    """Numbers that count the pages: as far from the physical page, in the same place, on several pages."""
    found = [
        ((number - page, round(line.rect[1] / PLACE_TOLERANCE)), line)
        for page, lines in enumerate(edges)
        for line in lines
        if line.level and (number := page_number(line.text)) is not None
    ]
    support = Counter(sign for sign, _ in found)
    least = 2 if len(edges) > 2 else 1
    need = max(least, NUMBER_SHARE * len(edges))
    for sign, line in found:
        line.furniture |= support[sign] >= (least if line.text.islower() else need)


def page_number(text: str) -> int | None:
    """The page number a line consists of.

    Args:
        text: A line.

    Returns:
        Its value, arabic or roman; ``None`` if the line is anything else.
    """
    match = _PAGE_NUMBER.fullmatch(text)
    if match is None:
        return None
    digits = match.group("number").casefold()
    if digits.isdecimal():
        return int(digits)
    values = [_ROMAN[digit] for digit in digits]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)


def _mark_margins(pages: Sequence[Laid], edges: list[list[Fragment]]) -> None:
    """Text turned on its side in the outer margin: repository stamps, download notes."""
    for page, lines in zip(pages, edges, strict=True):
        left, right = SIDE_BAND * page.width, (1 - SIDE_BAND) * page.width
        for line in lines:
            if not line.level and (line.rect[2] < left or line.rect[0] > right):
                line.furniture = True


def _mark_places(pages: Sequence[Laid], edges: list[list[Fragment]]) -> None:
    """Whatever stands where the running head stands on most pages."""
    apart = [_set_off(page) for page in pages]
    places: Counter[tuple[int, int]] = Counter()
    for lines, outermost in zip(edges, apart, strict=True):
        places.update({_place(line) for line in [*lines, *outermost] if line.furniture and line.level})
        places.update({_place(line) for line in outermost if not line.furniture})
    need = max(FEWEST_PLACES, PLACE_SHARE * len(edges))
    usual = {place for place, count in places.items() if count >= need}
    for lines, outermost in zip(edges, apart, strict=True):
        for line in [*lines, *outermost]:
            if line.level and len(line.text) <= MOST_PLACE_LENGTH and _place(line) in usual:
                line.furniture = True


def _place(line: Fragment) -> tuple[int, int]:
    """Height on the page and font size."""
    return round(line.rect[1] / PLACE_TOLERANCE), round(line.size)
