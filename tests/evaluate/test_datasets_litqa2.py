"""LitQA2: options, order, sources."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from vectree.errors import UsageError
from vectree.evaluate.datasets.litqa2 import bare_doi, read_litqa2, shuffled_options
from vectree.evaluate.records import INSUFFICIENT


def test_every_question_has_the_option_of_insufficient_information(data: Path) -> None:
    for question in read_litqa2(data / "litqa2.jsonl").questions:
        assert question.gold_option is not None
        assert question.unsure_option is not None
        assert question.options[question.unsure_option] == INSUFFICIENT
        assert question.options[question.gold_option] == question.references[0].text
        assert question.asked.count("\n") == len(question.options) + 2


def test_the_order_of_options_is_fixed_for_a_seed_and_differs_between_questions() -> None:
    options = [shuffled_options(str(i), "right", ["w1", "w2", "w3"], seed=0) for i in range(400)]
    assert options == [shuffled_options(str(i), "right", ["w1", "w2", "w3"], seed=0) for i in range(400)]
    places = Counter(order.index("right") for order in options)
    assert set(places) == set(range(5))
    assert max(places.values()) < 2 * min(places.values())


def test_documents_are_named_by_bare_doi_and_the_canary_is_kept(data: Path) -> None:
    read = read_litqa2(data / "litqa2.jsonl")
    assert [sorted(question.documents) for question in read.questions] == [
        ["10.9999/roof.51"],
        ["10.9999/roof.7c"],
        ["10.9999/absent"],
    ]
    assert read.canary == "INVENTED DATA, NOT LAB-BENCH"


@pytest.mark.parametrize(
    "written",
    [
        "https://doi.org/10.1/AB",
        "http://doi.org/10.1/ab",
        "https://dx.doi.org/10.1/aB ",
        "doi:10.1/ab",
        "10.1/ab",
    ],
)
def test_a_doi_is_the_same_however_it_is_written(written: str) -> None:
    assert bare_doi(written) == "10.1/ab"


def test_a_file_with_pages_and_paths_gives_evidence_at_once(tmp_path: Path) -> None:
    row = {
        "id": "x",
        "question": "?",
        "ideal": "a",
        "distractors": ["b"],
        "doi": "10.1/ab",
        "key_passage": "p",
        "pdf": "pdfs/one.pdf",
        "gold_pages": [3],
        "sources": None,
    }
    (tmp_path / "q.jsonl").write_text(json.dumps(row) + "\n\n")
    read = read_litqa2(tmp_path / "q.jsonl")
    assert read.questions[0].references[0].evidence == {("10.1/ab", 3)}
    assert read.documents["10.1/ab"].source == "pdfs/one.pdf"


def test_a_question_without_a_source_is_refused(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"id": "x", "question": "?", "ideal": "a", "distractors": []}\n')
    with pytest.raises(UsageError, match="row 1"):
        read_litqa2(tmp_path / "q.jsonl")
