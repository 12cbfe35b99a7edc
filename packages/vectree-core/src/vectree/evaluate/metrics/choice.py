"""Multiple choice: accuracy, precision and coverage (§4.3, LAB-Bench's three figures)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vectree.evaluate.verdicts import Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceFigures:
    """Figures over many questions.

    Attributes:
        accuracy: Right ones among all.
        precision: Right ones among those that were answered; ``None`` if none was.
        coverage: Answered ones among all.
    """

    accuracy: float
    precision: float | None
    coverage: float


def choice_figures(verdicts: Sequence[Choice]) -> ChoiceFigures | None:
    """Count verdicts.

    Args:
        verdicts: One for each question.

    Returns:
        The figures; ``None`` if there are no verdicts.
    """
    if not verdicts:
        return None
    right = sum(verdict is Choice.CORRECT for verdict in verdicts)
    answered = sum(verdict is not Choice.ABSTAIN for verdict in verdicts)
    return ChoiceFigures(
        accuracy=right / len(verdicts),
        precision=right / answered if answered else None,
        coverage=answered / len(verdicts),
    )
