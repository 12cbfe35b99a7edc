"""The committed example papers are what their README says; no typesetter is needed for that."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pypdfium2
import pytest

PAPERS = Path(__file__).parents[2] / "examples" / "papers"
GARNET = "2019-lindqvist-garnet.pdf"
ARGYRODITE = "2021-okafor-argyrodite.pdf"
SUPPLEMENT = "2021-okafor-argyrodite-supplement.pdf"
COMPOSITE = "2022-krizova-composite.pdf"
HALIDE = "2024-venkataraman-halide.pdf"
ARTICLES = (GARNET, ARGYRODITE, COMPOSITE, HALIDE)
MAX_BYTES = 150_000


@dataclass(frozen=True)
class Facts:
    pages: int
    labels: tuple[str, ...]
    bookmarked: bool
    title: str
    names_itself: bool


EXPECTED = {
    GARNET: Facts(4, ("1", "2", "3", "4"), True, "Hot-pressed tantalum-doped garnet electrolytes", True),
    ARGYRODITE: Facts(
        4, ("301", "302", "303", "304"), False, "A chlorine-rich argyrodite electrolyte", False
    ),
    SUPPLEMENT: Facts(
        2, ("S1", "S2"), False, "Supplementary Information for: A chlorine-rich argyrodite", False
    ),
    COMPOSITE: Facts(
        4, ("45", "46", "47", "48"), True, "Garnet nanofibres aligned across a polymer membrane", True
    ),
    HALIDE: Facts(4, ("1", "2", "3", "4"), False, "Zirconium-substituted lithium erbium chloride", False),
}


@cache
def texts(name: str) -> tuple[str, ...]:
    """Text of every page on one line each, with line-end hyphens joined."""
    with pypdfium2.PdfDocument(PAPERS / name) as document:
        raw = [page.get_textpage().get_text_range() for page in document]
    joined = [unicodedata.normalize("NFKC", text.replace("\ufffe", "")) for text in raw]
    return tuple(re.sub(r"\s+", " ", text) for text in joined)


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text))


def questions() -> list[dict]:
    return json.loads((PAPERS / "questions.json").read_text(encoding="utf-8"))


def test_the_folder_holds_exactly_the_five_files() -> None:
    assert {path.name for path in PAPERS.glob("*.pdf")} == set(EXPECTED)
    assert {path.stem for path in (PAPERS / "src").glob("2*.typ")} == {Path(name).stem for name in EXPECTED}


@pytest.mark.parametrize("name", EXPECTED)
def test_files_are_small(name: str) -> None:
    assert (PAPERS / name).stat().st_size < MAX_BYTES


@pytest.mark.parametrize(("name", "facts"), EXPECTED.items())
def test_pages_labels_and_bookmarks_are_as_documented(name: str, facts: Facts) -> None:
    with pypdfium2.PdfDocument(PAPERS / name) as document:
        assert len(document) == facts.pages
        assert tuple(document.get_page_label(index) for index in range(facts.pages)) == facts.labels
        bookmarks = [bookmark.get_title() for bookmark in document.get_toc()]
        assert document.get_metadata_dict()["CreationDate"][2:6] == name[:4]
        assert bool(document.get_metadata_dict()["Title"]) is facts.names_itself
    assert bool(bookmarks) is facts.bookmarked
    if bookmarks:
        assert bookmarks[0] == "1 Introduction"
        assert "References" in bookmarks


@pytest.mark.parametrize(("name", "facts"), EXPECTED.items())
def test_first_page_names_title_licence_doi_and_says_it_is_fiction(name: str, facts: Facts) -> None:
    first = texts(name)[0]
    assert facts.title in first
    assert "CC BY 4.0" in first
    assert "https://doi.org/10.5555/" in first
    assert "Fiction, written for VecTree’s examples" in first


@pytest.mark.parametrize("name", ARTICLES)
def test_articles_have_every_part_of_a_paper(name: str) -> None:
    text = " ".join(texts(name)).casefold()
    for part in (
        "1. introduction" if name in (ARGYRODITE, HALIDE) else "1 introduction",
        "conclusion",
        "appendix a.",
    ):
        assert part in text
    assert "table 1." in text
    assert "fig. 1." in text
    references = text.split(" references ")[-1]
    assert 8 <= len(re.findall(r"\[\d+\] ?\w", references)) <= 15


@pytest.mark.parametrize("name", ARTICLES)
def test_every_reference_is_cited_and_every_citation_exists(name: str) -> None:
    source = (PAPERS / "src" / name).with_suffix(".typ").read_text(encoding="utf-8")
    body, _, tail = source.partition("#references(")
    listed = len(re.findall(r"^  \[", tail.split("\n)\n")[0], re.MULTILINE))
    marks = re.findall(r"(?<=[\w.)] )\[(\d+(?:,\d+)*)\]|(?<=\w )\[(\d+)\]", body)
    cited = {int(number) for groups in marks for group in groups for number in group.split(",") if number}
    assert cited == set(range(1, listed + 1))


def test_supplement_has_its_own_sections_and_table() -> None:
    text = " ".join(texts(SUPPLEMENT))
    for part in ("S1 Synthesis protocol", "S1.1 Milling", "S2 Hydrogen sulfide", "Table S1."):
        assert part in text
    assert not re.search(r"Table \d", text)


@pytest.mark.parametrize("entry", questions(), ids=lambda entry: entry["question"])
def test_expected_pages_hold_the_sentences_that_answer(entry: dict) -> None:
    for source in entry["sources"]:
        page = texts(source["document"])[source["page"] - 1]
        assert plain(source["says"]) in page
    assert entry["question"] in (PAPERS / "README.md").read_text(encoding="utf-8")


def test_the_question_about_the_supplement_is_answered_nowhere_else() -> None:
    says = next(entry for entry in questions() if entry["kind"] == "supplement")["sources"][0]["says"]
    assert not any(plain(says) in page or "6.2 cm" in page for name in ARTICLES for page in texts(name))


def test_the_question_without_an_answer_has_none() -> None:
    words = ("isotope", "helium", "mantle")
    assert not any(word in page for name in EXPECTED for page in texts(name) for word in words)


@pytest.mark.skipif(find_spec("typst") is None, reason="typst is not installed; `make papers` installs it")
def test_pdfs_are_what_their_sources_set() -> None:
    script = PAPERS / "typeset.py"
    run = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
