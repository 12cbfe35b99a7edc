"""What is shown of a paper that was found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vectree.evidence import SearchHit, SectionHit
from vectree.index.embedder import Vectors
from vectree.index.entries import DOCUMENT_ENTRY
from vectree.index.rows import DocumentRow, SectionRow
from vectree.search.fusion import fuse_few

MAX_SECTIONS = 4
"""Matching sections shown with a paper."""


def listed_hit(row: DocumentRow) -> SearchHit:
    """Show a paper of a listing.

    Args:
        row: The paper.

    Returns:
        A hit without scores or sections.
    """
    return _hit(row, rrf=0.0, similarity=None, bm25=0.0, best_entry=DOCUMENT_ENTRY, sections=())


def ranked_hit(
    row: DocumentRow, similarities: Vectors, bm25: NDArray[np.float64], *, rrf: float, relevant: float
) -> SearchHit:
    """Show a paper that was ranked.

    Args:
        row: The paper.
        similarities: Of its entries, the document entry first; shape (1 + sections,).
        bm25: Likewise.
        rrf: Fused value of the paper.
        relevant: Similarity from which a section counts as matching.

    Returns:
        A hit with the best of its scores and the sections that match.
    """
    best = int(np.argmax(similarities))
    return _hit(
        row,
        rrf=rrf,
        similarity=float(similarities[best]),
        bm25=float(bm25.max()),
        best_entry=DOCUMENT_ENTRY if best == 0 else row.sections[best - 1].node_id,
        sections=_matching(row.sections, similarities[1:], bm25[1:], relevant),
    )


def _matching(
    sections: tuple[SectionRow, ...], similarities: Vectors, bm25: NDArray[np.float64], relevant: float
) -> tuple[SectionHit, ...]:
    """The sections that match by either score, in the order of their own fusion."""
    cosines, scores = similarities.tolist(), bm25.tolist()
    fused = fuse_few(
        {place: cosine for place, cosine in enumerate(cosines) if cosine >= relevant},
        {place: score for place, score in enumerate(scores) if score > 0},
    )
    return tuple(
        SectionHit(
            node_id=sections[place].node_id,
            title=sections[place].title,
            path=sections[place].title,
            pages=sections[place].pages,
            similarity=cosines[place],
            bm25=scores[place],
            rrf=rrf,
        )
        for place, rrf in fused[:MAX_SECTIONS]
    )


def _hit(
    row: DocumentRow,
    *,
    rrf: float,
    similarity: float | None,
    bm25: float,
    best_entry: str,
    sections: tuple[SectionHit, ...],
) -> SearchHit:
    return SearchHit(
        doc_id=row.doc_id,
        title=row.title,
        authors=row.authors,
        journal=row.journal,
        year=row.year,
        total_pages=row.total_pages,
        description=row.description,
        related_documents=row.related,
        rrf=rrf,
        similarity=similarity,
        bm25=bm25,
        best_entry=best_entry,
        sections=sections,
    )
