"""Which pages to read: from matching sections, most promising first, at most five (Appendix F)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vectree.agent.payloads.section_hits import FoundSection

MAX_PAGES = 5
"""Appendix F: never more than five pages without synthesizing first."""

_BACK_MATTER = re.compile(
    r"(?:^|> )[\dIVX.\s]*(?:references?|bibliography|literature cited|works cited|acknowledge?ments?|funding|"
    r"author contributions?|competing interests?|conflicts? of interest|declarations?|data availability|"
    r"supplementary (?:data|material|information)|contents|table of contents)\b",
    re.IGNORECASE,
)


def choose_pages(sections: Sequence[FoundSection], limit: int = MAX_PAGES) -> tuple[int, ...]:
    """Choose pages in turns: the likeliest of each section, then the second likeliest, and so on.

    Args:
        sections: Matching sections, best first.
        limit: Most pages.

    Returns:
        Distinct pages, most promising first; empty if there are no sections.
    """
    body = [section for section in sections if not _BACK_MATTER.search(section.path)] or list(sections)
    ordered = [_pages_of(section) for section in body]
    chosen: dict[int, None] = {}
    for turn in range(max(map(len, ordered), default=0)):
        for pages in ordered:
            if turn < len(pages):
                chosen.setdefault(pages[turn])
            if len(chosen) == limit:
                return tuple(chosen)
    return tuple(chosen)


def _pages_of(section: FoundSection) -> list[int]:
    """The likely pages; where none are known, the first pages of the range."""
    return list(section.likely) if section.likely else list(_first(iter(section.pages), 2))


def _first(pages: Iterator[int], count: int) -> Iterator[int]:
    for _, page in zip(range(count), pages, strict=False):
        yield page
