from __future__ import annotations

import json
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from vectree.document import DocumentStatus, SummarySource, TextStatus
from vectree.errors import CorruptDocument
from vectree.ingest.parse import ParsedDocument, ParsedPage
from vectree.ingest.parsers.pdfium.parser import PdfiumParser
from vectree.ingest.pipeline import IngestSettings, ingest
from vectree.tree.slices import section_text
from vectree.tree.walk import walk

PROSE = (
    "The membrane was cast from solution and dried for two days in vacuum.",
    "Its conductivity reached 92 mS/cm at 120 degrees in humid gas.",
    "Eighteen samples were measured and all of them agreed within five percent.",
    "A control membrane without the salt was measured in the same way.",
)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """Three pages: title, authors, abstract, numbered sections, references."""
    path = tmp_path / "glass.pdf"
    canvas = Canvas(str(path), pagesize=A4)
    top = 780.0

    def write(text: str, size: float = 10, font: str = "Helvetica", gap: float = 4) -> None:
        nonlocal top
        canvas.setFont(font, size)
        canvas.drawString(60, top, text)
        top -= size + gap

    def body(times: int) -> None:
        for number in range(times):
            write(PROSE[number % len(PROSE)])

    def heading(text: str) -> None:
        nonlocal top
        top -= 10
        write(text, 13, "Helvetica-Bold", 8)

    write("Ion transport in cold glass membranes", 20, "Helvetica-Bold", 12)
    write("Ada Lovelace and Alan Turing", 11, gap=10)
    write("University of Somewhere, Glass Street 1", 8, gap=10)
    heading("Abstract")
    body(3)
    heading("1 Introduction")
    body(25)
    canvas.showPage()
    top = 780.0
    heading("2 Methods")
    body(4)
    heading("2.1 Casting")
    body(6)
    heading("2.2 Measurement")
    body(20)
    canvas.showPage()
    top = 780.0
    heading("3 Results")
    body(24)
    heading("References")
    write("[1] A. Author, B. Writer, A cited work, J. Glass 12 (2001) 3. doi:10.9999/cited")
    canvas.showPage()
    canvas.save()
    return path


def read(path: Path, tmp_path: Path, **settings):
    figures = tmp_path / "figures"
    figures.mkdir()
    return ingest(
        path, parser=PdfiumParser(isolated=False), figures=figures, settings=IngestSettings(**settings)
    )


def test_paper_becomes_pages_tree_and_metadata(paper, tmp_path):
    found = read(paper, tmp_path)
    assert [(node.printed, str(node.pages)) for node in walk(found.tree)] == [
        ("Abstract", "1"),
        ("1 Introduction", "1"),
        ("2 Methods", "2"),
        ("2.1 Casting", "2"),
        ("2.2 Measurement", "2"),
        ("3 Results", "3"),
        ("References", "3"),
    ]
    assert [node.title for node in found.tree.nodes[2].children] == ["Casting", "Measurement"]
    assert found.metadata.title == "Ion transport in cold glass membranes"
    assert found.metadata.authors == ("Ada Lovelace", "Alan Turing")
    assert found.metadata.doi is None
    assert found.metadata.description in PROSE
    assert (found.status, found.supplement, len(found.pages)) == (DocumentStatus.OK, False, 3)


def test_summaries_come_from_the_section_itself(paper, tmp_path):
    found = read(paper, tmp_path)
    for node in walk(found.tree):
        if node.summary_source is SummarySource.EXTRACTIVE and node.title != "References":
            own = " ".join(section_text(found.tree, node.id, found.pages).split())
            assert all(sentence in own for sentence in PROSE if sentence in node.summary)
    casting = found.tree.nodes[2].children[0]
    assert (casting.summary_source, casting.summary.startswith("The membrane")) == (SummarySource.TEXT, True)


def test_report_is_plain_json_and_times_every_stage(paper, tmp_path):
    announced: list[str] = []
    figures = tmp_path / "figures"
    figures.mkdir()
    found = ingest(paper, parser=PdfiumParser(isolated=False), figures=figures, on_stage=announced.append)
    report = json.loads(json.dumps(found.report))
    assert (
        announced
        == list(report["seconds"])
        == ["parse", "headings", "pages", "tree", "summaries", "metadata"]
    )
    assert report["pages"]["by_status"] == {"text": 3}
    assert report["headings"]["verified"] == 7
    assert report["tree"]["nodes"] == 7


def test_errors_of_the_parser_pass_through(tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"not a document")
    with pytest.raises(CorruptDocument):
        read(broken, tmp_path)


class ScanParser:
    """Gives pages without text."""

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        page = ParsedPage(number=1, width=595, height=842, raw="", status=TextStatus.SCAN)
        return ParsedDocument(pages=(page,), warnings=(f"password {password}",))


def test_scan_is_kept_as_needing_ocr_with_the_name_of_its_file_C02(tmp_path):
    found = ingest(
        Path("old_paper.pdf"), parser=ScanParser(), figures=tmp_path, settings=IngestSettings(password="x")
    )
    assert found.status is DocumentStatus.NEEDS_OCR
    assert found.metadata.title == "old paper"
    assert [node.summary_source for node in found.tree.nodes] == [SummarySource.NONE]
    assert found.warnings[0] == "password x"
    assert found.report["warnings"] == list(found.warnings)
