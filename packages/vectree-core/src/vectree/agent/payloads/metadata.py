"""The payload of ``get_paper_metadata``: who, when, where, and the top-level sections, in about 100 tokens.

Table 1 estimates 50, which title, authors, journal and DOI take by themselves. What other payloads give is
left out: the description (search results), section ids (the tree), the form of a citation (pages). Sections
that find no room are counted. The data holds everything.
"""

from __future__ import annotations

from typing import Any

from vectree.agent.naming import short_authors
from vectree.document import DocumentStatus, Record, SectionTree
from vectree.tokens import CHARACTERS_PER_TOKEN
from vectree.tree.outline import clip

MAX_TOKENS = 100
"""Bound on the lines that every document has; links and warnings come on top."""

_SECTIONS = "sections: "
_SEPARATOR = " | "
_MAX_SECTION = 24
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
    lines = [f"{record.doc_id}: {clip(metadata.title, 160)}", _SEPARATOR.join(fact for fact in facts if fact)]
    room = MAX_TOKENS * CHARACTERS_PER_TOKEN - sum(len(line) + 1 for line in lines)
    lines.append(_sections(tree, room))
    if record.related:
        lines.append(f"related: {', '.join(record.related[:10])}")
    if record.status is DocumentStatus.NEEDS_OCR:
        lines.append("Most pages are scans without a text layer: read them with get_page_image.")
    return "\n".join(lines)


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


def _sections(tree: SectionTree, room: int) -> str:
    """As many sections as fit, at least one, and how many there are besides."""
    named = [f"{clip(node.printed, _MAX_SECTION)} p.{node.covering}" for node in tree.nodes]
    for shown in range(len(named), 0, -1):
        more = [f"and {len(named) - shown} more"] if shown < len(named) else []
        line = _SECTIONS + _SEPARATOR.join([*named[:shown], *more])
        if len(line) <= room or shown == 1:
            return line
    return f"{_SECTIONS}none"
