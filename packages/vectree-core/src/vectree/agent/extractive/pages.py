"""Which pages to read: those that come near the best one, at most five (Appendix F)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vectree.agent.payloads.section_hits import FoundSection

MAX_PAGES = 5
"""Appendix F: never more than five pages without synthesizing first."""

CLOSE_PERCENT = 70
"""A page that comes this near to the best one is read with it. On QASPER (train, 250 questions) the F1 of the
pages read is 0.303 at 70, 0.300 at 80, and 0.261 for the best page alone."""

WIDER_PERCENT = 50
"""How near the pages come that are read if those do not cover the question."""

_LIKELY_WITHOUT_LIST = 2

_BACK_MATTER = re.compile(
    r"(?:^|> )[\dIVX.\s]*(?:references?|bibliography|literature cited|works cited|acknowledge?ments?|funding|"
    r"author contributions?|competing interests?|conflicts? of interest|declarations?|data availability|"
    r"supplementary (?:data|material|information)|contents|table of contents)\b",
    re.IGNORECASE,
)


def rank_pages(sections: Sequence[FoundSection]) -> tuple[tuple[int, int], ...]:
    """Bring the pages of matching sections into one order.

    Args:
        sections: Matching sections, best first.

    Returns:
        Distinct pages with their percentage of the best, best first. Where no percentages are known the
        sections take turns, the likeliest page of each first, and all count as best.
    """
    body = [section for section in sections if not _BACK_MATTER.search(section.path)] or list(sections)
    if all(len(section.percent) == len(section.likely) for section in body if section.likely) and any(
        section.likely for section in body
    ):
        pairs = [pair for section in body for pair in zip(section.likely, section.percent, strict=True)]
        ranked = sorted(pairs, key=lambda pair: -pair[1])
    else:
        ranked = [(page, 100) for page in _in_turns([_pages_of(section) for section in body])]
    best: dict[int, int] = {}
    for page, percent in ranked:
        best.setdefault(page, percent)
    return tuple(best.items())


def close_pages(
    ranked: Sequence[tuple[int, int]], limit: int = MAX_PAGES, *, within: int = CLOSE_PERCENT
) -> tuple[int, ...]:
    """Choose the pages that come near the best one.

    Args:
        ranked: Pages with percentages, best first.
        limit: Most pages.
        within: How near, in percent.

    Returns:
        Pages, best first.
    """
    if not ranked:
        return ()
    floor = ranked[0][1] * within / 100
    return tuple(page for page, percent in ranked[:limit] if percent >= floor)


def _in_turns(lists: Sequence[Sequence[int]]) -> list[int]:
    """The first of each list, then the second of each, and so on."""
    longest = max(map(len, lists), default=0)
    return [pages[turn] for turn in range(longest) for pages in lists if turn < len(pages)]


def _pages_of(section: FoundSection) -> list[int]:
    """The likely pages; where none are known, the first pages of the range."""
    return list(section.likely) or list(section.pages)[:_LIKELY_WITHOUT_LIST]
