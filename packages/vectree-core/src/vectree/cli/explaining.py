"""How a search is explained: every candidate with its ranks, its scores and the gate that decided."""

from __future__ import annotations

from typing import Any

from vectree.cli import output
from vectree.corpus.gate_methods import Explanation
from vectree.index.embedder import PAPER_GATES
from vectree.search.scoring import Decision


def with_explanation(shape: dict[str, Any], explained: Explanation | None) -> dict[str, Any]:
    """Add an explanation to a search as ``search --json`` shows it.

    Args:
        shape: The search.
        explained: The explanation; ``None`` adds nothing.

    Returns:
        Plain JSON.
    """
    if explained is None:
        return shape
    thresholds = explained.thresholds
    gates = {
        "embedder": explained.embedder,
        "measured": explained.measured,
        "small_library": explained.small_library,
        "relevant_similarity": thresholds.relevant_similarity,
        "strong_similarity": thresholds.strong_similarity,
        "relevant_bm25": thresholds.relevant_bm25,
        "strong_bm25": thresholds.strong_bm25,
        "leader_share": thresholds.leader_share,
    }
    candidates = [_decision_shape(decision) for decision in explained.decisions]
    return {**shape, "explanation": {"gates": gates, "candidates": candidates}}


def _decision_shape(decision: Decision) -> dict[str, Any]:
    return {
        "doc_id": decision.doc_id,
        "title": decision.title,
        "shown": decision.verdict.kept,
        "reason": decision.verdict.reason,
        "similarity": decision.similarity,
        "dense_rank": decision.dense_rank,
        "bm25": decision.bm25,
        "sparse_rank": decision.sparse_rank,
        "rrf": decision.rrf,
    }


def explanation_lines(explained: Explanation) -> list[str]:
    """Write an explanation for a person.

    Args:
        explained: The explanation.

    Returns:
        The gates in two lines, then a table of the candidates.
    """
    gates = explained.thresholds
    rule = (
        f"small library: shown if both agree, or similarity ≥ {_short(gates.strong_similarity)}, "
        f"or bm25 ≥ {gates.strong_bm25:.1f}, or one entry holds every word"
        if explained.small_library
        else f"large library: shown from {gates.leader_share:.0%} of the best fused value"
    )
    rows = [("", "doc_id", "similarity", "rank", "bm25", "rank", "fused", "why")]
    rows += [_row(decision) for decision in explained.decisions]
    return [
        f"gates of {explained.embedder} ({_origin(explained)}): relevant if "
        f"similarity ≥ {_short(gates.relevant_similarity)} or bm25 ≥ {gates.relevant_bm25:.1f}",
        rule,
        *output.columns(rows),
    ]


def _short(threshold: float) -> str:
    """Three decimals, where the third says something."""
    return f"{threshold:.3f}".removesuffix("0")


def _origin(explained: Explanation) -> str:
    if explained.measured:
        return "measured on this corpus"
    if explained.thresholds.similarities == PAPER_GATES and explained.embedder != "specter2":
        return "SPECTER2's, for want of measured ones; measure them: vectree calibrate"
    return "the embedder's own"


def _row(decision: Decision) -> tuple[str, ...]:
    return (
        "+" if decision.verdict.kept else "-",
        decision.doc_id,
        f"{decision.similarity:.3f}",
        str(decision.dense_rank or "—"),
        f"{decision.bm25:.2f}",
        str(decision.sparse_rank or "—"),
        f"{decision.rrf:.4f}",
        decision.verdict.reason,
    )
