"""How far two graders agree: share of equal verdicts, and Cohen's kappa (Appendix E)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Agreement of two graders.

    Attributes:
        count: Answers that both graded.
        agreements: Equal verdicts.
        kappa: Cohen's kappa; ``None`` if both gave one and the same verdict throughout, where chance alone
            would agree always.
    """

    count: int
    agreements: int
    kappa: float | None

    @property
    def share(self) -> float | None:
        """Equal verdicts among all; ``None`` if there are none."""
        return self.agreements / self.count if self.count else None


def agreement(first: Mapping[_Key, str], second: Mapping[_Key, str]) -> Agreement:
    """Compare two graders on the answers that both graded.

    Args:
        first: Key of an answer to verdict.
        second: The same for the other grader.

    Returns:
        Their agreement.
    """
    shared = first.keys() & second.keys()
    equal = sum(first[key] == second[key] for key in shared)
    left, right = Counter(first[key] for key in shared), Counter(second[key] for key in shared)
    total = len(shared)
    chance = sum(left[verdict] * right[verdict] for verdict in left) / total**2 if total else 1.0
    kappa = (equal / total - chance) / (1 - chance) if chance < 1 else None
    return Agreement(count=total, agreements=equal, kappa=kappa)
