from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.ingest.succession import Numbered, best_chain


def chain(*parts, weights=None):
    weights = weights or [1.0] * len(parts)
    items = [
        Numbered(index=index, parts=part, weight=weight)
        for index, (part, weight) in enumerate(zip(parts, weights, strict=True))
    ]
    found = best_chain(items)
    return found.members if found else ()


@pytest.mark.parametrize(
    "parts",
    [
        [(1,), (2,), (3,)],
        [(1,), (1, 1), (1, 2), (2,), (2, 1), (2, 1, 1), (3,)],
        [(1, 1), (1, 2), (2, 1)],
        [(0,), (1,), (2,)],
    ],
)
def test_an_outline_is_one_chain(parts) -> None:
    assert chain(*parts) == tuple(range(len(parts)))


def test_items_of_a_list_do_not_break_into_the_outline() -> None:
    parts = [(1,), (1,), (2,), (3,), (2,), (3,)]
    weights = [1.0, 0.4, 0.4, 0.4, 1.0, 1.0]
    assert chain(*parts, weights=weights) == (0, 4, 5)


def test_a_missing_number_does_not_end_the_chain() -> None:
    assert chain((1,), (2,), (4,), (5,)) == (0, 1, 2, 3)


def test_a_number_that_does_not_follow_is_left_out() -> None:
    assert chain((1,), (7, 3), (2,), (3,)) == (0, 2, 3)


def test_nothing_makes_no_chain() -> None:
    assert best_chain([]) is None


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple), max_size=40))
def test_members_come_in_document_order_without_repeats(parts) -> None:
    members = chain(*parts)
    assert list(members) == sorted(set(members))
