"""A passage inherits every page it spans."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.evaluate.metrics.spans import pages_spanned


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 1, [1]),
        (0, 10, [1]),
        (0, 11, [1, 2]),
        (9, 11, [1, 2]),
        (10, 20, [2]),
        (5, 35, [1, 2, 3]),
        (30, 99, [3]),
        (7, 7, []),
        (8, 3, []),
    ],
)
def test_pages_of_a_stretch(start: int, end: int, expected: list[int]) -> None:
    assert list(pages_spanned([0, 10, 25], start, end)) == expected


def test_a_blank_page_is_spanned_only_from_outside() -> None:
    starts = [0, 10, 10, 20]
    assert list(pages_spanned(starts, 0, 10)) == [1]
    assert list(pages_spanned(starts, 12, 15)) == [3]


@given(st.lists(st.integers(1, 20), min_size=1, max_size=12), st.data())
def test_exactly_the_pages_that_share_a_character(lengths: list[int], data: st.DataObject) -> None:
    starts = [0, *accumulate(lengths)][:-1]
    total = sum(lengths)
    start = data.draw(st.integers(0, total - 1))
    end = data.draw(st.integers(start + 1, total))
    touched = [
        number
        for number, (begin, length) in enumerate(zip(starts, lengths, strict=True), start=1)
        if begin < end and begin + length > start
    ]
    assert list(pages_spanned(starts, start, end)) == touched
