"""The seven tools as methods, under their own names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vectree.agent.library import Library
from vectree.agent.results import ToolResult


class ToolMethods:
    """What a model can call, for callers who drive their own agent.

    Mistakes that a model can correct (an unknown document, pages that do not exist) are not raised: the
    result says so in its text and has ``error`` set. Pages are physical pages counted from 1.

    Args:
        library: The corpus.
    """

    def __init__(self, library: Library) -> None:
        self._library = library

    @property
    def library(self) -> Library:
        """The reading side alone, as tools, agents and adapters take it."""
        return self._library

    def search_documents(
        self,
        query: str,
        *,
        top_k: int | None = None,
        offset: int | None = None,
        year_min: int | None = None,
        year_max: int | None = None,
        journal: str | None = None,
        author: str | None = None,
    ) -> ToolResult:
        """Find papers (Layer 0).

        Args:
            query: What is looked for; ``"*"`` lists.
            top_k: Most results to return.
            offset: Results to skip.
            year_min: Earliest year, inclusive.
            year_max: Latest year, inclusive.
            journal: Part of the journal's name.
            author: Part of an author's name.

        Returns:
            Metadata of the papers and their matching sections.
        """
        return self._run(
            "search_documents",
            query=query,
            top_k=top_k,
            offset=offset,
            year_min=year_min,
            year_max=year_max,
            journal=journal,
            author=author,
        )

    def get_paper_metadata(self, doc_id: str) -> ToolResult:
        """Describe a paper (Layer 0).

        Args:
            doc_id: The paper.

        Returns:
            Bibliographic data, keywords, top-level sections, related documents.
        """
        return self._run("get_paper_metadata", doc_id=doc_id)

    def get_document_tree(self, doc_id: str, node_id: str | None = None) -> ToolResult:
        """Open a paper's section tree (Layer 1).

        Args:
            doc_id: The paper.
            node_id: Show this section's branch only.

        Returns:
            Ids, titles, page ranges and summaries.
        """
        return self._run("get_document_tree", doc_id=doc_id, node_id=node_id)

    def search_within_paper(self, doc_id: str, query: str, *, top_k: int | None = None) -> ToolResult:
        """Find sections of a paper (Layer 1).

        Args:
            doc_id: The paper.
            query: What is looked for.
            top_k: Most sections to return.

        Returns:
            Sections with their pages.
        """
        return self._run("search_within_paper", doc_id=doc_id, query=query, top_k=top_k)

    def get_page_content(self, doc_id: str, pages: str | int | Sequence[int]) -> ToolResult:
        """Read pages (Layer 2).

        Args:
            doc_id: The paper.
            pages: Such as ``"3-7,9"``; at most ten are served.

        Returns:
            The text of the pages.
        """
        return self._run("get_page_content", doc_id=doc_id, pages=pages)

    def list_images(self, doc_id: str) -> ToolResult:
        """List a paper's figures (Layer 2).

        Args:
            doc_id: The paper.

        Returns:
            Names, pages, sizes and captions.
        """
        return self._run("list_images", doc_id=doc_id)

    def get_page_image(self, doc_id: str, image: str) -> ToolResult:
        """Fetch a figure (Layer 2).

        Args:
            doc_id: The paper.
            image: A recorded name.

        Returns:
            The figure by reference.
        """
        return self._run("get_page_image", doc_id=doc_id, image=image)

    def _run(self, name: str, **arguments: Any) -> ToolResult:
        from vectree.agent.tools import run_tool  # the schemas of the arguments take a while to build

        given = {key: value for key, value in arguments.items() if value is not None}
        return run_tool(self._library, name, given)
