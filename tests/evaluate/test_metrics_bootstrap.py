"""The percentile bootstrap over questions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.evaluate.metrics.bootstrap import bootstrap, paired_difference


def test_the_interval_of_a_share_is_close_to_the_normal_one() -> None:
    values = [1.0] * 50 + [0.0] * 4
    interval = bootstrap(values)
    assert interval is not None
    assert interval.mean == pytest.approx(50 / 54)
    # The paper reports [0.85, 0.98] for 0.925 on 54 questions (§4.4).
    assert (round(interval.low, 2), round(interval.high, 2)) == (0.85, 0.98)


def test_the_same_values_give_the_same_interval() -> None:
    values = [0.1, 0.9, 0.4, 0.4, 1.0]
    assert bootstrap(values) == bootstrap(values)
    assert bootstrap(values) != bootstrap(values, seed=1)


def test_equal_values_have_no_width_and_none_have_no_interval() -> None:
    interval = bootstrap([0.5] * 20)
    assert interval is not None
    assert (interval.low, interval.high) == (0.5, 0.5)
    assert bootstrap([]) is None


def test_drawing_in_batches_changes_nothing_but_memory() -> None:
    values = list(np.linspace(0, 1, 700))
    interval = bootstrap(values, resamples=6000)
    assert interval is not None
    assert interval.low < 0.5 < interval.high
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * np.std(values) / np.sqrt(700), rel=0.08)


def test_differences_are_taken_question_by_question() -> None:
    first = {str(i): i / 10 + 0.1 for i in range(10)}
    second = {str(i): i / 10 for i in range(5, 20)}
    gap = paired_difference(first, second)
    assert gap is not None
    assert gap.count == 5
    assert (gap.low, gap.high) == (pytest.approx(0.1), pytest.approx(0.1))
    assert paired_difference({"a": 1.0}, {"b": 1.0}) is None


@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_the_mean_lies_within_the_range_of_the_values(values: list[float]) -> None:
    interval = bootstrap(values, resamples=200)
    assert interval is not None
    assert min(values) - 1e-9 <= interval.low <= interval.high <= max(values) + 1e-9
