"""The JSON shapes that others script against; fields may be added, never renamed or dropped."""

from __future__ import annotations

import dataclasses
from typing import Any

from vectree.agent.trajectory import layer_order, step_data, tokens_by_layer
from vectree.agent.tree_search.located import Located
from vectree.corpus import AddReport
from vectree.document import Figure, Page, Record, SectionTree
from vectree.evidence import Answer, SearchHit, SearchResult, SectionHit
from vectree.tree.outline import outline_json


def record_shape(record: Record) -> dict[str, Any]:
    """A document as ``list --json`` shows it.

    Args:
        record: The document.

    Returns:
        Plain JSON.
    """
    metadata = record.metadata
    return {
        "doc_id": record.doc_id,
        "title": metadata.title,
        "authors": list(metadata.authors),
        "journal": metadata.journal,
        "year": metadata.year,
        "volume": metadata.volume,
        "article_pages": metadata.article_pages,
        "doi": metadata.doi,
        "total_pages": record.total_pages,
        "source": record.source,
        "sha256": record.sha256,
        "status": record.status.value,
        "sources": list(record.sources),
        "description": metadata.description,
        "keywords": list(metadata.keywords),
        "related_documents": list(record.related),
        "provenance": dict(metadata.provenance),
        "conflicts": dict(metadata.conflicts),
    }


def add_shape(report: AddReport) -> dict[str, Any]:
    """What adding did, as ``add --json`` shows it.

    Args:
        report: What became of every source.

    Returns:
        Plain JSON.
    """
    return {
        **{
            outcome: [{"doc_id": item.doc_id, "source": item.source} for item in items]
            for outcome, items in (
                ("added", report.added),
                ("replaced", report.replaced),
                ("unchanged", report.unchanged),
            )
        },
        "failed": [{"source": item.source, "reason": item.reason} for item in report.failed],
        "warnings": list(report.warnings),
    }


def section_shape(section: SectionHit) -> dict[str, Any]:
    """A matching section as ``search --json`` shows it.

    Args:
        section: The section.

    Returns:
        Plain JSON.
    """
    return {
        "node_id": section.node_id,
        "title": section.title,
        "pages": [section.pages.first, section.pages.last],
        "path": section.path,
        "similarity": section.similarity,
        "bm25": section.bm25,
    }


def hit_shape(hit: SearchHit) -> dict[str, Any]:
    """One result as ``search --json`` shows it.

    Args:
        hit: The result.

    Returns:
        Plain JSON.
    """
    return {
        "doc_id": hit.doc_id,
        "title": hit.title,
        "authors": list(hit.authors),
        "journal": hit.journal,
        "year": hit.year,
        "total_pages": hit.total_pages,
        "description": hit.description,
        "related_documents": list(hit.related_documents),
        "rrf": hit.rrf,
        "similarity": hit.similarity,
        "bm25": hit.bm25,
        "best_entry": hit.best_entry,
        "sections": [section_shape(section) for section in hit.sections],
    }


def search_shape(result: SearchResult) -> dict[str, Any]:
    """A search as ``search --json`` shows it.

    Args:
        result: What the search returned.

    Returns:
        Plain JSON.
    """
    return {
        "query": result.query,
        "results": [hit_shape(hit) for hit in result.hits],
        "total_matches": result.total_matches,
        "total_documents": result.total_documents,
        "excluded_unknown": result.excluded_unknown,
        "note": result.note,
    }


def tree_shape(record: Record, tree: SectionTree, *, node_id: str | None = None) -> dict[str, Any]:
    """A section tree as ``tree --json`` shows it.

    Args:
        record: The document.
        tree: Its tree.
        node_id: Show this section and what is below it only.

    Returns:
        Plain JSON.
    """
    return {
        "doc_id": record.doc_id,
        "title": record.metadata.title,
        "total_pages": tree.total_pages,
        "nodes": outline_json(tree, node_id=node_id),
    }


def pages_shape(record: Record, pages: tuple[Page, ...], *, raw: bool = False) -> dict[str, Any]:
    """Pages as ``read --json`` shows them.

    Args:
        record: The document.
        pages: The pages.
        raw: Whether to show the text as extracted instead of the markdown.

    Returns:
        Plain JSON.
    """
    return {
        "doc_id": record.doc_id,
        "pages": [
            {
                "page": page.number,
                "label": page.label,
                "text": page.raw if raw else page.text,
                "text_status": page.status.value,
                "figures": list(page.figures),
            }
            for page in pages
        ],
    }


def figures_shape(record: Record, figures: tuple[Figure, ...]) -> dict[str, Any]:
    """Figures as ``figures --json`` shows them.

    Args:
        record: The document.
        figures: Its figures.

    Returns:
        Plain JSON.
    """
    return {"doc_id": record.doc_id, "figures": [figure_shape(figure) for figure in figures]}


def figure_shape(figure: Figure) -> dict[str, Any]:
    """One figure: name, page, box in points from the top left, size in pixels, caption.

    Args:
        figure: The figure.

    Returns:
        Plain JSON.
    """
    shape = dataclasses.asdict(figure)
    shape["box"] = [figure.box.x0, figure.box.y0, figure.box.x1, figure.box.y1]
    return shape


def answer_shape(answer: Answer) -> dict[str, Any]:
    """An answer as ``ask --json`` shows it.

    Args:
        answer: The answer.

    Returns:
        Plain JSON.
    """
    return {
        "question": answer.question,
        "answer": answer.text,
        "citations": [
            {"doc_id": c.doc_id, "page": c.page, "read": c.read, "status": c.status.value, "text": c.text}
            for c in answer.citations
        ],
        "evidence": [dataclasses.asdict(item) for item in answer.evidence],
        "trajectory": [step_data(step) for step in answer.trajectory],
        "usage": dataclasses.asdict(answer.usage),
        "uncited": list(answer.uncited),
        "numbers_not_found": [
            {
                "number": item.number,
                "sentence": item.sentence,
                "pages": [{"doc_id": doc_id, "page": page} for doc_id, page in item.pages],
            }
            for item in answer.unfound
        ],
        "no_evidence": answer.no_evidence,
        "layer_order": layer_order(answer.trajectory),
        "tokens_by_layer": tokens_by_layer(answer.trajectory),
        "navigation_usage": dataclasses.asdict(answer.navigation) if answer.navigation else None,
        "saved_tokens": answer.saved_tokens,
        "stopped": answer.stopped,
        "model": answer.model,
    }


def located_shape(located: Located) -> dict[str, Any]:
    """Sections of a paper as ``locate --json`` shows them.

    Args:
        located: The result.

    Returns:
        Plain JSON.
    """
    return {
        "doc_id": located.doc_id,
        "question": located.question,
        "method": located.method.value,
        "confidence": located.confidence,
        "retries": located.retries,
        "fallback": located.fallback,
        "sections": [
            {
                "node_id": section.node_id,
                "title": section.title,
                "path": section.path,
                "pages": [section.pages.first, section.pages.last],
                "shared_words": list(section.shared),
            }
            for section in located.sections
        ],
        "attempts": [
            {
                "confidence": attempt.confidence,
                "problem": attempt.problem,
                "nodes": [
                    {"written": node.written, "node_id": node.node_id, "problem": node.problem}
                    for node in attempt.nodes
                ],
            }
            for attempt in located.attempts
        ],
        "model": located.model,
        "usage": dataclasses.asdict(located.usage),
    }
