"""The fixed sample keeps the shares of the kinds."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from vectree.evaluate.datasets.sampling import largest_remainder, stratified_sample
from vectree.evaluate.records import Benchmark, Grading, Question


def _questions(counts: dict[str, int]) -> list[Question]:
    return [
        Question(
            id=f"{kind}{i}", text="?", benchmark=Benchmark.QASPER, grading=Grading.CORRECTNESS, kind=kind
        )
        for kind, count in counts.items()
        for i in range(count)
    ]


def test_three_hundred_of_the_test_split_have_the_papers_composition() -> None:
    """Appendix A: 151 extractive, 77 abstractive, 43 yes/no, 29 unanswerable of 1,451."""
    split = {"extractive": 730, "abstractive": 373, "boolean": 208, "none": 140}
    drawn = stratified_sample(_questions(split), 300)
    assert Counter(question.kind for question in drawn) == {
        "extractive": 151,
        "abstractive": 77,
        "boolean": 43,
        "none": 29,
    }


def test_the_sample_depends_on_the_seed_and_not_on_the_order_of_the_file() -> None:
    questions = _questions({"a": 40, "b": 20})
    first = {question.id for question in stratified_sample(questions, 12, seed=1)}
    assert {question.id for question in stratified_sample(questions[::-1], 12, seed=1)} == first
    assert {question.id for question in stratified_sample(questions, 12, seed=2)} != first


def test_a_sample_as_large_as_the_set_is_the_set() -> None:
    questions = _questions({"a": 3})
    assert stratified_sample(questions, 3) == stratified_sample(questions, 99) == tuple(questions)


@given(
    st.dictionaries(st.sampled_from("abcd"), st.integers(1, 50), min_size=1).flatmap(
        lambda counts: st.tuples(st.just(counts), st.integers(0, sum(counts.values())))
    )
)
def test_seats_add_up_and_no_group_gets_more_than_it_has(case: tuple[dict[str, int], int]) -> None:
    counts, seats = case
    given_seats = largest_remainder(counts, seats)
    assert sum(given_seats.values()) == seats
    assert all(0 <= given_seats[name] <= counts[name] for name in counts)
    total = sum(counts.values())
    assert all(abs(given_seats[name] - seats * counts[name] / total) < 1 for name in counts)
