"""Documents of a benchmark found in a corpus, key passages on its pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from vectree.evaluate.bind import bind, find_documents
from vectree.evaluate.datasets.dataset import DocumentHint
from vectree.evaluate.datasets.litqa2 import read_litqa2
from vectree.evaluate.datasets.qasper import read_qasper
from vectree.evaluate.datasets.questions_file import read_questions
from vectree.evaluate.papers import page_reader, records
from vectree.evaluate.passages import How, find_passage
from vectree.evaluate.records import Benchmark, Papers


def test_key_passages_become_pages_and_questions_without_their_paper_are_left_out(
    data: Path, papers: Papers
) -> None:
    bound = bind(read_litqa2(data / "litqa2.jsonl"), papers)
    assert [question.id for question in bound.questions] == ["b8f1", "c2d4"]
    assert bound.left_out == {"e9e9": "not in the corpus: 10.9999/absent"}
    assert [question.references[0].evidence for question in bound.questions] == [
        {("ekholm2019-51aa", 4)},
        {("varga2020-7c3e", 4)},
    ]
    assert (bound.mapped, bound.unmapped) == (2, 0)
    assert bound.questions[0].documents == {"ekholm2019-51aa"}


def test_the_small_set_binds_by_doc_id(data: Path, papers: Papers) -> None:
    bound = bind(read_questions(data / "questions.jsonl", benchmark=Benchmark.MOSAIC), papers)
    assert len(bound.questions) == 10
    assert bound.left_out == {}


def test_every_gold_page_of_the_small_set_exists(data: Path, papers: Papers) -> None:
    read = page_reader(papers)
    for question in read_questions(data / "questions.jsonl").questions:
        for quote in question.references[0].quotes:
            assert any(quote in read(unit) for unit in question.references[0].evidence or ())


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("varga2020-7c3e", DocumentHint()),
        ("x", DocumentHint(doi="10.9999/ROOF.7c")),
        ("x", DocumentHint(source="somewhere/else/varga2020-7c3e.pdf")),
        ("x", DocumentHint(title="Heat exchange of moss and stonecrop roofs in a Continental summer")),
    ],
)
def test_a_document_is_found_by_any_of_its_names(name: str, hint: DocumentHint, papers: Papers) -> None:
    assert find_documents({name: hint}, records(papers)) == {name: "varga2020-7c3e"}


def test_a_document_is_found_by_its_content(papers: Papers) -> None:
    record = records(papers)[0]
    assert find_documents({"x": DocumentHint(sha256=record.sha256)}, records(papers)) == {"x": record.doc_id}


def test_a_member_of_a_file_is_found_by_its_key(papers: Papers) -> None:
    first, *rest = records(papers)
    known = [replace(first, sources=("qasper/dev.json#1909.00694",)), *rest]
    assert find_documents({"1909.00694": DocumentHint(source="#1909.00694")}, known) == {
        "1909.00694": first.doc_id
    }
    assert find_documents({"909.00694": DocumentHint(source="#909.00694")}, known) == {}


def test_an_ambiguous_file_name_finds_nothing(papers: Papers) -> None:
    first, second, *_ = records(papers)
    twins = [replace(first, sources=("a/one.pdf",)), replace(second, sources=("b/one.pdf",))]
    assert find_documents({"x": DocumentHint(source="one.pdf")}, twins) == {}


PAGES = [
    "Nothing here but a header.",
    "The yield rose by 12 per-\ncent in the ﬁrst year and then it stayed at that level for the",
    "rest of the decade. Further trials are under way in four other valleys of the same region.",
]


def test_a_passage_is_found_over_hyphens_ligatures_and_white_space() -> None:
    found = find_passage("the yield rose by 12 percent  in the first year", PAGES)
    assert (found.pages, found.how) == ((2,), How.EXACT)


def test_a_passage_may_run_over_a_page_break() -> None:
    assert find_passage("it stayed at that level for the rest of the decade", PAGES).pages == (2, 3)


def test_a_passage_that_is_not_verbatim_is_found_by_its_runs_of_words() -> None:
    found = find_passage(
        "Indeed, further trials are under way in four other valleys of the same region (Table 3).", PAGES
    )
    assert (found.pages, found.how) == ((3,), How.RUNS)


@pytest.mark.parametrize("passage", ["", "  ", "A wholly different claim about the price of copper in 1873."])
def test_a_passage_that_stands_nowhere_is_not_found(passage: str) -> None:
    assert find_passage(passage, PAGES).pages == ()


def test_a_passage_in_an_empty_document_is_not_found() -> None:
    assert find_passage("anything at all", []).pages == ()


def test_evidence_that_points_at_figures_is_not_looked_for_on_pages(data: Path, papers: Papers) -> None:
    dataset = read_qasper(data / "qasper.json").dataset
    known = dict.fromkeys(dataset.documents, DocumentHint(doi="10.9999/roof.51"))
    bound = bind(replace(dataset, documents=known), papers)
    figure = next(question for question in bound.questions if question.id == "k4")
    assert figure.references[0].evidence is None
    assert (bound.mapped, bound.unmapped) == (0, 0)
