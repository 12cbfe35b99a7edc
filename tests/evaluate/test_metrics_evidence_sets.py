"""Evidence as sets, against the best annotator."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.evaluate.metrics.evidence_sets import (
    best_annotator,
    document_recall,
    evidence_scores,
    set_scores,
)
from vectree.evaluate.records import Benchmark, Grading, Question, Reference

UNITS = st.frozensets(st.tuples(st.sampled_from("ab"), st.integers(1, 6)), max_size=8)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(UNITS, UNITS.filter(bool)), min_size=1, max_size=5))
def test_precision_recall_and_f1_equal_those_of_ir_measures(
    pairs: list[tuple[frozenset[tuple[str, int]], frozenset[tuple[str, int]]]],
) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    qrels = [
        ir_measures.Qrel(str(i), f"{doc}/{page}", 1)
        for i, (_, gold) in enumerate(pairs)
        for doc, page in sorted(gold)
    ]
    run = [
        ir_measures.ScoredDoc(str(i), f"{doc}/{page}", 1.0)
        for i, (found, _) in enumerate(pairs)
        for doc, page in sorted(found)
    ]
    measures = [ir_measures.SetP, ir_measures.SetR, ir_measures.SetF]
    theirs = {
        (value.query_id, str(value.measure)): value.value
        for value in ir_measures.iter_calc(measures, qrels, run)
    }
    for i, (found, gold) in enumerate(pairs):
        ours = set_scores(found, gold)
        expected = [theirs.get((str(i), name), 0.0) for name in ("SetP", "SetR", "SetF")]
        assert [ours.precision, ours.recall, ours.f1] == pytest.approx(expected)


def test_precision_and_recall_come_from_the_same_annotator() -> None:
    found = frozenset({("p", 1), ("p", 2), ("p", 3), ("p", 4)})
    narrow = frozenset({("p", 1)})
    wide = frozenset({("p", page) for page in range(1, 9)})
    best = best_annotator(found, [narrow, wide])
    assert best is not None
    assert (best.precision, best.recall) == (1.0, 0.5)


def test_annotators_without_a_gold_unit_do_not_take_part() -> None:
    assert best_annotator(frozenset({("p", 1)}), [frozenset(), None]) is None
    only = best_annotator(frozenset({("p", 1)}), [None, frozenset({("p", 1)}), frozenset()])
    assert only is not None
    assert only.f1 == 1.0


def test_nothing_found_is_zero_and_recall_against_nothing_is_undefined() -> None:
    assert set_scores(frozenset(), frozenset({("p", 1)})).f1 == 0.0
    with pytest.raises(ValueError, match="undefined"):
        set_scores(frozenset({("p", 1)}), frozenset())


def _question() -> Question:
    return Question(
        id="q",
        text="?",
        benchmark=Benchmark.LITQA2,
        grading=Grading.CHOICE,
        references=(Reference(text="x", evidence=frozenset({("gold", 2)})),),
        documents=frozenset({"gold"}),
    )


def test_within_the_gold_document_pages_of_other_papers_do_not_count() -> None:
    found = frozenset({("gold", 2), ("gold", 3), ("other", 1), ("other", 2)})
    within = evidence_scores(_question(), found, within_gold=True)
    everywhere = evidence_scores(_question(), found)
    assert within is not None
    assert everywhere is not None
    assert (within.precision, everywhere.precision) == (0.5, 0.25)


def test_a_document_counts_as_read_with_its_first_page() -> None:
    assert document_recall(_question(), frozenset({("gold", 9)})) == 1.0
    assert document_recall(_question(), frozenset({("other", 2)})) == 0.0


@given(UNITS, UNITS.filter(bool))
def test_f1_is_one_exactly_for_equal_sets(
    found: frozenset[tuple[str, int]], gold: frozenset[tuple[str, int]]
) -> None:
    assert (set_scores(found, gold).f1 == 1.0) == (found == gold)
