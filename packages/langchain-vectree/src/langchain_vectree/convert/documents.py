"""Papers, sections and pages as LangChain documents.

Every document has a unique ``id`` that is the same on every run, and a text that names its paper and its
section: retrievers that merge by text (`EnsembleRetriever` without ``id_key``) would otherwise take the
``Results`` of three papers for one document (C28). Metadata holds text, whole numbers and floats only.
"""

from __future__ import annotations

from typing import Any

from langchain_core.documents import Document

from vectree.document import Node, Page, Record
from vectree.evidence import SearchHit, SectionHit

_AUTHORS_SHOWN = 3


def paper_document(hit: SearchHit, record: Record) -> Document:
    """A paper: title, authors, sentence and matching sections.

    Args:
        hit: The paper as found.
        record: Its record.

    Returns:
        A document with id ``doc_id``.
    """
    lines = [hit.title, _by(hit), hit.description]
    lines += [f"{section.path or section.title} (p.{section.pages})" for section in hit.sections]
    return Document(
        page_content="\n".join(line for line in lines if line),
        id=hit.doc_id,
        metadata=_metadata(hit, record) | {"total_pages": hit.total_pages},
    )


def section_document(hit: SearchHit, record: Record, section: SectionHit, node: Node | None) -> Document:
    """A section: where it stands, its page range and its summary.

    Args:
        hit: The paper as found.
        record: Its record.
        section: The section as found.
        node: Its node in the tree, if it is still there.

    Returns:
        A document with id ``doc_id#node_id``.
    """
    path = section.path or section.title
    heading = f"{hit.title} > {path} ({hit.doc_id}, p.{section.pages})"
    summary = node.summary if node else ""
    return Document(
        page_content=f"{heading}\n\n{summary}".strip(),
        id=f"{hit.doc_id}#{section.node_id}",
        metadata=_metadata(hit, record)
        | _place(section)
        | {"page": section.pages.first, "page_start": section.pages.first, "page_end": section.pages.last},
    )


def page_document(hit: SearchHit, record: Record, section: SectionHit | None, page: Page) -> Document:
    """A page: a line that says how to cite it, then its text.

    Args:
        hit: The paper as found.
        record: Its record.
        section: The section it was chosen for, if any.
        page: The page.

    Returns:
        A document with id ``doc_id:pN``.
    """
    path = f" > {section.path or section.title}" if section else ""
    heading = f"{hit.title}{path} ({hit.doc_id}, p.{page.number})"
    metadata = _metadata(hit, record) | (_place(section) if section else {})
    return Document(
        page_content=f"{heading}\n\n{page.text}".strip(),
        id=f"{hit.doc_id}:p{page.number}",
        metadata=metadata | {"page": page.number, "page_label": page.label or str(page.number)},
    )


def _by(hit: SearchHit) -> str:
    names = ", ".join(hit.authors[:_AUTHORS_SHOWN]) + (" et al." if len(hit.authors) > _AUTHORS_SHOWN else "")
    return ", ".join(str(part) for part in (names, hit.journal, hit.year) if part)


def _metadata(hit: SearchHit, record: Record) -> dict[str, Any]:
    known: dict[str, Any] = {
        "source": record.source,
        "doc_id": hit.doc_id,
        "title": hit.title,
        "authors": ", ".join(hit.authors),
        "year": hit.year,
        "journal": hit.journal,
        "doi": record.metadata.doi,
        "similarity": None if hit.similarity is None else float(hit.similarity),
        "bm25": float(hit.bm25),
        "rrf": float(hit.rrf),
    }
    return {name: value for name, value in known.items() if value is not None}


def _place(section: SectionHit) -> dict[str, Any]:
    return {"section": section.path or section.title, "node_id": section.node_id}
