"""The payload of ``get_paper_metadata``: who, when, where, what about, and the top-level sections.

Table 1 estimates 50 tokens; every field the paper names takes about three times that. Keywords and section
ids are in the data only.
"""

from __future__ import annotations

from typing import Any

from vectree.agent.naming import citation, cite_key, short_authors
from vectree.document import DocumentStatus, Node, Record, SectionTree
from vectree.tree.outline import clip

_MAX_SECTIONS = 10
_MAX_AUTHORS = 25


def render_metadata(record: Record, tree: SectionTree) -> str:
    """Write a document's metadata for a model.

    Args:
        record: The document.
        tree: Its section tree.

    Returns:
        A few lines.
    """
    metadata = record.metadata
    venue = " ".join(part for part in (metadata.journal, metadata.volume, metadata.article_pages) if part)
    facts = [
        short_authors(metadata.authors),
        str(metadata.year or "n.d."),
        clip(venue, 60),
        f"doi:{metadata.doi}" if metadata.doi else "",
        f"{record.total_pages} pages",
    ]
    lines = [
        f"{record.doc_id}: {clip(metadata.title, 160)}",
        " | ".join(fact for fact in facts if fact),
        f"about: {clip(metadata.description, 120)}" if metadata.description else "",
        "sections: " + " | ".join(_section(node) for node in tree.nodes[:_MAX_SECTIONS]) + _more(tree),
        f"related: {', '.join(record.related[:10])}" if record.related else "",
        "Most pages are scans without a text layer: read them with get_page_image."
        if _unread(record)
        else "",
        f"Cite as {citation(cite_key(metadata.authors, metadata.year), record.doc_id, 'N')}.",
    ]
    return "\n".join(line for line in lines if line)


def metadata_data(record: Record, tree: SectionTree) -> dict[str, Any]:
    """A document's metadata as plain JSON types.

    Args:
        record: The document.
        tree: Its section tree.

    Returns:
        The fields of ``vectree list --json`` and the top-level sections; long author lists are cut, with a
        count.
    """
    metadata = record.metadata
    return {
        "doc_id": record.doc_id,
        "title": metadata.title,
        "authors": list(metadata.authors[:_MAX_AUTHORS]),
        "author_count": len(metadata.authors),
        "journal": metadata.journal,
        "year": metadata.year,
        "volume": metadata.volume,
        "article_pages": metadata.article_pages,
        "doi": metadata.doi,
        "total_pages": record.total_pages,
        "status": record.status.value,
        "description": metadata.description,
        "keywords": list(metadata.keywords),
        "related_documents": list(record.related),
        "sections": [
            {"node_id": node.id, "title": node.printed, "pages": [node.covering.first, node.covering.last]}
            for node in tree.nodes
        ],
    }


def _section(node: Node) -> str:
    return f"{clip(node.printed, 24)} p.{node.covering}"


def _more(tree: SectionTree) -> str:
    left = len(tree.nodes) - _MAX_SECTIONS
    return f" | and {left} more" if left > 0 else ""


def _unread(record: Record) -> bool:
    return record.status is DocumentStatus.NEEDS_OCR
