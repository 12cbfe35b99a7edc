"""Trees of PageIndex in a corpus: with their PDF, from a store, over a document that is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from vectree.corpus import Corpus
from vectree.errors import UsageError
from vectree.tree.walk import walk

PAGES = (
    ("Ion transport in cold glass", "1 Introduction", "Glass conducts ions when it is warm enough for them."),
    ("2 Methods", "Samples were cast and measured in a cold chamber."),
    ("3 Results", "The conductivity rose with the temperature of the glass."),
)
TREE = {
    "doc_name": "glass.pdf",
    "doc_description": "A paper about ions in glass.",
    "structure": [
        {"title": "1 Introduction", "start_index": 1, "end_index": 1, "summary": "Why glass conducts."},
        {"title": "2 Methods", "start_index": 2, "end_index": 2, "summary": "How it was measured."},
        {"title": "3 Results", "start_index": 3, "end_index": 3},
    ],
}


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    canvas = Canvas(str(folder / "glass.pdf"), invariant=True)
    for lines in PAGES:
        for number, line in enumerate(lines):
            canvas.drawString(60, 760 - 30 * number, line)
        canvas.showPage()
    canvas.save()
    write(folder / "glass_structure.json", TREE)
    return folder


@pytest.fixture
def library(tmp_path: Path) -> Corpus:
    return Corpus.open(tmp_path / "corpus", embedder="hash")


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def store(folder: Path, *, pages: bool = True) -> Path:
    doc = folder / ".pageindex" / "docs" / "pi-1"
    write(doc / "tree.json", TREE)
    write(doc / "doc.json", {"name": "glass.pdf", "description": "A paper about ions in glass."})
    if pages:
        texts = [{"page_index": n, "markdown": "\n".join(lines)} for n, lines in enumerate(PAGES, 1)]
        write(doc / "pages.json", texts)
    return folder / ".pageindex"


def test_a_tree_and_its_pdf_become_a_document_that_search_finds(library: Corpus, papers: Path) -> None:
    report = library.import_pageindex(papers / "glass_structure.json", pdf=papers / "glass.pdf")
    [added] = report.added
    assert added.source == "papers/glass.pdf"
    assert library.record(added.doc_id).metadata.description == "A paper about ions in glass."
    nodes = list(walk(library.tree(added.doc_id)))
    assert [(node.printed, node.pages.first) for node in nodes] == [
        ("1 Introduction", 1),
        ("2 Methods", 2),
        ("3 Results", 3),
    ]
    assert nodes[0].summary == "Why glass conducts."
    assert nodes[2].summary
    assert [hit.doc_id for hit in library.search("how glass conducts ions").hits] == [added.doc_id]
    assert library.add(papers / "glass.pdf").unchanged[0].doc_id == added.doc_id


def test_a_document_that_is_there_takes_the_tree_and_keeps_its_name(library: Corpus, papers: Path) -> None:
    [added] = library.add(papers).added
    report = library.import_pageindex(papers / "glass_structure.json", pdf=papers)
    assert [item.doc_id for item in report.replaced] == [added.doc_id]
    assert len(library.list()) == 1
    assert next(walk(library.tree(added.doc_id))).summary == "Why glass conducts."


def test_a_store_is_enough(library: Corpus, tmp_path: Path) -> None:
    report = library.import_pageindex(store(tmp_path))
    [added] = report.added
    assert [page.raw.splitlines()[0] for page in library.pages(added.doc_id)][1:] == [
        "2 Methods",
        "3 Results",
    ]
    assert library.import_pageindex(tmp_path / ".pageindex").replaced[0].doc_id == added.doc_id
    assert len(library.list()) == 1


def test_without_pdf_and_pages_the_reason_is_told(library: Corpus, papers: Path, tmp_path: Path) -> None:
    write(tmp_path / "trees" / "b.json", {"structure": []})
    report = library.import_pageindex(
        store(tmp_path, pages=False), papers / "glass_structure.json", tmp_path / "trees" / "b.json"
    )
    assert [(item.source, "--pdf" in item.reason) for item in report.failed] == [
        ("pi-1/tree.json", True),
        ("papers/glass_structure.json", True),
        ("trees/b.json", False),
    ]
    assert not (tmp_path / "corpus").exists()


def test_a_name_in_a_tree_leads_to_no_other_folder(library: Corpus, papers: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    tree = write(tmp_path / "t.json", {**TREE, "doc_name": str(papers / "glass.pdf")})
    assert len(library.import_pageindex(tree, pdf=tmp_path / "empty").failed) == 1
    tree = write(tmp_path / "t.json", {**TREE, "doc_name": "../papers/glass.pdf"})
    assert len(library.import_pageindex(tree, pdf=tmp_path / "empty").failed) == 1


def test_wrong_usage_is_told(library: Corpus, papers: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="no tree of PageIndex"):
        library.import_pageindex(tmp_path / "empty")
    tree = papers / "glass_structure.json"
    with pytest.raises(UsageError, match="One PDF was given for several trees"):
        library.import_pageindex(tree, write(papers / "b.json", TREE), pdf=papers / "glass.pdf")


def test_an_export_has_the_sections_and_their_text_if_asked(library: Corpus, papers: Path) -> None:
    [added] = library.import_pageindex(papers / "glass_structure.json", pdf=papers).added
    shape = library.export_pageindex(added.doc_id, text=True)
    assert [(n["title"], n["start_index"], n["end_index"]) for n in shape["structure"]] == [
        ("1 Introduction", 1, 1),
        ("2 Methods", 2, 2),
        ("3 Results", 3, 3),
    ]
    assert "cold chamber" in shape["structure"][1]["text"]
    assert "text" not in library.export_pageindex(added.doc_id)["structure"][0]
    again = write(papers / "back.json", shape)
    assert library.import_pageindex(again, pdf=papers).replaced[0].doc_id == added.doc_id
