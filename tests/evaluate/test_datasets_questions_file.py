"""MOSAIC-format sets and a user's own questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from vectree.errors import UsageError
from vectree.evaluate.datasets.questions_file import read_questions
from vectree.evaluate.records import INSUFFICIENT, Benchmark, Grading, Question


def _read(
    tmp_path: Path, *rows: dict[str, Any], benchmark: Benchmark = Benchmark.OWN
) -> tuple[Question, ...]:
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read_questions(path, benchmark=benchmark).questions


def test_the_small_set_has_ten_questions_of_three_kinds(questions: tuple[Question, ...]) -> None:
    kinds = [question.kind for question in questions]
    assert (len(kinds), kinds.count("aggregation"), kinds.count("comparison"), kinds.count("inference")) == (
        10,
        4,
        3,
        3,
    )
    assert all(question.grading is Grading.SYNTHESIS for question in questions)
    assert all(len(question.documents) >= 2 and question.references[0].chain for question in questions)


def test_a_question_and_an_answer_are_enough(tmp_path: Path) -> None:
    (question,) = _read(tmp_path, {"question": "Why?", "answer": "Because."})
    assert (question.id, question.grading, question.scope) == ("1", Grading.CORRECTNESS, None)
    assert question.references[0].evidence is None


def test_several_answers_documents_and_a_kind(tmp_path: Path) -> None:
    (question,) = _read(
        tmp_path,
        {
            "id": 7,
            "question": "Why?",
            "answers": ["a", "b"],
            "documents": ["x.pdf"],
            "type": "Compare",
            "grading": "correctness",
        },
    )
    assert (question.id, question.kind, question.scope) == ("7", "comparison", {"x.pdf"})
    assert [reference.text for reference in question.references] == ["a", "b"]
    assert question.grading is Grading.CORRECTNESS


@pytest.mark.parametrize("correct", ["red", "A", 0])
def test_options_get_the_one_of_insufficient_information(correct: str | int, tmp_path: Path) -> None:
    (question,) = _read(tmp_path, {"question": "Which?", "options": ["red", "blue"], "correct": correct})
    assert question.options == ("red", "blue", INSUFFICIENT)
    assert (question.gold_option, question.unsure_option, question.grading) == (0, 2, Grading.CHOICE)
    assert question.references[0].text == "red"


def test_an_option_of_insufficient_information_that_is_there_is_not_added_again(tmp_path: Path) -> None:
    given = INSUFFICIENT + "."
    (question,) = _read(tmp_path, {"question": "Which?", "options": [given, "blue"], "correct": "blue"})
    assert (question.options, question.unsure_option) == ((given, "blue"), 0)


@pytest.mark.parametrize(
    "row",
    [
        {"question": "Why?"},
        {"answer": "Because."},
        {"question": "", "answer": "x"},
        {"question": "Which?", "options": ["red", "red"], "correct": "red"},
        {"question": "Which?", "options": ["red", "blue"], "correct": "green"},
        {"question": "Which?", "options": ["red", "blue"]},
        {"question": "Which?", "answer": "red", "grading": "choice"},
        {"question": "Why?", "answer": "x", "evidence": [{"doc_id": "a", "page": 0}]},
        {"question": "Why?", "answer": "x", "grading": "other"},
    ],
)
def test_a_question_that_cannot_be_used_is_refused_by_its_row(row: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"mine\.jsonl, row 1"):
        _read(tmp_path, row)


def test_an_id_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="twice"):
        _read(
            tmp_path, {"id": "a", "question": "1", "answer": "x"}, {"id": "a", "question": "2", "answer": "x"}
        )


@pytest.mark.parametrize("text", ["{", '"x"\n', "[1]", "\x00"])
def test_a_file_that_is_no_json_lines_is_refused_by_its_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text(text)
    with pytest.raises(UsageError, match=r"mine\.jsonl"):
        read_questions(tmp_path / "mine.jsonl")


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_questions(tmp_path / "absent.jsonl")
