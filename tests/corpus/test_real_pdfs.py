"""The whole way with nothing in place of anything: PDFs in, an answer out."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

from vectree.corpus import Corpus

GARNET = (
    "Garnet electrolytes conduct lithium",
    "Garnet electrolytes were sintered at 1230 K for six hours under oxygen.",
    "The conductivity of the garnet pellets reached 1.2 mS per cm at 353 K, above that of all glasses.",
)
PEROVSKITE = (
    "Perovskite solar cells degrade in moist air",
    "Perovskite films were spun from a solution of lead iodide and kept in the dark.",
    "The efficiency of the perovskite cells fell from 21 to 14 percent within 300 hours in moist air.",
)


def typeset(path: Path, paper: tuple[str, str, str], *, encrypt: StandardEncryption | None = None) -> Path:
    title, method, result = paper
    styles = getSampleStyleSheet()
    plain, heading = styles["BodyText"], styles["Heading2"]
    flow = [
        Paragraph(title, styles["Title"]),
        Paragraph("Anna Meyer and Bo Ito", plain),
        Paragraph("Abstract", heading),
        Paragraph(f"This paper is about one question. {result}", plain),
        Paragraph("1 Introduction", heading),
        Paragraph(f"Others have asked what we ask here. {title}, as is known since 1999. " * 6, plain),
        PageBreak(),
        Paragraph("2 Methods", heading),
        Paragraph(f"{method} " * 3, plain),
        PageBreak(),
        Paragraph("3 Results", heading),
        Paragraph(f"{result} This was seen in all five samples.", plain),
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    SimpleDocTemplate(str(path), title=title, encrypt=encrypt).build(flow)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library") / "papers"
    good = typeset(folder / "good.pdf", GARNET)
    typeset(folder / "sub" / "good.pdf", PEROVSKITE)
    (folder / "truncated.pdf").write_bytes(good.read_bytes()[:300])
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "text.pdf").write_text("These are only words.\n" * 50)
    typeset(folder / "password.pdf", GARNET, encrypt=StandardEncryption("open sesame", ownerPassword="owner"))
    return folder


def test_c33_two_good_files_four_bad_ones_and_an_answer(folder: Path, tmp_path: Path) -> None:
    corpus = Corpus.open(tmp_path / "corpus", embedder="hash")
    report = corpus.add(folder)
    assert [item.source for item in report.added] == ["papers/good.pdf", "papers/sub/good.pdf"]
    assert [item.source for item in report.failed] == [
        "papers/empty.pdf",
        "papers/password.pdf",
        "papers/text.pdf",
        "papers/truncated.pdf",
    ]
    assert all(item.reason for item in report.failed)
    assert "--password" in report.failed[1].reason
    garnet, perovskite = (item.doc_id for item in report.added)
    assert corpus.record(garnet).metadata.title == GARNET[0]
    assert corpus.record(garnet).total_pages == len(corpus.pages(garnet)) == 3
    assert [hit.doc_id for hit in corpus.search("perovskite solar cells moist air").hits] == [perovskite]
    answer = corpus.ask("How far did the efficiency of perovskite cells fall in moist air?")
    assert "from 21 to 14 percent" in answer.text
    assert {citation.doc_id for citation in answer.citations} == {perovskite}
    assert all(citation.read for citation in answer.citations)

    mended = corpus.add(folder / "password.pdf", password="open sesame")
    assert [item.source for item in mended.added] == ["papers/password.pdf"]
    again = corpus.add(folder)
    assert (len(again.unchanged), len(again.failed), again.added) == (3, 3, ())


def test_c37_a_pdf_whose_name_is_a_path_writes_nothing_outside_the_corpus(tmp_path: Path) -> None:
    typeset(tmp_path / "papers" / "..%2f..%2fevil.pdf", GARNET)
    report = Corpus.open(tmp_path / "corpus", embedder="hash").add(tmp_path / "papers")
    assert [item.source for item in report.added] == ["papers/..%2f..%2fevil.pdf"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus", "papers"]
