"""A LangChain retriever: which papers, which sections of them, which pages of those."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field, PrivateAttr

from langchain_vectree.convert.documents import page_document, paper_document, section_document
from langchain_vectree.library import as_library
from vectree.agent.library import Library
from vectree.agent.retrieve import Found, Unit, retrieve
from vectree.errors import UsageError
from vectree.evidence import Filters
from vectree.tree.walk import find_node

Mode = Literal["pages", "sections", "documents"]

_FILTERS = ("year_min", "year_max", "journal", "author")


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
        found = retrieve(
            self._library,
            query,
            unit=Unit(chosen.mode),
            top_k=chosen.k,
            per_paper=chosen.per_paper,
            filters=Filters(**{name: getattr(chosen, name) for name in _FILTERS}),
        )
        return [self._document(item) for item in found]

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

    def _document(self, item: Found) -> Document:
        if item.section is None:
            return paper_document(item.hit, item.record)
        if item.page is None:
            node = find_node(self._library.tree(item.hit.doc_id), item.section.node_id)
            return section_document(item.hit, item.record, item.section, node)
        return page_document(item.hit, item.record, item.section, item.page)
