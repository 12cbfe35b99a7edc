"""From QASPER's evidence strings to synthetic pages.

Evidence is meant to be whole paragraphs, verbatim; about one string in twenty is not. In order, a string is
looked for as a paragraph, as a paragraph up to white space and punctuation, as a part of a paragraph or the
other way round, as a section's heading, and as the paragraph that shares most of its words.

A heading was usually selected along with paragraphs under it and then adds nothing; alone it stands for the
page its section begins on. Evidence marked ``FLOAT SELECTED`` points at a figure or table, which is no text:
it has no page, and a reference whose evidence is floats alone has no gold set.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from vectree.ingest.parsers.qasper.paper import QasperPaper, section_path
from vectree.normal import match_key
from vectree.words import words

FLOAT_MARK = "FLOAT SELECTED"

MIN_PART = 30
"""Letters and digits that a part of a paragraph must have to be recognised as such."""

MIN_SHARED = 0.7
"""Share of the words of a string that the most similar paragraph must hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedEvidence:
    """Where the evidence of one annotator stands.

    Attributes:
        pages: Synthetic pages, from 1.
        floats: Strings that point at figures or tables.
        unmapped: Strings found nowhere.
    """

    pages: frozenset[int]
    floats: int = 0
    unmapped: tuple[str, ...] = ()


class EvidenceMap:
    """Finds evidence in one paper.

    Args:
        paper: The paper.
    """

    def __init__(self, paper: QasperPaper) -> None:
        self._pages = [page for page in paper.pages if page.section >= 0]
        self._verbatim = {page.text: page.number for page in reversed(self._pages)}
        self._section_pages = _pages_by_path(paper)

    @cached_property
    def _keys(self) -> list[tuple[int, str]]:
        return [(page.number, match_key(page.text)) for page in self._pages]

    @cached_property
    def _by_key(self) -> dict[str, int]:
        return {key: number for number, key in reversed(self._keys)}

    @cached_property
    def _words(self) -> list[tuple[int, frozenset[str]]]:
        return [(page.number, frozenset(words(page.text))) for page in self._pages]

    def find(self, evidence: tuple[str, ...]) -> MappedEvidence:
        """Map the evidence of one annotator.

        Args:
            evidence: The strings as the benchmark has them.

        Returns:
            Pages, and how many strings have none.
        """
        floats = [text for text in evidence if is_float(text)]
        texts = [text for text in evidence if text.strip() and not is_float(text)]
        found: set[int] = set()
        headings: list[tuple[int, ...]] = []
        unmapped: list[str] = []
        for text in texts:
            if page := self._paragraph(text):
                found.add(page)
            elif under := self._section_pages.get(section_path(text)):
                headings.append(under)
            elif page := self._similar(text):
                found.add(page)
            else:
                unmapped.append(text)
        for under in headings:
            if not found.intersection(under):
                found.add(under[0])
        return MappedEvidence(pages=frozenset(found), floats=len(floats), unmapped=tuple(unmapped))

    def _paragraph(self, text: str) -> int | None:
        if text in self._verbatim:
            return self._verbatim[text]
        key = match_key(text)
        if key in self._by_key:
            return self._by_key[key]
        if len(key) >= MIN_PART:
            for number, paragraph in self._keys:
                if key in paragraph or (len(paragraph) >= MIN_PART and paragraph in key):
                    return number
        return None

    def _similar(self, text: str) -> int | None:
        sought = frozenset(words(text))
        if not sought:
            return None
        shared = [(len(sought & held) / len(sought), -number) for number, held in self._words]
        share, number = max(shared, default=(0.0, 0))
        return -number if share >= MIN_SHARED else None


def is_float(evidence: str) -> bool:
    """Whether an evidence string points at a figure or table.

    Args:
        evidence: The string.

    Returns:
        True if it carries the benchmark's mark.
    """
    return FLOAT_MARK in evidence


def _pages_by_path(paper: QasperPaper) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Pages of each section and all below it."""
    under: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for page in paper.pages:
        for depth in range(1, len(page.path) + 1):
            if page.section >= 0:
                under[page.path[:depth]].append(page.number)
    return {path: tuple(pages) for path, pages in under.items()}
