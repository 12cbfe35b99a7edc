"""The source pages of a neighbourhood: what a question may be drafted from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vectree.agent.library import Library
from vectree.document import Page, TextStatus
from vectree.evaluate.judges.quoting import quoted
from vectree.evaluate.mosaic.neighbourhoods import topic_words
from vectree.evaluate.mosaic.settings import BuildSettings
from vectree.index.bm25 import score_bm25
from vectree.index.entries import is_back_matter
from vectree.index.postings import build_postings
from vectree.tokens import count_tokens
from vectree.tree.walk import deepest_on_page

_READABLE = frozenset({TextStatus.TEXT, TextStatus.OCR_LAYER})


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A paper of a neighbourhood with the pages that are shown.

    Attributes:
        number: How it is called in prompts, from 1.
        doc_id: The document.
        title: Its title.
        year: Its year.
        pages: Page number to text, in page order.
    """

    number: int
    doc_id: str
    title: str
    year: int | None
    pages: dict[int, str]

    @property
    def shown(self) -> str:
        """Heading and quoted pages."""
        year = f", {self.year}" if self.year else ""
        head = f"Paper {self.number}: {self.title}{year}"
        return "\n".join([head, *(f"Page {page}:\n{quoted(text)}" for page, text in self.pages.items())])


def choose_sources(library: Library, group: Sequence[str], settings: BuildSettings) -> tuple[Source, ...]:
    """Choose the pages on which the papers of a group speak of what they share.

    Args:
        library: The corpus.
        group: The papers.
        settings: Pages of each.

    Returns:
        The papers in the order of the group, numbered from 1. Papers without a readable page are left out.
    """
    query = _shared_topic(library, group)
    found: list[Source] = []
    for doc_id in group:
        about = library.record(doc_id).metadata
        if best := best_pages(library, doc_id, query, count=settings.pages_each):
            found.append(
                Source(number=len(found) + 1, doc_id=doc_id, title=about.title, year=about.year, pages=best)
            )
    return tuple(found)


def best_pages(
    library: Library, doc_id: str, query: str, *, count: int | None = None, tokens: int | None = None
) -> dict[int, str]:
    """Choose pages of a paper by their words; back matter is left out.

    Args:
        library: The corpus.
        doc_id: The paper.
        query: What the pages should be about.
        count: Most pages; ``None`` for no bound.
        tokens: Most tokens; ``None`` for no bound. The best page is taken in any case.

    Returns:
        Page number to text, in page order.
    """
    pages = _readable_pages(library, doc_id)
    if not pages:
        return {}
    postings = build_postings([page.text for page in pages])
    scores = score_bm25(query, [(postings, np.ones(len(pages), dtype=np.bool_))]).bm25
    chosen: list[Page] = []
    used = 0
    ranked: list[int] = np.argsort(-scores, kind="stable").tolist()
    for page in [pages[place] for place in ranked[:count]]:
        used += count_tokens(page.text)
        if chosen and tokens is not None and used > tokens:
            break
        chosen.append(page)
    return {page.number: page.text for page in sorted(chosen, key=lambda page: page.number)}


def _readable_pages(library: Library, doc_id: str) -> list[Page]:
    tree = library.tree(doc_id)
    total = library.record(doc_id).total_pages
    return [
        page
        for page in library.pages(doc_id, range(1, total + 1))
        if page.status in _READABLE
        and page.text.strip()
        and not ((node := deepest_on_page(tree, page.number)) and is_back_matter(node))
    ]


def _shared_topic(library: Library, group: Sequence[str]) -> str:
    """Words that are topics of at least two of the papers; all of their topics if they share none."""
    topics = Counter(word for doc_id in group for word in topic_words(library.record(doc_id)))
    shared = sorted(word for word, papers in topics.items() if papers > 1)
    return " ".join(shared or sorted(topics))
