from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from vectree.document import Match
from vectree.errors import CorruptDocument, ParseError
from vectree.ingest.parsers.part import BrokenPart
from vectree.ingest.parsers.qasper.parts import QasperPart, qasper_parts
from vectree.ingest.pipeline import Ingested, ingest
from vectree.tree.outline import outline_json
from vectree.tree.walk import walk

PAPER: dict[str, Any] = {
    "title": "Parsing with trees",
    "abstract": "We show how papers can be parsed with trees, and measure how well that works.",
    "full_text": [
        {"section_name": "Introduction", "paragraphs": ["First.", "", "Second."]},
        {"section_name": "Experiments ::: Setup ::: Data", "paragraphs": ["Third."]},
        {"section_name": "Experiments ::: Setup ::: Models", "paragraphs": []},
        {"section_name": "Results ::: Setup", "paragraphs": ["# Fourth."]},
        {"section_name": None, "paragraphs": ["Fifth."]},
        {"section_name": "Acknowledgements", "paragraphs": []},
    ],
    "qas": [{"question": "What is the secret?", "question_id": "q", "answers": []}],
    "figures_and_tables": [{"caption": "x", "file": "y"}],
}
COLUMNS: dict[str, Any] = {
    "id": "1909.00694",
    "title": PAPER["title"],
    "abstract": PAPER["abstract"],
    "full_text": {
        "section_name": [each["section_name"] for each in PAPER["full_text"]],
        "paragraphs": [each["paragraphs"] for each in PAPER["full_text"]],
    },
    "qas": {"question": ["Another?"], "answers": [{"answer": []}]},
}
FORMS = {
    "official.json": json.dumps({"1909.00694": PAPER}),
    "array.json": json.dumps([COLUMNS]),
    "lines.jsonl": json.dumps(COLUMNS) + "\n\n" + json.dumps({**COLUMNS, "id": "x", "title": "Other"}) + "\n",
    "one.json": json.dumps(COLUMNS),
}


def parts(folder: Path, text: str | bytes, name: str = "q.json") -> list[QasperPart | BrokenPart]:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(qasper_parts(path))


def read(folder: Path, paper: dict[str, Any] = PAPER) -> Ingested:
    [part] = parts(folder, json.dumps({"1909.00694": paper}))
    assert isinstance(part, QasperPart)
    return ingest(folder / "q.json", parser=part.parser, figures=folder)


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_give_the_same_paper(tmp_path: Path, form: str) -> None:
    first = parts(tmp_path, FORMS[form])[0]
    [official] = parts(tmp_path, FORMS["official.json"])
    packed = parts(tmp_path, gzip.compress(FORMS[form].encode()))[0]
    assert isinstance(first, QasperPart)
    assert first == official == packed
    assert first.key == "1909.00694"


def test_questions_change_no_hash_and_are_nowhere(tmp_path: Path) -> None:
    [one] = parts(tmp_path, json.dumps({"a": PAPER}))
    [other] = parts(tmp_path, json.dumps({"b": {**PAPER, "qas": []}}))
    [changed] = parts(tmp_path, json.dumps({"a": {**PAPER, "title": "New"}}))
    assert isinstance(one, QasperPart)
    assert isinstance(other, QasperPart)
    assert isinstance(changed, QasperPart)
    assert one.sha256 == other.sha256 != changed.sha256
    found = read(tmp_path)
    assert "secret" not in repr((found.pages, found.tree, found.metadata, found.report))


def test_every_paragraph_is_a_page_and_paths_become_a_tree(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert [page.raw for page in found.pages] == ["First.", "Second.", "Third.", "# Fourth.", "Fifth."]
    assert found.metadata.title == "Parsing with trees"
    assert found.metadata.year == 2019
    assert found.metadata.description == PAPER["abstract"]

    def shape(nodes: list[dict[str, Any]]) -> list[Any]:
        return [(n["title"], n["pages"], shape(n.get("children", []))) for n in nodes]

    assert shape(outline_json(found.tree)) == [
        ("Introduction", [1, 2], []),
        ("Experiments", [3, 4], [("Setup", [3, 4], [("Data", [3, 3], []), ("Models", [4, 4], [])])]),
        ("Results", [4, 5], [("Setup", [4, 5], [])]),
        ("Acknowledgements", [5, 5], []),
    ]
    assert {node.match for node in walk(found.tree)} == {Match.HEADING_LINE}


def test_a_paragraph_that_begins_with_a_mark_is_no_heading(tmp_path: Path) -> None:
    assert "\\# Fourth." in read(tmp_path).pages[3].text


def test_a_paper_of_an_abstract_alone_is_one_page(tmp_path: Path) -> None:
    found = read(tmp_path, {"title": "T", "abstract": "Only this.", "full_text": []})
    assert [page.raw for page in found.pages] == ["Only this."]


def test_bad_entries_cost_themselves_only(tmp_path: Path) -> None:
    file = {
        "a": PAPER,
        "empty": {"title": "T", "full_text": []},
        "odd": {"full_text": [{"paragraphs": "text"}]},
    }
    found = parts(tmp_path, json.dumps(file))
    assert [type(part) for part in found] == [QasperPart, BrokenPart, BrokenPart]
    twice = parts(tmp_path, json.dumps([COLUMNS, COLUMNS]))
    assert isinstance(twice[1], BrokenPart)
    assert "another paper of this id" in twice[1].reason


@pytest.mark.parametrize("text", ["{", '{"a": 1}', "[1]", '{"full_text": []}', "not json\n{}", "\x00"])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(CorruptDocument):
        parts(tmp_path, text)


def test_a_damaged_archive_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ParseError):
        parts(tmp_path, gzip.compress(FORMS["official.json"].encode())[:-9])
    with pytest.raises(ParseError, match="cannot be read"):
        list(qasper_parts(tmp_path / "nowhere"))


def test_pages_are_those_that_evidence_is_mapped_to(tmp_path: Path) -> None:
    datasets = pytest.importorskip("vectree.evaluate.datasets.qasper")
    path = tmp_path / "q.json"
    path.write_text(json.dumps({"1909.00694": {**PAPER, "qas": []}}))
    [paper] = datasets.read_qasper(path).papers
    assert [page.text for page in paper.pages] == [page.raw for page in read(tmp_path).pages]
