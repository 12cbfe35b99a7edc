"""What the order of tool calls and the citations of an answer tell (§4.5, §5)."""

from __future__ import annotations

from collections.abc import Sequence

from vectree.agent.trajectory import layer_order
from vectree.evaluate.records import SystemAnswer
from vectree.evidence import Citation


def layer_adherence(answer: SystemAnswer) -> float | None:
    """How far a run kept the order search, structure, text.

    Args:
        answer: What a system answered.

    Returns:
        Share of structure and text calls that were in order; ``None`` if there were none.
    """
    return layer_order(answer.trajectory)


def citation_validity(citations: Sequence[Citation]) -> float | None:
    """Share of an answer's citations that name a page that was read.

    Args:
        citations: Checked citations.

    Returns:
        0 to 1; ``None`` if there are no citations.
    """
    return sum(citation.read for citation in citations) / len(citations) if citations else None


def rounds(answer: SystemAnswer) -> int:
    """Rounds in which tools were called.

    Args:
        answer: What a system answered.

    Returns:
        Number of distinct rounds.
    """
    return len({step.round for step in answer.trajectory})
