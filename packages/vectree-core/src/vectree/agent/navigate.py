"""Layer 1: the sections of one paper (§3.4, within-document navigation)."""

from __future__ import annotations

from vectree.agent.arguments import GetDocumentTree, SearchWithinPaper
from vectree.agent.library import Library
from vectree.agent.node_ids import known_id
from vectree.agent.payloads.section_hits import render_sections, sections_data
from vectree.agent.results import ToolResult
from vectree.tokens import count_tokens
from vectree.tree.outline import OUTLINE_TOKENS, clip, outline_json, outline_text


def get_document_tree(library: Library, arguments: GetDocumentTree) -> ToolResult:
    """Show a paper's section tree, or one branch of it.

    Args:
        library: The corpus.
        arguments: Validated arguments.

    Returns:
        Every id, title, page range and summary; one section's whole summary if a node is named.

    Raises:
        UnknownDocument: If there is no such document.
        UnknownNode: If the document has no such node.
    """
    record, tree = library.record(arguments.doc_id), library.tree(arguments.doc_id)
    node_id = None if arguments.node_id is None else known_id(tree, arguments.node_id)
    head = f"{record.doc_id}: {clip(record.metadata.title, 120)}. {tree.total_pages} pages. Sections by id:"
    room = OUTLINE_TOKENS - count_tokens(head)
    return ToolResult(
        text=f"{head}\n{outline_text(tree, node_id=node_id, tokens=room)}",
        data={
            "doc_id": record.doc_id,
            "total_pages": tree.total_pages,
            "nodes": outline_json(tree, node_id=node_id),
        },
    )


def search_within_paper(library: Library, arguments: SearchWithinPaper) -> ToolResult:
    """Rank one paper's sections.

    Args:
        library: The corpus.
        arguments: Validated arguments.

    Returns:
        Matching sections with their likeliest pages.

    Raises:
        UnknownDocument: If there is no such document.
        InvalidArguments: If the query is empty.
    """
    record = library.record(arguments.doc_id)
    hits = library.within(record.doc_id, arguments.query, top_k=arguments.top_k)
    return ToolResult(text=render_sections(record.doc_id, hits), data=sections_data(record.doc_id, hits))
