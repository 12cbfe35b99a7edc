"""Papers, sections and pages as LlamaIndex nodes.

Ids are unique and the same on every run: ``doc_id``, ``doc_id#node_id`` and ``doc_id:pN``, so that retrievers
and evaluators that compare by id work. Metadata is flat and holds text, whole numbers and floats only; what a
model needs for a citation is shown to it, the rest is hidden from prompts and embeddings.
"""

from __future__ import annotations

from typing import Any

from llama_index.core.schema import (
    Document,
    NodeRelationship,
    ObjectType,
    RelatedNodeInfo,
    RelatedNodeType,
    TextNode,
)

from vectree.agent.naming import short_authors
from vectree.document import Page, Record, SectionTree
from vectree.evidence import SearchHit, SectionHit
from vectree.tree.outline import clip
from vectree.tree.walk import deepest_on_page, walk_paths

SHOWN = ("title", "authors", "year", "doc_id", "page_label", "section")
"""Metadata that models read, in this order; all else is hidden."""

_MAX_TITLE = 300
_MAX_SECTION = 160


def paper_id(doc_id: str) -> str:
    """The id of a paper's node.

    Args:
        doc_id: The document.

    Returns:
        The ``doc_id`` itself; nodes of the paper name it as their source.
    """
    return doc_id


def section_id(doc_id: str, node_id: str) -> str:
    """The id of a section's node.

    Args:
        doc_id: The document.
        node_id: The section in its tree.

    Returns:
        ``doc_id#node_id``.
    """
    return f"{doc_id}#{node_id}"


def page_id(doc_id: str, page: int) -> str:
    """The id of a page's node.

    Args:
        doc_id: The document.
        page: Physical page, from 1.

    Returns:
        ``doc_id:pN``.
    """
    return f"{doc_id}:p{page}"


def paper_node(hit: SearchHit, record: Record) -> TextNode:
    """A paper: its sentence and the sections that match.

    Args:
        hit: The paper as found.
        record: Its record.

    Returns:
        A node.
    """
    lines = [hit.description]
    lines += [
        f"{clip(section.path or section.title, _MAX_SECTION)} (p.{section.pages})" for section in hit.sections
    ]
    pages = "1" if hit.total_pages == 1 else f"1-{hit.total_pages}"
    metadata = _about(record) | {"page_label": pages, "total_pages": hit.total_pages} | _scores(hit)
    text = "\n".join(line for line in lines if line) or clip(hit.title, _MAX_TITLE)
    return _node(paper_id(hit.doc_id), text, metadata, {})


def section_node(hit: SearchHit, record: Record, section: SectionHit, tree: SectionTree) -> TextNode:
    """A section: its heading, page range and summary.

    Args:
        hit: The paper as found.
        record: Its record.
        section: The section as found.
        tree: The paper's tree.

    Returns:
        A node, related to the paper, to the section above and to its neighbours in document order.
    """
    doc_id = hit.doc_id
    paths = list(walk_paths(tree))
    place = next((n for n, path in enumerate(paths) if path[-1].id == section.node_id), None)
    metadata = _about(record) | {"page_label": str(section.pages)} | _place(section) | _scores(hit)
    metadata |= {"page_start": section.pages.first, "page_end": section.pages.last}
    related: dict[NodeRelationship, RelatedNodeType] = {NodeRelationship.SOURCE: _source(record)}
    summary = ""
    if place is not None:
        summary = paths[place][-1].summary
        above = paths[place][-2:-1]
        if above:
            related[NodeRelationship.PARENT] = _text(section_id(doc_id, above[0].id))
        if place > 0:
            related[NodeRelationship.PREVIOUS] = _text(section_id(doc_id, paths[place - 1][-1].id))
        if place + 1 < len(paths):
            related[NodeRelationship.NEXT] = _text(section_id(doc_id, paths[place + 1][-1].id))
    text = f"{clip(section.path or section.title, _MAX_SECTION)}\n\n{summary}".strip()
    return _node(section_id(doc_id, section.node_id), text, metadata, related)


def page_node(hit: SearchHit, record: Record, section: SectionHit, page: Page) -> TextNode:
    """A page with its whole text.

    Args:
        hit: The paper as found.
        record: Its record.
        section: The section it was chosen for.
        page: The page.

    Returns:
        A node, related to the paper, to the section and to the pages before and after.
    """
    metadata = _about(record) | _of_page(page) | _place(section) | _scores(hit)
    related = _of_neighbours(record, page.number)
    related[NodeRelationship.PARENT] = _text(section_id(hit.doc_id, section.node_id))
    return _node(page_id(hit.doc_id, page.number), page.text, metadata, related)


def page_document(record: Record, tree: SectionTree, page: Page, extra: dict[str, Any]) -> Document:
    """A page as a document to put into another index.

    Args:
        record: The paper's record.
        tree: Its tree.
        page: The page.
        extra: More metadata, which models read too.

    Returns:
        A document with the id and metadata of the node that the retriever returns for this page.
    """
    metadata = _about(record) | _of_page(page)
    node = deepest_on_page(tree, page.number)
    related = _of_neighbours(record, page.number)
    # A document is its own source; with the paper as source, pipelines would take its pages for one document.
    del related[NodeRelationship.SOURCE]
    if node is not None:
        metadata |= {"section": clip(node.printed, _MAX_SECTION), "node_id": node.id}
        related[NodeRelationship.PARENT] = _text(section_id(record.doc_id, node.id))
    hidden = [name for name in metadata if name not in SHOWN]
    return Document(
        id_=page_id(record.doc_id, page.number),
        text=page.text,
        metadata=_ordered(extra | metadata),
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=list(hidden),
        relationships=related,
    )


def _node(
    identity: str, text: str, metadata: dict[str, Any], related: dict[NodeRelationship, RelatedNodeType]
) -> TextNode:
    hidden = [name for name in metadata if name not in SHOWN]
    return TextNode(
        id_=identity,
        text=text,
        metadata=_ordered(metadata),
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=list(hidden),
        relationships=related,
    )


def _ordered(metadata: dict[str, Any]) -> dict[str, Any]:
    return {name: metadata[name] for name in SHOWN if name in metadata} | metadata


def _about(record: Record) -> dict[str, Any]:
    """What is known of the paper; a long list of authors is cut, or it would fill every prompt (C26)."""
    about = record.metadata
    known: dict[str, Any] = {
        "title": clip(about.title, _MAX_TITLE),
        "authors": short_authors(about.authors) or None,
        "year": about.year,
        "doc_id": record.doc_id,
        "journal": about.journal,
        "doi": about.doi,
        "file_name": record.source.rsplit("/", 1)[-1],
        "source": record.source,
    }
    return {name: value for name, value in known.items() if value is not None}


def _of_page(page: Page) -> dict[str, Any]:
    known = {"page_label": str(page.number), "page": page.number}
    return known | ({"printed_label": page.label} if page.label else {})


def _place(section: SectionHit) -> dict[str, Any]:
    return {"section": clip(section.path or section.title, _MAX_SECTION), "node_id": section.node_id}


def _scores(hit: SearchHit) -> dict[str, Any]:
    known = {"rrf": float(hit.rrf), "bm25": float(hit.bm25)}
    return known | ({} if hit.similarity is None else {"similarity": float(hit.similarity)})


def _source(record: Record) -> RelatedNodeInfo:
    return RelatedNodeInfo(node_id=paper_id(record.doc_id), node_type=ObjectType.DOCUMENT)


def _text(identity: str) -> RelatedNodeInfo:
    return RelatedNodeInfo(node_id=identity, node_type=ObjectType.TEXT)


def _of_neighbours(record: Record, page: int) -> dict[NodeRelationship, RelatedNodeType]:
    related: dict[NodeRelationship, RelatedNodeType] = {NodeRelationship.SOURCE: _source(record)}
    if page > 1:
        related[NodeRelationship.PREVIOUS] = _text(page_id(record.doc_id, page - 1))
    if page < record.total_pages:
        related[NodeRelationship.NEXT] = _text(page_id(record.doc_id, page + 1))
    return related
