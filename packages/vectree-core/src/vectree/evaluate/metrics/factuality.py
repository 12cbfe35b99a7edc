"""Statement-level factuality: precision, recall, F1 (§4.3, the GraphRAG-Bench protocol)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FactualityCounts:
    """Statements by class.

    Attributes:
        true_positives: Statements of the answer that the reference supports.
        false_positives: Statements of the answer that it does not.
        false_negatives: Statements of the reference that the answer lacks.
    """

    true_positives: int
    false_positives: int
    false_negatives: int

    @property
    def precision(self) -> float:
        """Supported statements among those of the answer; 0 if the answer states nothing."""
        stated = self.true_positives + self.false_positives
        return self.true_positives / stated if stated else float(self._nothing)

    @property
    def recall(self) -> float:
        """Supported statements among those and the lacking ones."""
        wanted = self.true_positives + self.false_negatives
        return self.true_positives / wanted if wanted else float(self._nothing)

    @property
    def f1(self) -> float:
        """Harmonic mean; 1 if neither side states anything."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    @property
    def _nothing(self) -> bool:
        return self.true_positives + self.false_positives + self.false_negatives == 0
