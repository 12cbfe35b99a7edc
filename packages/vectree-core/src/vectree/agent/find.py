"""Layer 0: which papers there are (§3.4, inter-document retrieval)."""

from __future__ import annotations

from vectree.agent.arguments import GetPaperMetadata, SearchDocuments
from vectree.agent.library import Library
from vectree.agent.payloads.metadata import metadata_data, render_metadata
from vectree.agent.payloads.search_results import render_search, search_data
from vectree.agent.results import ToolResult
from vectree.evidence import Filters


def search_documents(library: Library, arguments: SearchDocuments) -> ToolResult:
    """Rank papers, or list them for the query ``"*"``.

    Args:
        library: The corpus.
        arguments: Validated arguments.

    Returns:
        Metadata and matching sections of one page of results.

    Raises:
        InvalidArguments: If the query is empty.
    """
    filters = Filters(
        year_min=arguments.year_min,
        year_max=arguments.year_max,
        journal=arguments.journal,
        author=arguments.author,
    )
    result = library.search(arguments.query, top_k=arguments.top_k, offset=arguments.offset, filters=filters)
    return ToolResult(text=render_search(result, filters, arguments.offset), data=search_data(result))


def get_paper_metadata(library: Library, arguments: GetPaperMetadata) -> ToolResult:
    """Show one paper's metadata and its top-level sections.

    Args:
        library: The corpus.
        arguments: Validated arguments.

    Returns:
        The metadata.

    Raises:
        UnknownDocument: If there is no such document.
    """
    record, tree = library.record(arguments.doc_id), library.tree(arguments.doc_id)
    return ToolResult(text=render_metadata(record, tree), data=metadata_data(record, tree))
