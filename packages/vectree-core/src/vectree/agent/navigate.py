"""Layer 1: the sections of one paper (§3.4, within-document navigation)."""

from __future__ import annotations

from vectree.agent.arguments import GetDocumentTree, SearchWithinPaper
from vectree.agent.library import Library
from vectree.agent.payloads.section_hits import render_sections, sections_data
from vectree.agent.results import ToolResult
from vectree.document import SectionTree
from vectree.tokens import count_tokens
from vectree.tree.outline import OUTLINE_TOKENS, clip, outline_json, outline_text
from vectree.tree.walk import walk


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
    node_id = _node_id(tree, arguments.node_id)
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


def _node_id(tree: SectionTree, written: str | None) -> str | None:
    """The id as the tree has it: models drop the leading zeros."""
    if written is None or not written.isdecimal():
        return written
    ids = [node.id for node in walk(tree)]
    if written in ids:
        return written
    same = [node_id for node_id in ids if node_id.isdecimal() and node_id.lstrip("0") == written.lstrip("0")]
    return same[0] if len(same) == 1 else written
