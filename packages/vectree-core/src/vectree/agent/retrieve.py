"""Retrieval without an agent: papers, their sections or their pages, for applications that expect a ranked list.

The framework adapters return what is found here, so that the same question gives the same pages everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from vectree.agent.library import NO_FILTERS, Library
from vectree.document import Page, Record
from vectree.errors import UnknownDocument
from vectree.evidence import Filters, SearchHit, SectionHit

_MAX_SECTIONS = 20


class Unit(StrEnum):
    """What a ranked list is made of."""

    DOCUMENTS = "documents"
    SECTIONS = "sections"
    PAGES = "pages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One item of a ranked list.

    Attributes:
        hit: The paper as search found it.
        record: Its record.
        section: The section that matches; ``None`` in a list of papers.
        page: The page; only in a list of pages.
    """

    hit: SearchHit
    record: Record
    section: SectionHit | None = None
    page: Page | None = None


def retrieve(
    library: Library,
    query: str,
    *,
    unit: Unit = Unit.PAGES,
    top_k: int = 5,
    per_paper: int = 1,
    filters: Filters = NO_FILTERS,
) -> tuple[Found, ...]:
    """Rank papers, then the sections and pages inside each.

    Papers take turns: the best item of every paper comes before the second-best of any, so that the list is never
    made of pieces of one paper while others match. The relevance gates of §3.4 may leave fewer than asked for.

    Args:
        library: The corpus.
        query: What is looked for; ``"*"`` lists papers, a blank query finds nothing.
        unit: What to return. Pages without text are left out.
        top_k: Most items to return, at least 1.
        per_paper: How many items of a paper come before it is the next paper's turn, at least 1.
        filters: Restrictions applied before ranking.

    Returns:
        Items, best first, each once.
    """
    if not query.strip():
        return ()
    hits = library.search(query, top_k=top_k, filters=filters).hits
    papers = [paper for hit in hits if (paper := _paper(library, hit))]
    if unit is Unit.DOCUMENTS or query.strip() == "*":
        return tuple(papers)
    of_paper = _sections if unit is Unit.SECTIONS else _pages
    return tuple(
        islice(_taking_turns([of_paper(library, query, paper) for paper in papers], per_paper), top_k)
    )


def _paper(library: Library, hit: SearchHit) -> Found | None:
    """A paper with its record; none if it was removed since the search."""
    try:
        return Found(hit=hit, record=library.record(hit.doc_id))
    except UnknownDocument:
        return None


def _sections(library: Library, query: str, paper: Found) -> Iterator[Found]:
    for section in _matching(library, query, paper.hit):
        yield Found(hit=paper.hit, record=paper.record, section=section)


def _pages(library: Library, query: str, paper: Found) -> Iterator[Found]:
    for section, number in _pages_in_turn(_matching(library, query, paper.hit)):
        for page in library.pages(paper.hit.doc_id, [number]):
            if page.text.strip():
                yield Found(hit=paper.hit, record=paper.record, section=section, page=page)


def _matching(library: Library, query: str, hit: SearchHit) -> Sequence[SectionHit]:
    # A paper can match by its document entry alone; then its sections are ranked all the same.
    return library.within(hit.doc_id, query, top_k=_MAX_SECTIONS) or hit.sections


def _pages_in_turn(sections: Iterable[SectionHit]) -> Iterator[tuple[SectionHit, int]]:
    """Pages of sections, best first, each page once.

    A section's likely pages come first. Sections that contain one another name the same pages, so that the first
    to name a page is the one shown with it.
    """
    seen: set[int] = set()
    for section in sections:
        for number in section.likely_pages or (section.pages.first,):
            if number not in seen:
                seen.add(number)
                yield section, number


def _taking_turns(papers: Sequence[Iterator[Found]], at_once: int) -> Iterator[Found]:
    """The first few of each paper, then the next few of each; papers are read no further than needed."""
    waiting = list(papers)
    while waiting:
        for paper in list(waiting):
            turn = list(islice(paper, at_once))
            yield from turn
            if len(turn) < at_once:
                waiting.remove(paper)
