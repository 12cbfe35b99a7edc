"""QASPER's official figures."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.evaluate.datasets.qasper import read_qasper
from vectree.evaluate.metrics.qasper_f1 import Prediction, paragraph_f1, qasper_figures, qasper_score
from vectree.evaluate.metrics.token_f1 import answer_tokens, token_f1
from vectree.evaluate.records import Reference


@pytest.mark.parametrize("text_only", [False, True])
def test_all_figures_equal_the_official_evaluators(
    shared_data: Path, tmp_path: Path, text_only: bool
) -> None:
    """119 predictions on forty papers, every seventeenth question without one."""
    check = json.loads((shared_data / "qasper" / "evaluator-check.json").read_text())
    dev = json.loads(gzip.decompress((shared_data / "qasper" / "qasper-dev-v0.3.json.gz").read_bytes()))
    (tmp_path / "part.json").write_text(json.dumps({key: dev[key] for key in check["papers"]}))
    questions = read_qasper(tmp_path / "part.json").dataset.questions
    predictions = {
        each["question_id"]: Prediction(
            answer=each["predicted_answer"], evidence=tuple(each["predicted_evidence"])
        )
        for each in check["predictions"]
    }
    official = check["official"]["text_evidence_only" if text_only else "all_evidence"]
    ours = qasper_figures(questions, predictions, text_evidence_only=text_only)
    assert ours.answer_f1 == pytest.approx(official["Answer F1"], abs=1e-12)
    assert ours.answer_f1_by_kind == pytest.approx(official["Answer F1 by type"], abs=1e-12)
    assert ours.evidence_f1 == pytest.approx(official["Evidence F1"], abs=1e-12)
    assert ours.missing == official["Missing predictions"]


def test_a_small_set_scored_by_hand(data: Path) -> None:
    questions = read_qasper(data / "qasper.json").dataset.questions
    paragraph = "We collected 480 charts from nine pattern books and asked two knitters to transcribe them."
    predictions = {
        "k1": Prediction(
            answer="480 charts from books", evidence=(paragraph, "Charts with colour work were left out.")
        ),
        "k2": Prediction(answer="no.", evidence=()),
        "k3": Prediction(answer="Unanswerable"),
        "k4": Prediction(answer="A chart", evidence=("FLOAT SELECTED: Figure 1: A chart.",)),
    }
    figures = qasper_figures(questions, predictions)
    # k1: 2 of 4 tokens and 2 of 2 against the first, 3 of 4 and 3 of 4 against the second.
    assert figures.answer_f1_by_kind == {
        "abstractive": pytest.approx((0.75 + 1) / 2),
        "boolean": 1.0,
        "none": 1.0,
    }
    assert figures.answer_f1 == pytest.approx((0.75 + 1 + 1 + 1 + 0) / 5)
    assert figures.evidence_f1 == pytest.approx((2 / 3 + 0 + 1 + 1 + 0) / 5)
    assert figures.missing == 1
    without_floats = qasper_figures(questions, predictions, text_evidence_only=True)
    assert without_floats.evidence_f1 == pytest.approx((2 / 3 + 0 + 1 + 0 + 0) / 5)


def test_articles_case_and_punctuation_do_not_matter() -> None:
    assert answer_tokens("The  BERT-base, a model.") == ["bertbase", "model"]
    assert token_f1("The model!", "a MODEL") == 1.0
    assert token_f1("", "") == 0.0
    assert token_f1("the", "a") == 0.0


def test_repeated_tokens_count_as_often_as_both_have_them() -> None:
    assert token_f1("b b b c", "b b d") == pytest.approx(2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3))


def test_the_first_of_equally_good_references_gives_the_type() -> None:
    references = (Reference(text="x", kind="abstractive"), Reference(text="y", kind="extractive"))
    assert qasper_score(Prediction(answer="z"), references).kind == "abstractive"


def test_duplicates_hurt_the_official_precision() -> None:
    assert paragraph_f1(["p", "p"], ["p"]) == pytest.approx(2 / 3)
    assert paragraph_f1([], []) == 1.0
    assert paragraph_f1(["p"], []) == paragraph_f1([], ["p"]) == 0.0


@given(st.text(max_size=40), st.text(max_size=40))
def test_token_f1_is_symmetric_and_between_0_and_1(first: str, second: str) -> None:
    assert 0.0 <= token_f1(first, second) <= 1.0
    assert token_f1(first, second) == pytest.approx(token_f1(second, first))
