"""Files nobody on this project made: hostile ones, and papers whose layout is known."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from vectree.document import TextStatus
from vectree.errors import EncryptedDocument, ParseError
from vectree.ingest.parse import ParsedDocument, ParsedPage
from vectree.ingest.parsers.pdfium import PdfiumParser

Read = Callable[..., ParsedDocument]
SMALL = 1 << 20
LOCKED = {"jsvine-password-example", "pdfminer-rc4-40", "py-pdf-r6-user-password"}


def outcome(path: Path, figures: Path) -> ParsedDocument | ParseError:
    try:
        return PdfiumParser(isolated=False).parse(path, figures=figures)
    except ParseError as error:
        return error


def test_hostile_files_are_read_or_refused_in_time(shared_data: Path, tmp_path: Path) -> None:
    files = [path for path in sorted((shared_data / "nasty").glob("*.pdf")) if path.stat().st_size < SMALL]
    assert len(files) > 15
    for path in files:
        started = time.monotonic()
        figures = tmp_path / path.stem
        figures.mkdir()
        found = outcome(path, figures)
        assert isinstance(found, EncryptedDocument) is (path.stem in LOCKED), path.name
        if isinstance(found, ParsedDocument):
            assert [page.number for page in found.pages] == list(range(1, len(found.pages) + 1))
        else:
            assert found.hint, path.name
        assert time.monotonic() - started < 20, path.name


def test_a_hostile_file_says_nothing_on_stderr(
    shared_data: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    PdfiumParser().parse(shared_data / "nasty" / "qpdf-append-xref-loop.pdf", figures=tmp_path)
    assert capfd.readouterr() == ("", "")


def columns(page: ParsedPage) -> list[int]:
    return [line.column for line in page.lines if not line.furniture and len(line.text) > 30]


def test_a_two_column_paper_is_read_column_by_column(shared_data: Path, read: Read) -> None:
    document = read(shared_data / "pdfs" / "mmlb-2023-acl-long-386.pdf", figures=None)
    for page in document.pages[1:9]:
        found = [column for column in columns(page) if column >= 0]
        assert sum(second < first for first, second in pairwise(found)) <= 1, page.number


def test_every_figure_of_a_paper_is_found_with_its_caption(shared_data: Path, read: Read) -> None:
    document = read(shared_data / "pdfs" / "litqa2-10-1038-s41467-022-30570-7.pdf")
    captions = [figure.caption or "" for figure in document.figures]
    assert [caption[:6] for caption in captions] == [f"Fig. {number}" for number in range(1, 8)]


def test_scans_are_known_for_what_they_are(shared_data: Path, read: Read) -> None:
    document = read(shared_data / "pdfs" / "scan-multipage.pdf")
    statuses = [page.status for page in document.pages]
    assert statuses.count(TextStatus.SCAN) == 5
    assert statuses[3] is TextStatus.OCR_LAYER


def test_roman_labels_are_read(shared_data: Path, read: Read) -> None:
    document = read(shared_data / "pdfs" / "pagelabels-roman.pdf", figures=None)
    assert any((page.label or "").strip("ivxlc") == "" and page.label for page in document.pages)
