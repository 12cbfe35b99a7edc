"""Characters to lines: where a line ends, where a column gap was read over, what its leading run is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from vectree.ingest.parsers.pdfium.fragment import Fragment, Lead
from vectree.ingest.parsers.pdfium.geometry import Rect, union
from vectree.ingest.parsers.pdfium.glyphs import HYPHEN, Glyphs, Style

COLUMN_GAP = 1.8
"""A gap wider than this many line heights inside a line separates two columns."""

BASELINE_JUMP = 1.2
"""A jump of more than this many line heights inside a line starts another line."""

BACKWARD_JUMP = 4.0
"""Going back by more than this many line heights inside a line starts another line."""

NARROW = 1.5
"""Letters around a space that start at most this many font sizes apart need no closer look."""

LARGEST = 16.0
"""A larger first letter, set to drop into the text, says nothing about the line's spaces."""

_BREAK = re.compile(rf"[\r\n{HYPHEN}]")
_SPACE = re.compile(r"(?<=[^\s\0]) (?=[^\s\0])")
_WORD = re.compile(r"[^\s\0]+")
_SHORTEST_WITH_LEAD = 6
_LEAD_SHARE = 0.5


def read_lines(glyphs: Glyphs) -> list[Fragment]:
    """Cut a page's characters into lines, in the order of the file.

    Args:
        glyphs: The characters of the page.

    Returns:
        Lines with text, box, fonts and hyphen mark.
    """
    return [
        line
        for start, end, hyphen in _spans(glyphs)
        if (line := _line(glyphs, start, end, hyphen)) is not None
    ]


def _spans(glyphs: Glyphs) -> Iterator[tuple[int, int, bool]]:
    """Start, end and hyphen mark of every line."""
    start = 0
    for match in _BREAK.finditer(glyphs.chars):
        end = match.start()
        if end > start:
            yield from _pieces(glyphs, start, end, match.group() == HYPHEN)
        start = match.end()
    yield from _pieces(glyphs, start, len(glyphs.chars), False)


def _pieces(glyphs: Glyphs, start: int, end: int, hyphen: bool) -> Iterator[tuple[int, int, bool]]:
    """A line, cut where PDFium read over from one column into another."""
    narrow = NARROW * min(max(glyphs.style(start).size, 1.0), LARGEST)
    for match in _SPACE.finditer(glyphs.chars, start, end):
        space = match.start()
        if not start < space < end - 1 or glyphs.stride(space - 1, space + 1) <= narrow:
            continue
        if _is_gap(glyphs, space):
            yield start, space, False
            start = match.end()
    if start < end:
        yield start, end, hyphen


def _is_gap(glyphs: Glyphs, space: int) -> bool:
    """Whether a space stands for a jump to another column or line."""
    before, after = glyphs.rect(space - 1), glyphs.rect(space + 1)
    if before is None or after is None:
        return False
    height = max(before[3] - before[1], 1.0)
    return (
        after[0] - before[2] > COLUMN_GAP * height
        or after[0] < before[0] - BACKWARD_JUMP * height
        or abs(after[1] - before[1]) > BASELINE_JUMP * height
    )


def _line(glyphs: Glyphs, start: int, end: int, hyphen: bool) -> Fragment | None:
    """A line from a span; ``None`` if nothing visible is in it."""
    text = glyphs.text(start, end)
    words = [match.span() for match in _WORD.finditer(glyphs.chars, start, end)]
    if not text or not words:
        return None
    samples = _samples(words)
    rects = [rect for rect in map(glyphs.rect, samples) if rect is not None]
    if not rects:
        return None
    styles = [glyphs.style(index) for index in samples]
    main = _majority(styles)
    return Fragment(
        text=text,
        rect=_hull(rects),
        size=main.size,
        face=main.face,
        faces=tuple(style.face for style in styles),
        hyphen=hyphen,
        level=main.level,
        hidden=sum(style.hidden for style in styles) / len(styles),
        lead=_lead(glyphs, words, styles) if len(text) > _SHORTEST_WITH_LEAD else None,
    )


def _samples(words: list[tuple[int, int]]) -> tuple[int, ...]:
    """The first, a middle and the last visible character."""
    first, last = words[0][0], words[-1][1] - 1
    middle = (first + last) // 2
    middle = next(max(start, middle) for start, end in words if end > middle)
    return tuple(sorted({first, middle, last}))


def _hull(rects: list[Rect]) -> Rect:
    """The union of all."""
    hull = rects[0]
    for rect in rects[1:]:
        hull = union(hull, rect)
    return hull


def _majority(styles: list[Style]) -> Style:
    """The style two samples share, else the middle one's."""
    for first, second in pairwise([*styles, styles[0]]):
        if first is second or first == second:
            return first
    return styles[len(styles) // 2]


def _lead(glyphs: Glyphs, words: list[tuple[int, int]], styles: list[Style]) -> Lead | None:
    """The words at the start of the line that share its first font, if the line ends in another one."""
    first, last = styles[0].face, styles[-1].face
    if first == last:
        return None
    stop = words[0][0]
    for start, end in words:
        alike = sum(glyphs.style(index).face == first for index in range(start, end))
        if alike < _LEAD_SHARE * (end - start):
            break
        stop = end
    text = glyphs.text(words[0][0], stop)
    return Lead(text=text, size=styles[0].size, face=first) if text else None
