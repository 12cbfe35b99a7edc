"""Contents lists: which lines are entries, and what they promise.

An entry names a section, but the section does not start there (field case C04), so entries never count as
heading lines. What they say is still worth having: a line elsewhere with the same words is very likely that
section's heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from vectree.ingest.parse import Line

_LEADER_MARKS = ("..", ". .", "··", "· ·", "…", "__")
_PAGE_END = frozenset("0123456789ivxlc")
_LEADER_ENTRY = re.compile(
    r"^(?P<title>.*?[^\W_].*?)\s*(?:(?:[.·…_]\s?){3,}\s*(?P<page>\d{1,4}|[ivxlcIVXLC]{1,7}|[A-Z]-?\d{1,3})|(?:[.·…_]\s?){6,})$"
)
_TRAILING_PAGE = re.compile(r"^(?P<title>.*[^\W\d_].*)\s(?P<page>\d{1,4}|[ivxlc]{1,6})$")
_ONLY_PAGE = re.compile(r"^(?:[.·…_]\s?)*(?P<page>\d{1,4}|[ivxlc]{1,7})$")
_MIN_RUN = 3
_MIN_BARE_RUN = 4
_MAX_WRAP = 2
_SAME_BASELINE = 3.0
_MAX_PAGE_TEXT = 60
_MAX_ENTRY = 400


def contents_orders(lines: Sequence[Line]) -> frozenset[int]:
    """The positions of contents entries among the lines of a page.

    Entries are runs of lines that end in a page number after a leader, with the number on the same baseline
    to the right, or — in longer runs with rising numbers — after a space.

    Args:
        lines: A page's lines in reading order.

    Returns:
        Positions in ``lines``: entries, the lines their titles wrap over, and separate page numbers.
    """
    strong: dict[int, bool] = {}
    pages: dict[int, int] = {}
    for index, line in enumerate(lines):
        if line.furniture or len(line.text) > _MAX_ENTRY:
            continue
        leader = any(mark in line.text for mark in _LEADER_MARKS)
        if (leader and _LEADER_ENTRY.match(line.text)) or _number_to_the_right(lines, index):
            strong[index] = True
        elif line.text[-1:] in _PAGE_END and (match := _TRAILING_PAGE.match(line.text)):
            strong[index] = False
            pages[index] = _page_value(match["page"])
    found: set[int] = set()
    for run in _runs(sorted(strong)):
        good = [index for index in run if strong[index]]
        bare = [pages[index] for index in run if index in pages]
        if len(good) >= _MIN_RUN or (len(run) >= _MIN_BARE_RUN and _rising(bare)):
            found.update(range(run[0], run[-1] + 1))
            if run[-1] + 1 < len(lines) and _ONLY_PAGE.match(lines[run[-1] + 1].text):
                found.add(run[-1] + 1)
    return frozenset(found)


def contents_titles(texts: Iterable[str]) -> tuple[str, ...]:
    """What contents entries promise, without leaders and page numbers.

    Args:
        texts: Lines flagged as entries.

    Returns:
        Titles, with their numbers where they have any.
    """
    titles: list[str] = []
    for text in texts:
        if len(text) > _MAX_ENTRY:
            continue
        match = _LEADER_ENTRY.match(text) or _TRAILING_PAGE.match(text)
        title = match["title"] if match else text
        if any(letter.isalpha() for letter in title):
            titles.append(title.strip(" ._·…"))
    return tuple(titles)


def _number_to_the_right(lines: Sequence[Line], index: int) -> bool:
    if index + 1 >= len(lines) or len(lines[index + 1].text) > _MAX_PAGE_TEXT:
        return False
    here, after = lines[index].box, lines[index + 1].box
    level = abs(here.y0 - after.y0) < _SAME_BASELINE or abs(here.y1 - after.y1) < _SAME_BASELINE
    return (
        level
        and after.x0 > here.x1
        and _ONLY_PAGE.match(lines[index + 1].text) is not None
        and any(map(str.isalpha, lines[index].text))
    )


def _runs(indices: Sequence[int]) -> list[list[int]]:
    """Entries that follow each other, with at most two other lines (a wrap, a page number) between."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and index - runs[-1][-1] <= _MAX_WRAP + 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs


def _rising(pages: Sequence[int]) -> bool:
    """Whether page numbers never fall and do rise."""
    return (
        len(pages) >= _MIN_BARE_RUN
        and all(before <= after for before, after in pairwise(pages))
        and pages[-1] > pages[0]
    )


def _page_value(text: str) -> int:
    if text.isdigit():
        return int(text)
    values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
    numbers = [values[letter] for letter in text.lower()]
    pairs = zip(numbers, [*numbers[1:], 0], strict=True)
    return sum(-here if here < after else here for here, after in pairs)
