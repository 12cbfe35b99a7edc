"""Percentile bootstrap over questions, for one system and for the difference of two (§4.2, §4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95
RESAMPLES = 10_000
SEED = 0

_BATCH = 2_000_000
"""Drawn values held at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean and its confidence interval.

    Attributes:
        mean: Over the questions.
        low: Lower bound.
        high: Upper bound.
        count: Questions.
    """

    mean: float
    low: float
    high: float
    count: int


def bootstrap(
    values: Sequence[float], *, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval | None:
    """Resample questions with replacement.

    Args:
        values: One for each question, averaged over seeds beforehand: the seeds of a question are not
            independent.
        level: Confidence level.
        resamples: How many samples to draw.
        seed: Of the drawing; the same values give the same interval.

    Returns:
        The interval; ``None`` without values.
    """
    if not values:
        return None
    data = np.asarray(values, dtype=np.float64)
    means = _resampled_means(data, resamples, seed)
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(mean=float(data.mean()), low=float(low), high=float(high), count=len(values))


def paired_difference(
    first: Mapping[str, float],
    second: Mapping[str, float],
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval | None:
    """The difference of two systems on the questions that both were asked.

    Args:
        first: Question id to value.
        second: The same for the system that is subtracted.
        level: Confidence level.
        resamples: How many samples to draw.
        seed: Of the drawing.

    Returns:
        Interval of first minus second; ``None`` if they share no question.
    """
    shared = sorted(first.keys() & second.keys())
    differences = [first[key] - second[key] for key in shared]
    return bootstrap(differences, level=level, resamples=resamples, seed=seed)


def _resampled_means(data: NDArray[np.float64], resamples: int, seed: int) -> NDArray[np.float64]:
    generator = np.random.default_rng(seed)
    rows = max(1, _BATCH // len(data))
    means: list[NDArray[np.float64]] = []
    for start in range(0, resamples, rows):
        drawn = generator.integers(0, len(data), size=(min(rows, resamples - start), len(data)))
        means.append(data[drawn].mean(axis=1))
    return np.concatenate(means)
