"""One grade an answer, in the way its question asks for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from vectree.errors import ModelReplyError
from vectree.evaluate.grading import Grader
from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.records import Benchmark, Grading, Question, Reference, SystemAnswer
from vectree.index.embedder import HashEmbedder
from vectree.llm.chat import ChatRequest
from vectree.llm.scripted import FunctionModel, ScriptedModel

SYNTHESIS = Question(
    id="m",
    text="Compare.",
    benchmark=Benchmark.MOSAIC,
    grading=Grading.SYNTHESIS,
    references=(Reference(text="Moss is wet. Moss is green."),),
)


def rubric(request: ChatRequest) -> str:
    """A judge that answers each kind of question in its form."""
    prompt = request.messages[-1].text
    replies: dict[str, Any] = {
        '"statements"': {"statements": ["Moss is wet.", "Moss is red."]},
        '"true_positives"': {"true_positives": [1], "false_positives": [2], "false_negatives": [2]},
        '"facts"': {"facts": ["Moss is wet.", "Moss is green."]},
        '"covered"': {"covered": [1]},
        '"supported"': {"supported": [1, 2]},
        '"verdicts"': {"verdicts": [{"sentence": 1, "support": "full"}]},
        '"selected"': {"verdict": "correct", "selected": "A"},
        '"verdict"': {"verdict": "partial"},
    }
    form = prompt[prompt.rindex("Form:") :]
    return json.dumps(next(reply for mark, reply in replies.items() if mark in form))


def _grader(model: Any, **options: Any) -> Grader:
    return Grader(Judge(model), lambda unit: f"page {unit[1]}", **options)


def test_synthesis_gives_every_figure_of_table_4() -> None:
    answer = SystemAnswer(text="Moss is wet. Moss is red.", evidence=frozenset(), context=("wet and red",))
    grade = _grader(FunctionModel(rubric), embedder=HashEmbedder()).grade(SYNTHESIS, answer)
    metrics = grade.metrics
    assert metrics["factuality_f1"] == metrics["factuality_precision"] == metrics["factuality_recall"] == 0.5
    assert (metrics["coverage"], metrics["faithfulness"]) == (0.5, 1.0)
    assert metrics["composite"] == pytest.approx(0.75 * 0.5 + 0.25 * (metrics["scaled_cosine"] or 0))
    assert grade.details["counts"] == [1, 1, 1]
    assert grade.details["cosine_comparable"] is False
    assert grade.calls == 6


def test_what_depends_on_the_reference_alone_is_asked_once() -> None:
    model = FunctionModel(rubric)
    grader = _grader(model)
    answers = [SystemAnswer(text=f"Answer {i}.", evidence=frozenset(), context=("x",)) for i in range(3)]
    grades = [grader.grade(SYNTHESIS, answer) for answer in answers]
    assert [grade.calls for grade in grades] == [6, 4, 4]
    assert grades[0].metrics["composite"] is None


def test_an_empty_synthesis_has_no_merit_and_an_unread_context_no_faith() -> None:
    grader = _grader(FunctionModel(rubric), embedder=HashEmbedder())
    empty = grader.grade(SYNTHESIS, SystemAnswer(text="", evidence=frozenset()))
    assert (empty.metrics["factuality_f1"], empty.metrics["composite"], empty.metrics["coverage"]) == (
        0.0,
        0.0,
        0.0,
    )
    assert empty.metrics["faithfulness"] is None
    unread = grader.grade(SYNTHESIS, SystemAnswer(text="Moss is wet.", evidence=frozenset()))
    assert unread.metrics["faithfulness"] == 0.0


def test_correctness_and_choice_carry_verdict_and_mechanical_reading() -> None:
    free = Question(
        id="q",
        text="?",
        benchmark=Benchmark.QASPER,
        grading=Grading.CORRECTNESS,
        references=(Reference(text="No", kind="boolean"),),
    )
    grade = _grader(FunctionModel(rubric)).grade(free, SystemAnswer(text="Yes.", evidence=frozenset()))
    assert (grade.verdict, grade.mechanical) == ("partial", "incorrect")
    assert grade.metrics == {"correctness": 0.0, "correctness_partial": 0.5}
    choice = Question(
        id="c",
        text="?",
        benchmark=Benchmark.LITQA2,
        grading=Grading.CHOICE,
        references=(Reference(text="x"),),
        options=("x", "y"),
        gold_option=0,
    )
    grade = _grader(FunctionModel(rubric)).grade(choice, SystemAnswer(text="A", evidence=frozenset()))
    assert (grade.verdict, grade.selected, grade.mechanical) == ("correct", "A", "correct")
    assert grade.metrics == {"accuracy": 1.0, "answered": 1.0}


def test_citations_are_checked_only_where_pages_were_read_and_only_if_wanted() -> None:
    cited = SystemAnswer(
        text="Moss is wet (Lee et al., 2021, lee2021-aa, p.2).", evidence=frozenset({("lee2021-aa", 2)})
    )
    grade = _grader(FunctionModel(rubric)).grade(SYNTHESIS, cited)
    assert (grade.metrics["cited_sentences"], grade.metrics["citation_support"]) == (1.0, 1.0)
    assert (
        "citation_support"
        not in _grader(FunctionModel(rubric), citations=False).grade(SYNTHESIS, cited).metrics
    )
    unread = SystemAnswer(text=cited.text, evidence=frozenset())
    assert "citation_support" not in _grader(FunctionModel(rubric)).grade(SYNTHESIS, unread).metrics


def test_a_judge_that_fails_on_one_part_gives_no_half_grade() -> None:
    with pytest.raises(ModelReplyError):
        _grader(ScriptedModel(["no"] * 3)).grade(SYNTHESIS, SystemAnswer(text="x", evidence=frozenset()))
