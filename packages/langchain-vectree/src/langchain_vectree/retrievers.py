"""A LangChain retriever: which papers, which sections of them, which pages of those."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Literal

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field, PrivateAttr

from langchain_vectree.convert.documents import page_document, paper_document, section_document
from langchain_vectree.library import as_library
from vectree.agent.library import Library
from vectree.document import Record
from vectree.errors import UnknownDocument, UsageError
from vectree.evidence import Filters, SearchHit, SectionHit
from vectree.tree.walk import find_node

Mode = Literal["pages", "sections", "documents"]

_FILTERS = ("year_min", "year_max", "journal", "author")
_MAX_SECTIONS = 20


class VecTreeRetriever(BaseRetriever):
    """Retrieves from a corpus: papers by vectors and BM25, then sections and pages inside each paper.

    Papers take turns: the best document of every paper comes before the second-best of any, so that ``k``
    results are never ``k`` pieces of one paper while others match (C28). The relevance gates of §3.4 may
    leave fewer than ``k``.

    Example:
        .. code-block:: python

            from langchain_vectree import VecTreeRetriever
            from vectree import Corpus

            retriever = VecTreeRetriever(corpus=Corpus.open("papers-corpus"), k=4)
            for document in retriever.invoke("Which electrolyte conducts above 80 °C?"):
                print(document.metadata["doc_id"], document.metadata["page"])

    Attributes:
        corpus: A `vectree.Corpus`, or a library of one's own.
        k: Most documents to return; ``invoke(query, k=3)`` overrides it, as it does every field below.
        mode: ``"pages"``: whole pages, for a prompt. ``"sections"``: headings, page ranges and summaries.
            ``"documents"``: papers.
        per_paper: How many sections or pages of a paper come before it is the next paper's turn.
        year_min: Earliest year, inclusive.
        year_max: Latest year, inclusive.
        journal: Part of the journal's name.
        author: Part of an author's name.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    corpus: Any = Field(repr=False, exclude=True)
    k: int = Field(default=5, ge=1)
    mode: Mode = "pages"
    per_paper: int = Field(default=1, ge=1)
    year_min: int | None = None
    year_max: int | None = None
    journal: str | None = None
    author: str | None = None

    _library: Library = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Find the library behind the corpus.

        Args:
            context: Of pydantic; unused.
        """
        super().model_post_init(context)
        self._library = as_library(self.corpus)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun | None = None, **kwargs: Any
    ) -> list[Document]:
        # LangChain passes on what was given to ``invoke`` only if the signature has room for it.
        chosen = self._with(kwargs)
        return list(islice(chosen._ranked(query), chosen.k)) if query.strip() else []

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun | None = None, **kwargs: Any
    ) -> list[Document]:
        # The inherited method drops the keyword arguments.
        return await asyncio.to_thread(self._get_relevant_documents, query, **kwargs)

    def _with(self, overrides: dict[str, Any]) -> VecTreeRetriever:
        """This retriever with other settings, validated."""
        if not overrides:
            return self
        allowed = ("k", "mode", "per_paper", *_FILTERS)
        unknown = sorted(set(overrides) - set(allowed))
        if unknown:
            raise UsageError(f"Unknown arguments {unknown}; allowed are {list(allowed)}.")
        known = {name: getattr(self, name) for name in allowed}
        return VecTreeRetriever(corpus=self._library, **(known | overrides))

    def _ranked(self, query: str) -> Iterator[Document]:
        filters = Filters(**{name: getattr(self, name) for name in _FILTERS})
        hits = self._library.search(query, top_k=self.k, filters=filters).hits
        papers = [paper for hit in hits if (paper := self._paper(hit))]
        if self.mode == "documents" or query.strip() == "*":
            return (paper_document(hit, record) for hit, record in papers)
        of_paper = self._sections if self.mode == "sections" else self._pages
        return _taking_turns([of_paper(query, hit, record) for hit, record in papers], self.per_paper)

    def _paper(self, hit: SearchHit) -> tuple[SearchHit, Record] | None:
        """A paper with its record; none if it was removed since the search."""
        try:
            return hit, self._library.record(hit.doc_id)
        except UnknownDocument:
            return None

    def _found(self, query: str, hit: SearchHit) -> Sequence[SectionHit]:
        # A paper can match by its document entry alone; then its sections are ranked all the same.
        return self._library.within(hit.doc_id, query, top_k=_MAX_SECTIONS) or hit.sections

    def _sections(self, query: str, hit: SearchHit, record: Record) -> Iterator[Document]:
        tree = self._library.tree(hit.doc_id)
        for section in self._found(query, hit):
            yield section_document(hit, record, section, find_node(tree, section.node_id))

    def _pages(self, query: str, hit: SearchHit, record: Record) -> Iterator[Document]:
        for section, number in _pages_in_turn(self._found(query, hit)):
            for page in self._library.pages(hit.doc_id, [number]):
                if page.text.strip():
                    yield page_document(hit, record, section, page)


def _pages_in_turn(sections: Iterable[SectionHit]) -> Iterator[tuple[SectionHit, int]]:
    """Pages of sections, best first, each page once.

    A section's likely pages come first. Sections that contain one another name the same pages, so that the
    first to name a page is the one shown with it.
    """
    seen: set[int] = set()
    for section in sections:
        for number in section.likely_pages or (section.pages.first,):
            if number not in seen:
                seen.add(number)
                yield section, number


def _taking_turns(papers: Sequence[Iterator[Document]], at_once: int) -> Iterator[Document]:
    """The first few of each paper, then the next few of each; papers are read no further than needed."""
    waiting = list(papers)
    while waiting:
        for paper in list(waiting):
            turn = list(islice(paper, at_once))
            yield from turn
            if len(turn) < at_once:
                waiting.remove(paper)
