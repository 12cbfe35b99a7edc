"""Figures that are one formula each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.evaluate.metrics.agreement import agreement
from vectree.evaluate.metrics.choice import choice_figures
from vectree.evaluate.metrics.composite import is_comparable, scaled_cosine
from vectree.evaluate.metrics.factuality import FactualityCounts
from vectree.evaluate.metrics.seeds import mean_by_question, mean_over_seeds
from vectree.evaluate.metrics.shares import citation_support, coverage, faithfulness
from vectree.evaluate.metrics.trajectory import citation_validity, layer_adherence
from vectree.evaluate.records import SystemAnswer
from vectree.evaluate.verdicts import Choice, Correctness, Support
from vectree.evidence import Citation, CitationStatus, Step
from vectree.index.embedder import Fingerprint, HashEmbedder


def test_a_partial_answer_gets_nothing_in_the_headline_and_half_beside_it() -> None:
    assert [each.strict for each in Correctness] == [1.0, 0.0, 0.0]
    assert [each.lenient for each in Correctness] == [1.0, 0.5, 0.0]


def test_an_abstention_lowers_accuracy_and_coverage_but_not_precision() -> None:
    figures = choice_figures([Choice.CORRECT, Choice.CORRECT, Choice.INCORRECT, Choice.ABSTAIN])
    assert figures is not None
    assert (figures.accuracy, figures.precision, figures.coverage) == (0.5, pytest.approx(2 / 3), 0.75)
    silent = choice_figures([Choice.ABSTAIN])
    assert silent is not None
    assert silent.precision is None
    assert choice_figures([]) is None


def test_factuality_counts_statements() -> None:
    counts = FactualityCounts(true_positives=3, false_positives=1, false_negatives=3)
    assert (counts.precision, counts.recall, counts.f1) == (0.75, 0.5, pytest.approx(0.6))
    nothing = FactualityCounts(true_positives=0, false_positives=0, false_negatives=0)
    assert nothing.f1 == 1.0
    silent = FactualityCounts(true_positives=0, false_positives=0, false_negatives=4)
    assert (silent.precision, silent.recall, silent.f1) == (0.0, 0.0, 0.0)


def test_equal_texts_have_a_scaled_cosine_of_one_and_empty_ones_of_zero() -> None:
    embedder = HashEmbedder()
    assert scaled_cosine("moss on a roof", "moss on a roof", embedder) == pytest.approx(1.0)
    assert scaled_cosine(" ", "moss", embedder) == 0.0
    assert 0.0 <= scaled_cosine("moss on a roof", "heat flow", embedder) < 1.0


def test_only_specter_with_cls_pooling_is_comparable() -> None:
    def fingerprint(name: str, pooling: str = "cls", dimension: int = 768) -> Fingerprint:
        return Fingerprint(name=name, revision="1", pooling=pooling, dimension=dimension)

    assert is_comparable(fingerprint("allenai/specter2_base"))
    assert is_comparable(fingerprint("specter2"))
    assert not is_comparable(fingerprint("specter2", pooling="mean"))
    assert not is_comparable(fingerprint("minilm"))
    assert not is_comparable(fingerprint("specter2", dimension=384))


def test_shares_say_when_there_is_nothing_to_divide_by() -> None:
    assert coverage([True, False], reference="r") == 0.5
    assert coverage([], reference=" ") == 1.0
    assert coverage([], reference="r") is None
    assert faithfulness([True, True, False, False], context=True) == 0.5
    assert faithfulness([True], context=False) == 0.0
    assert faithfulness([], context=True) is None
    assert citation_support([Support.FULL, Support.PARTIAL, None, Support.FULL]) == (
        0.75,
        pytest.approx(2 / 3),
    )
    assert citation_support([None]) == (0.0, None)
    assert citation_support([]) == (None, None)


def test_seeds_are_averaged_after_the_questions_within_them() -> None:
    values = {("a", 1): 1.0, ("b", 1): 0.0, ("a", 2): 1.0, ("b", 2): None}
    mean = mean_over_seeds(values)
    assert mean is not None
    assert (mean.mean, mean.lowest, mean.highest, mean.seeds, mean.count) == (0.75, 0.5, 1.0, 2, 3)
    assert mean_by_question(values) == {"a": 1.0, "b": 0.0}
    assert mean_over_seeds({("a", 1): None}) is None


def test_kappa_takes_chance_agreement_out() -> None:
    first = {1: "yes", 2: "yes", 3: "no", 4: "no", 9: "yes"}
    second = {1: "yes", 2: "no", 3: "no", 4: "no", 8: "yes"}
    found = agreement(first, second)
    assert (found.count, found.agreements, found.share) == (4, 3, 0.75)
    assert found.kappa == pytest.approx(0.5)
    assert agreement({1: "yes"}, {1: "yes"}).kappa is None
    assert agreement({}, {1: "yes"}).share is None


@given(st.dictionaries(st.integers(0, 30), st.sampled_from("abc"), min_size=1))
def test_a_grader_agrees_with_itself(verdicts: dict[int, str]) -> None:
    found = agreement(verdicts, verdicts)
    assert found.share == 1.0
    assert found.kappa is None or found.kappa == pytest.approx(1.0)


def test_kappa_of_a_worked_example() -> None:
    """The textbook table: 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no give 0.4."""
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    first = {i: pair[0] for i, pair in enumerate(pairs)}
    second = {i: pair[1] for i, pair in enumerate(pairs)}
    assert agreement(first, second).kappa == pytest.approx(0.4)


def test_citations_of_pages_that_were_not_read_lower_validity() -> None:
    def citation(status: CitationStatus) -> Citation:
        return Citation(doc_id="a", page=1, status=status)

    assert citation_validity([citation(CitationStatus.READ), citation(CitationStatus.UNREAD)]) == 0.5
    assert citation_validity([]) is None


def test_pages_read_before_their_tree_break_the_order_of_layers() -> None:
    def step(call: int, tool: str, layer: int, doc_id: str = "") -> Step:
        return Step(round=call, call=call, tool=tool, layer=layer, arguments={"doc_id": doc_id}, tokens=1)

    kept = (
        step(1, "search_documents", 0),
        step(2, "get_document_tree", 1, "a"),
        step(3, "get_page_content", 2, "a"),
    )
    broken = (step(1, "search_documents", 0), step(2, "get_page_content", 2, "a"))
    assert layer_adherence(SystemAnswer(text="", evidence=frozenset(), trajectory=kept)) == 1.0
    assert layer_adherence(SystemAnswer(text="", evidence=frozenset(), trajectory=broken)) == 0.0
    assert layer_adherence(SystemAnswer(text="", evidence=frozenset())) is None
