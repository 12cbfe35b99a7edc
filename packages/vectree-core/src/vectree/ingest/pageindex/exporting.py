"""A tree in the form of PageIndex (0.4): what its users, and programs written for it, can read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vectree.document import Node, Page, Record, SectionTree
from vectree.tree.slices import section_texts


def export_tree(record: Record, tree: SectionTree, pages: Sequence[Page] | None = None) -> dict[str, Any]:
    """Write a tree as PageIndex does.

    Its node ids count from 0000 depth first, ends cover the children (as since August 2026), titles carry
    their numbers. What VecTree knows beyond that stands in fields that PageIndex passes over.

    Args:
        record: The document.
        tree: Its tree.
        pages: All pages, to add the text of every node.

    Returns:
        Plain JSON.
    """
    texts = section_texts(tree, pages) if pages is not None else {}
    return {
        "doc_name": record.source.rpartition("/")[2] or record.doc_id,
        "doc_title": record.metadata.title,
        "doc_description": record.metadata.description,
        "structure": [_node(node, texts) for node in tree.nodes],
        "vectree": {"doc_id": record.doc_id, "sha256": record.sha256, "total_pages": tree.total_pages},
    }


def _node(node: Node, texts: Mapping[str, str]) -> dict[str, Any]:
    shape: dict[str, Any] = {
        "title": node.printed,
        "node_id": f"{int(node.id) - 1:0{len(node.id)}d}",
        "start_index": node.covering.first,
        "end_index": node.covering.last,
        "summary": node.summary,
    }
    if node.id in texts:
        shape["text"] = texts[node.id]
    if node.synthetic:
        shape["synthetic"] = True
    if node.children:
        shape["nodes"] = [_node(child, texts) for child in node.children]
    return shape
