"""Tables for people, and what comes back."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from vectree.errors import UsageError
from vectree.evaluate.mosaic.draft import Draft
from vectree.evaluate.mosaic.review import COLUMNS, Verdict, only_kept, read_reviews, review_table

KNOWN = ["q1", "q2", "q3"]


def review(folder: Path, name: str, verdicts: dict[str, str], head: str = "id,verdict,comment") -> Path:
    path = folder / f"{name}.csv"
    lines = [head, *(f"{question},{verdict},so" for question, verdict in verdicts.items())]
    path.write_text("\n".join(lines))
    return path


def test_the_table_shows_question_answer_chain_and_quoted_evidence(draft: Draft) -> None:
    (row,) = csv.DictReader(io.StringIO(review_table([draft.as_row("q1")])))
    assert tuple(row) == COLUMNS
    assert row["question"] == draft.question
    assert row["reasoning"].startswith("1. Narvik says 1.\n2. ")
    assert "lamp1, p.2: shed their ice at 1 degrees" in row["evidence"]
    assert row[COLUMNS[-2]] == ""


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx"])
def test_no_cell_is_a_formula(draft: Draft, text: str) -> None:
    made: dict[str, Any] = {**draft.as_row("q1"), "question": text}
    (row,) = csv.DictReader(io.StringIO(review_table([made])))
    assert row["question"] == f"'{text}"


def test_verdicts_come_back_with_their_agreement(tmp_path: Path) -> None:
    files = [
        review(tmp_path, "ana", {"q1": "keep", "q2": "Drop", "q3": ""}),
        review(tmp_path, "ben", {"q1": "keep", "q2": "keep", "q3": "fix"}),
    ]
    found = read_reviews(files, KNOWN)
    assert found.verdicts["ana"] == {"q1": Verdict.KEEP, "q2": Verdict.DROP}
    pair = found.agreements["ana", "ben"]
    assert (pair.count, pair.agreements) == (2, 1)
    assert found.with_checks == pytest.approx(3 / 5)
    assert found.kept == {"q1"}
    assert found.counts == {"keep": 3, "drop": 1, "fix": 1}
    assert found.comments["ben"]["q3"] == "so"


def test_a_filled_in_table_is_read_whatever_the_spreadsheet_made_of_it(tmp_path: Path, draft: Draft) -> None:
    rows = list(csv.reader(io.StringIO(review_table([draft.as_row("q1")]))))
    rows[1][-2] = " KEEP "
    out = io.StringIO()
    csv.writer(out, delimiter=";").writerows(rows)
    path = tmp_path / "cem.csv"
    path.write_text(out.getvalue(), encoding="utf-8-sig")
    assert read_reviews([path], KNOWN).kept == {"q1"}


def test_only_questions_that_most_keep_are_written(tmp_path: Path, draft: Draft) -> None:
    rows = [draft.as_row(question) for question in KNOWN]
    found = read_reviews([review(tmp_path, "ana", {"q1": "keep", "q2": "drop"})], KNOWN)
    assert [json.loads(line)["id"] for line in only_kept(rows, found).splitlines()] == ["q1"]


def test_no_verdict_is_no_agreement(tmp_path: Path) -> None:
    found = read_reviews([review(tmp_path, "ana", {})], KNOWN)
    assert (found.with_checks, found.kept) == (None, frozenset())


@pytest.mark.parametrize(
    ("verdicts", "head", "fault"),
    [
        ({"q1": "good"}, "id,verdict,comment", "row 2: a verdict is keep, fix or drop, not 'good'"),
        ({"q9": "keep"}, "id,verdict,comment", "has no question 'q9'"),
        ({"q1": "keep"}, "name,opinion,comment", "no columns 'id' and 'verdict'"),
    ],
)
def test_what_cannot_be_read_is_refused(
    tmp_path: Path, verdicts: dict[str, str], head: str, fault: str
) -> None:
    with pytest.raises(UsageError, match=fault):
        read_reviews([review(tmp_path, "ana", verdicts, head)], KNOWN)


def test_two_reviewers_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    files = [review(tmp_path, "ana", {}), review(tmp_path / "b", "ana", {})]
    with pytest.raises(UsageError, match="Two reviews"):
        read_reviews(files, KNOWN)
