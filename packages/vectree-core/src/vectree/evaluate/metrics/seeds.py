"""Averaging: macro over the questions within each seed, then over the seeds (§4.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedMean:
    """A figure as tables report it.

    Attributes:
        mean: Mean of the seed-level values.
        lowest: Lowest seed-level value.
        highest: Highest seed-level value.
        seeds: Number of seeds.
        count: Values averaged, over all seeds.
    """

    mean: float
    lowest: float
    highest: float
    seeds: int
    count: int


def mean_over_seeds(values: Mapping[tuple[str, int], float | None]) -> SeedMean | None:
    """Average a metric.

    Args:
        values: Question id and seed to value; ``None`` where the metric does not apply.

    Returns:
        The figure; ``None`` if it applies nowhere.
    """
    by_seed: defaultdict[int, list[float]] = defaultdict(list)
    for (_, seed), value in values.items():
        if value is not None:
            by_seed[seed].append(value)
    if not by_seed:
        return None
    levels = [fmean(each) for each in by_seed.values()]
    return SeedMean(
        mean=fmean(levels),
        lowest=min(levels),
        highest=max(levels),
        seeds=len(levels),
        count=sum(map(len, by_seed.values())),
    )


def mean_by_question(values: Mapping[tuple[str, int], float | None]) -> dict[str, float]:
    """Average a metric over the seeds of each question, for the bootstrap.

    Args:
        values: Question id and seed to value.

    Returns:
        Question id to mean, in order of id.
    """
    by_question: defaultdict[str, list[float]] = defaultdict(list)
    for (question, _), value in sorted(values.items()):
        if value is not None:
            by_question[question].append(value)
    return {question: fmean(each) for question, each in by_question.items()}
