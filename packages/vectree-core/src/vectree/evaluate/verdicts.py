"""The verdicts of the paper's judges (§4.3, Appendix F), unchanged."""

from __future__ import annotations

from enum import StrEnum


class Correctness(StrEnum):
    """Of a free-text answer, against references of which any suffices."""

    CORRECT = "correct"
    PARTIAL = "partial"
    INCORRECT = "incorrect"

    @property
    def strict(self) -> float:
        """What it is worth in the headline figure: a partial answer gets nothing."""
        return 1.0 if self is Correctness.CORRECT else 0.0

    @property
    def lenient(self) -> float:
        """What it is worth where a partial answer gets half."""
        return 0.5 if self is Correctness.PARTIAL else self.strict


class Choice(StrEnum):
    """Of the option an answer selects."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    ABSTAIN = "abstain"


class Support(StrEnum):
    """What cited pages give for the sentence that cites them."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"
