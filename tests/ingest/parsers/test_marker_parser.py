"""What our side of the Marker parser does; needs no Marker."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from vectree.document import Box, Figure, TextStatus
from vectree.errors import MissingExtra, ParseError, ParseLimit
from vectree.ingest.parse import Bookmark, ParsedDocument, ParsedPage, ParseLimits
from vectree.ingest.parsers.marker import parser as marker_parser
from vectree.ingest.parsers.marker.available import marker_installed
from vectree.ingest.parsers.marker.levels import heading_levels
from vectree.ingest.parsers.marker.parser import MarkerParser, run_isolated
from vectree.ingest.parsers.marker.worker import serve
from vectree.ingest.parsers.pdfium.exchange import Request

TEXT, SCAN, BLANK, OCR = TextStatus.TEXT, TextStatus.SCAN, TextStatus.BLANK, TextStatus.OCR_LAYER


def page(number: int, words: str, status: TextStatus = TEXT, label: str | None = None) -> ParsedPage:
    return ParsedPage(number=number, width=1, height=1, raw=words, status=status, markdown=words, label=label)


@dataclass
class First:
    document: ParsedDocument

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        for figure in self.document.figures:
            (figures / figure.name).write_text(figure.name)
        return self.document


def image(number: int) -> Figure:
    box = Box(x0=0, y0=0, x1=1, y1=1)
    return Figure(name=f"p{number:03d}-page.png", page=number, box=box, kind="page", width=1, height=1)


def read(tmp_path: Path, known: ParsedDocument, found: ParsedDocument) -> ParsedDocument:
    (tmp_path / "figures").mkdir()
    parser = MarkerParser(first=First(known), run=lambda *_: found)
    return parser.parse(tmp_path / "a.pdf", figures=tmp_path / "figures")


def test_pages_are_markers_and_the_rest_is_what_the_file_says(tmp_path: Path) -> None:
    known = ParsedDocument(
        pages=(page(1, "x", label="ix"), page(2, "", SCAN), page(3, "", SCAN), page(4, "", BLANK)),
        figures=(image(2), image(3)),
        bookmarks=(Bookmark(title="A", page=1, level=1),),
        info={"title": "T"},
    )
    words = "Words that were recognised on the page by a model."
    found = ParsedDocument(
        pages=(page(1, f"# Marker {words}"), page(2, words), page(3, ""), page(4, "")), parser="marker 2"
    )
    document = read(tmp_path, known, found)
    assert [each.status for each in document.pages] == [TEXT, OCR, SCAN, BLANK]
    assert document.pages[0].label == "ix"
    assert document.pages[0].markdown == f"# Marker {words}"
    assert document.pages[2].markdown == "![](p003-page.png)"
    assert (document.bookmarks, document.info) == (known.bookmarks, known.info)
    assert [path.name for path in (tmp_path / "figures").iterdir()] == ["p003-page.png"]
    assert len(document.warnings) == 2


@pytest.mark.parametrize("numbers", [(1, 2), (1, 3, 4), (0, 1, 2), (1, 2, 3, 4)])
def test_c01_pages_that_are_not_the_files_fail_loudly(tmp_path: Path, numbers: tuple[int, ...]) -> None:
    known = ParsedDocument(pages=tuple(page(n, "") for n in (1, 2, 3)))
    found = ParsedDocument(pages=tuple(page(n, "") for n in numbers))
    with pytest.raises(ParseError, match="which has 3"):
        read(tmp_path, known, found)


def test_a_document_too_long_for_marker_is_refused_before_it_is_tried(tmp_path: Path) -> None:
    known = ParsedDocument(pages=tuple(page(n, "") for n in range(1, marker_parser.MAX_PAGES + 2)))
    with pytest.raises(ParseLimit, match="601 pages"):
        read(tmp_path, known, known)


@pytest.mark.parametrize(
    ("titles", "stated", "levels"),
    [
        (["1 A", "1.1 B", "2 C", "2.1 D"], [1, 1, 1, 3], [1, 2, 1, 2]),
        (["Abstract", "1 A", "1.1 B", "Setup", "2 C", "References"], [1, 1, 3, 3, 1, 1], [1, 1, 2, 2, 1, 1]),
        (["A", "B", "C"], [2, 4, 2], [1, 2, 1]),
        (["A", "B"], [None, None], [1, 1]),
        (["A", "B", "Methods"], [1, 2, 4], [1, 2, 1]),
        ([], [], []),
    ],
)
def test_levels_follow_numbers_then_ranks(
    titles: list[str], stated: list[int | None], levels: list[int]
) -> None:
    assert heading_levels(titles, stated) == levels


@pytest.mark.skipif(marker_installed(), reason="Marker is installed")
def test_without_marker_the_extra_is_named_and_the_worker_says_so_too(tmp_path: Path) -> None:
    with pytest.raises(MissingExtra, match=r"vectree-core\[marker\]"):
        MarkerParser()
    request = Request(path="a.pdf", figures=str(tmp_path), result="r", limits=ParseLimits())
    failure = serve(request, ocr=False).failure
    assert failure is not None
    assert "vectree-core[marker]" in failure.hint


@pytest.mark.skipif(marker_installed(), reason="Marker is installed, and would look for its models")
def test_the_worker_is_a_process_whose_errors_come_back_as_ours(tmp_path: Path) -> None:
    with pytest.raises(ParseError, match="marker"):
        run_isolated(tmp_path / "a.pdf", tmp_path, False, ParseLimits())


def test_a_worker_that_dies_is_a_parse_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marker_parser, "WORKER", "vectree.no_such_module")
    with pytest.raises(ParseError, match=r"died: .*no_such_module"):
        run_isolated(tmp_path / "a.pdf", tmp_path, False, ParseLimits())


def test_secrets_are_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", "/models")
    monkeypatch.setenv("HF_TOKEN", "secret")
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    passed = marker_parser._passed_on()
    assert passed.get("HF_HOME") == "/models"
    assert "secret" not in passed.values()


def test_figures_of_marker_come_before_page_images(tmp_path: Path) -> None:
    known = ParsedDocument(pages=(page(1, "", SCAN), page(2, "x")), figures=(image(1),))
    other = replace(image(2), name="p002-1.jpg", kind="image")
    found = ParsedDocument(pages=(page(1, ""), page(2, "x" * 40)), figures=(other,))
    assert [figure.name for figure in read(tmp_path, known, found).figures] == ["p001-page.png", "p002-1.jpg"]
