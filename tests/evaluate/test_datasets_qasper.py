"""QASPER: both forms of the file, section paths, evidence that is not verbatim."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.errors import UsageError
from vectree.evaluate.datasets.qasper import gold_answer, read_qasper
from vectree.evaluate.datasets.qasper_evidence import EvidenceMap
from vectree.ingest.parsers.qasper.paper import make_paper, section_path


def _columnar(papers: dict[str, Any]) -> list[dict[str, Any]]:
    """The form in which data hubs hand QASPER out."""
    rows = []
    for key, paper in papers.items():
        rows.append(
            {
                "id": key,
                "title": paper["title"],
                "abstract": paper["abstract"],
                "full_text": {
                    "section_name": [section["section_name"] for section in paper["full_text"]],
                    "paragraphs": [section["paragraphs"] for section in paper["full_text"]],
                },
                "qas": {
                    "question": [asked["question"] for asked in paper["qas"]],
                    "question_id": [asked["question_id"] for asked in paper["qas"]],
                    "answers": [
                        {
                            "answer": [each["answer"] for each in asked["answers"]],
                            "annotation_id": [each["annotation_id"] for each in asked["answers"]],
                        }
                        for asked in paper["qas"]
                    ],
                },
            }
        )
    return rows


def test_the_columnar_form_reads_like_the_official_one(data: Path, tmp_path: Path) -> None:
    official = read_qasper(data / "qasper.json")
    rows = _columnar(json.loads((data / "qasper.json").read_text()))
    lines, array, packed = tmp_path / "rows.jsonl", tmp_path / "rows.json", tmp_path / "rows.json.gz"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    array.write_text(json.dumps(rows))
    packed.write_bytes(gzip.compress((data / "qasper.json").read_bytes()))
    for path in (lines, array, packed):
        assert read_qasper(path) == official


def test_one_line_of_json_lines_is_read_too(data: Path, tmp_path: Path) -> None:
    rows = _columnar(json.loads((data / "qasper.json").read_text()))
    (tmp_path / "one.jsonl").write_text(json.dumps(rows[1]))
    assert [paper.id for paper in read_qasper(tmp_path / "one.jsonl").papers] == ["2101.00002"]


def test_parents_of_section_paths_are_made_up_and_blank_paragraphs_left_out(data: Path) -> None:
    knitting = read_qasper(data / "qasper.json").papers[0]
    assert [(section.path, section.synthetic) for section in knitting.sections] == [
        (("Introduction",), False),
        (("Experiments",), True),
        (("Experiments", "Data"), False),
        (("Experiments", "Results"), True),
        (("Experiments", "Results", "Ablation"), False),
        ((), False),
    ]
    assert [page.number for page in knitting.pages] == [1, 2, 3, 4, 5]
    assert knitting.abstract not in [page.text for page in knitting.pages]
    assert knitting.pages[4].path == ()


def test_a_parent_that_returns_after_another_section_is_made_up_again() -> None:
    paper = make_paper(
        "x", title="", abstract="", named=[("A ::: b", ["1"]), ("C", ["2"]), ("A ::: d", ["3"])]
    )
    assert [section.path for section in paper.sections] == [("A",), ("A", "b"), ("C",), ("A",), ("A", "d")]


def test_a_paper_without_body_has_its_abstract_as_its_page_and_its_questions_left_out(data: Path) -> None:
    read = read_qasper(data / "qasper.json")
    assert [page.text for page in read.papers[2].pages] == [
        "Nothing was kept of this paper but its abstract."
    ]
    assert "n1" not in {question.id for question in read.dataset.questions}
    assert "2101.00003" in read.dataset.warnings[0]


def test_evidence_is_found_verbatim_reworded_as_heading_and_not_at_all(data: Path) -> None:
    read = read_qasper(data / "qasper.json")
    by_id = {question.id: question for question in read.dataset.questions}
    first, second = by_id["k1"].references
    assert first.evidence == second.evidence == {("2101.00001", 2)}, (
        "the heading adds nothing to its paragraph"
    )
    assert by_id["k2"].references[0].evidence == {("2101.00001", 3)}
    assert by_id["k3"].references[0].evidence == frozenset(), "unanswerable: known to have none"
    assert by_id["k4"].references[0].evidence is None, "a figure alone: not known"
    assert by_id["s1"].references[0].evidence == {("2101.00002", 2)}, (
        "a heading alone: where its section begins"
    )
    assert (read.floats, read.unmapped) == (1, 0)


def test_evidence_that_stands_nowhere_is_counted() -> None:
    paper = make_paper("x", title="", abstract="", named=[("A", ["Some paragraph about bees and flowers."])])
    found = EvidenceMap(paper).find(("An entirely different text on steel bridges.",))
    assert found.pages == frozenset()
    assert len(found.unmapped) == 1


def test_questions_know_their_type_scope_and_references(data: Path) -> None:
    questions = read_qasper(data / "qasper.json").dataset.questions
    assert [(question.id, question.kind) for question in questions] == [
        ("k1", "extractive"),
        ("k2", "boolean"),
        ("k3", "none"),
        ("k4", "abstractive"),
        ("s1", "extractive"),
    ]
    assert questions[0].scope == {"2101.00001"}
    assert [reference.text for reference in questions[0].references] == ["480 charts", "480, from nine books"]
    assert questions[2].references[0].text == "Unanswerable"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"unanswerable": True, "extractive_spans": ["x"]}, ("Unanswerable", "none")),
        ({"extractive_spans": ["a", "b"], "free_form_answer": "c", "yes_no": True}, ("a, b", "extractive")),
        ({"free_form_answer": "c", "yes_no": True}, ("c", "abstractive")),
        ({"yes_no": True}, ("Yes", "boolean")),
        ({"yes_no": False}, ("No", "boolean")),
        ({}, ("", "")),
    ],
)
def test_gold_answers_are_read_in_the_order_of_the_official_evaluator(
    answer: dict[str, Any], expected: tuple[str, str]
) -> None:
    assert gold_answer(answer) == expected


@pytest.mark.parametrize("text", ["[]x", "{", '{"a": 3}', "nonsense", '[{"id": "x"}]', "[3]"])
def test_a_file_that_is_no_qasper_is_refused_in_one_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(UsageError, match=r"bad\.json"):
        read_qasper(tmp_path / "bad.json")


@given(st.text(max_size=60))
def test_a_section_path_never_holds_blank_titles(name: str) -> None:
    assert all(part.strip() == part and part for part in section_path(name))


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["A", "A ::: B", "A ::: B ::: C", "D ::: E", None]),
            st.lists(st.text(max_size=8), max_size=3),
        )
    )
)
def test_every_section_follows_its_parent(named: list[tuple[str | None, list[str]]]) -> None:
    paper = make_paper("x", title="", abstract="", named=named)
    stack: tuple[str, ...] = ()
    for section in paper.sections:
        assert section.path[:-1] == stack[: max(0, len(section.path) - 1)]
        stack = section.path
    kept = [text for _, paragraphs in named for text in paragraphs if text.strip()]
    assert [page.text for page in paper.pages] == kept


def test_the_real_dev_file_is_read_whole(shared_data: Path) -> None:
    read = read_qasper(shared_data / "qasper" / "qasper-dev-v0.3.json.gz")
    assert (len(read.papers), len(read.dataset.questions)) == (281, 1005)
    assert read.unmapped <= 5
