"""A QASPER paper as plain values: its sections, and one synthetic page for each paragraph (§4.1).

Pages are numbered in reading order, from 1: every paragraph of the body that is not blank. Whoever builds a
corpus from QASPER takes ``QasperPaper.pages`` as its pages, so that evidence mapped here and pages read there
are the same numbers.

The abstract stands outside the supplied section structure and is never evidence, so it is metadata and no
page; as a page it would only draw retrieval away (with BM25 on the development set, the best paragraph is
evidence for 0.17 of the questions with it and 0.21 without). A paper that has nothing else is one page: its
abstract.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

PATH_SEPARATOR = " ::: "
"""Between the titles of a section path in QASPER."""

ABSTRACT = ("Abstract",)


@dataclass(frozen=True, slots=True, kw_only=True)
class QasperSection:
    """A section in document order.

    Attributes:
        path: Titles from the top down; empty for text that stands under no heading.
        paragraphs: Its own paragraphs, without blank ones.
        synthetic: Whether QASPER names it only as part of a longer path.
    """

    path: tuple[str, ...]
    paragraphs: tuple[str, ...] = ()
    synthetic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QasperPage:
    """A synthetic page: one paragraph.

    Attributes:
        number: Counted from 1.
        text: The paragraph, verbatim.
        section: Index of its section in ``QasperPaper.sections``; -1 for the abstract.
        path: Path of its section.
    """

    number: int
    text: str
    section: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QasperPaper:
    """A paper of QASPER.

    Attributes:
        id: Its arXiv id.
        title: Its title.
        abstract: Its abstract; may be empty.
        sections: In document order, parents before children, missing parents filled in.
    """

    id: str
    title: str
    abstract: str = ""
    sections: tuple[QasperSection, ...] = ()

    @property
    def pages(self) -> tuple[QasperPage, ...]:
        """The synthetic pages in order."""
        texts = [
            (index, section.path, paragraph)
            for index, section in enumerate(self.sections)
            for paragraph in section.paragraphs
        ]
        if not texts and self.abstract:
            texts = [(-1, ABSTRACT, self.abstract)]
        return tuple(
            QasperPage(number=number, text=text, section=section, path=path)
            for number, (section, path, text) in enumerate(texts, start=1)
        )


def make_paper(
    key: str, *, title: str, abstract: str, named: Iterable[tuple[str | None, Sequence[str]]]
) -> QasperPaper:
    """Make a paper from its section names and paragraphs.

    Args:
        key: Its arXiv id.
        title: Its title.
        abstract: Its abstract.
        named: Section names as QASPER has them, which may be ``None``, each with its paragraphs.

    Returns:
        The paper.
    """
    sections: list[QasperSection] = []
    open_path: tuple[str, ...] = ()
    for name, paragraphs in named:
        path = section_path(name)
        for depth in range(1, len(path)):
            if open_path[:depth] != path[:depth]:
                sections.append(QasperSection(path=path[:depth], synthetic=True))
                open_path = path[:depth]
        kept = tuple(text for text in paragraphs if text.strip())
        sections.append(QasperSection(path=path, paragraphs=kept))
        open_path = path
    return QasperPaper(id=key, title=title.strip(), abstract=abstract.strip(), sections=tuple(sections))


def section_path(name: str | None) -> tuple[str, ...]:
    """Take a section name apart.

    Args:
        name: For example ``"Experiments ::: Setup"``; ``None`` or blank where there is no heading.

    Returns:
        The titles from the top down; empty where there is no heading.
    """
    parts = (part.strip() for part in (name or "").split(PATH_SEPARATOR.strip()))
    return tuple(part for part in parts if part)
