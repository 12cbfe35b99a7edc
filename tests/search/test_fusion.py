import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.search.fusion import ABSENT, fuse, fuse_few, ranks

values = st.lists(st.floats(-1, 1, allow_nan=False), min_size=1, max_size=30)


def ranked(found, listed=None, order=None):
    n = len(found)
    return ranks(
        np.array(found),
        np.ones(n, dtype=bool) if listed is None else np.array(listed, dtype=bool),
        np.arange(n) if order is None else np.array(order),
    )


def test_ranks_count_from_one_and_the_largest_value_is_first():
    assert ranked([0.2, 0.9, 0.5]).tolist() == [3, 1, 2]


def test_who_is_not_listed_has_no_rank_and_takes_no_place():
    assert ranked([0.9, 0.8, 0.7], listed=[False, True, True]).tolist() == [ABSENT, 1, 2]


def test_ties_break_by_the_stable_key():
    assert ranked([0.5, 0.5, 0.5], order=[2, 0, 1]).tolist() == [3, 1, 2]


def test_absent_from_a_list_contributes_nothing():
    assert fuse(np.array([1, ABSENT]), np.array([ABSENT, 2])).tolist() == [1 / 61, 1 / 62]


def test_no_documents_have_no_ranks():
    assert fuse(ranked([]), ranked([])).tolist() == []


@given(values, values, st.randoms())
def test_fusion_does_not_depend_on_the_order_of_its_input(dense, sparse, random):
    n = min(len(dense), len(sparse))
    order = list(range(n))
    random.shuffle(order)
    straight = fuse(ranked(dense[:n]), ranked(sparse[:n]))
    shuffled = fuse(
        ranked([dense[i] for i in order], order=order), ranked([sparse[i] for i in order], order=order)
    )
    assert shuffled.tolist() == [straight[i] for i in order]


@given(values, st.data())
def test_a_better_value_never_lowers_the_fused_value(found, data):
    place = data.draw(st.integers(0, len(found) - 1))
    better = list(found)
    better[place] += data.draw(st.floats(0, 1))
    sparse = ranked(found[::-1])
    assert fuse(ranked(better), sparse)[place] >= fuse(ranked(found), sparse)[place]


@pytest.mark.parametrize(("rank", "kept"), [(16, True), (17, False)])
def test_one_list_alone_reaches_forty_percent_of_the_best_value_up_to_rank_16(rank, kept):
    best = fuse(np.array([1]), np.array([1]))[0]
    assert (fuse(np.array([rank]), np.array([ABSENT]))[0] >= 0.40 * best) == kept


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0, 9)), max_size=12))
def test_a_few_items_are_fused_as_arrays_are(pairs):
    dense, sparse = [s for s, _ in pairs], [b for _, b in pairs]
    found = fuse_few(
        {i: s for i, s in enumerate(dense) if s >= 0.3}, {i: b for i, b in enumerate(sparse) if b > 0}
    )
    expected = fuse(ranked(dense, [s >= 0.3 for s in dense]), ranked(sparse, [b > 0 for b in sparse]))
    assert dict(found) == pytest.approx({i: value for i, value in enumerate(expected) if value > 0})
    assert [value for _, value in found] == sorted((value for _, value in found), reverse=True)
