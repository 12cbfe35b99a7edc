from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from vectree.document import TextStatus
from vectree.ingest.parse import ParsedDocument
from vectree.ingest.parsers.pdfium.status import Coverage, text_status

Read = Callable[..., ParsedDocument]
SENTENCE = "The samples were heated to nine hundred kelvin and cooled in air."


@pytest.fixture
def photograph(tmp_path: Path) -> str:
    path = tmp_path / "photograph.png"
    Image.effect_noise((120, 160), 60).save(path)
    return str(path)


def test_text_is_text() -> None:
    assert text_status(SENTENCE, Coverage(), 0.0) is TextStatus.TEXT


def test_a_page_with_nothing_on_it_is_blank(read_pages: Read) -> None:
    assert read_pages(lambda canvas: None).pages[0].status is TextStatus.BLANK


def test_a_page_that_is_one_image_is_a_scan_and_kept_as_a_figure(read_pages: Read, photograph: str) -> None:
    document = read_pages(lambda canvas: canvas.drawImage(photograph, 20, 20, 570, 750))
    assert document.pages[0].status is TextStatus.SCAN
    assert [(figure.kind, figure.name) for figure in document.figures] == [("page", "p001-1.png")]
    assert "page 1" in document.warnings[0]


def test_hidden_text_over_an_image_comes_from_ocr(read_pages: Read, photograph: str) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawImage(photograph, 0, 0, 612, 792)
        text = canvas.beginText(72, 700)
        text.setTextRenderMode(3)
        for _ in range(5):
            text.textLine(SENTENCE)
        canvas.drawText(text)

    page = read_pages(draw).pages[0]
    assert page.status is TextStatus.OCR_LAYER
    assert page.hidden_share == 1.0
    assert page.lines[0].text == SENTENCE


def test_c39_hidden_text_on_a_page_of_text_is_measured_and_reported(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(72, 700)
        for row in range(8):
            text.setTextRenderMode(3 if row == 7 else 0)
            text.textLine(SENTENCE)
        canvas.drawText(text)

    document = read_pages(draw)
    assert document.pages[0].status is TextStatus.TEXT
    assert document.pages[0].hidden_share == pytest.approx(1 / 8, abs=0.01)
    assert any("cannot see" in warning for warning in document.warnings)


def test_a_page_that_is_one_drawing_is_a_figure(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for step in range(400):
            canvas.line(100, 100 + step, 500, 120 + step)

    document = read_pages(draw)
    assert document.pages[0].status is TextStatus.FIGURE_ONLY
    assert len(document.figures) == 1


@pytest.mark.parametrize("text", ["\ue000\ue001 \ue002" * 20, "� �ab" * 20, "!$%&/()=?" * 10])
def test_codes_that_are_no_letters_are_garbled(text: str) -> None:
    assert text_status(text, Coverage(), 0.0) is TextStatus.GARBLED


def test_dot_leaders_of_a_contents_list_are_not_garbled() -> None:
    listing = "\n".join(f"{number} Methods of section {'. ' * 60} {number}" for number in range(20))
    assert text_status(listing, Coverage(), 0.0) is TextStatus.TEXT


@pytest.mark.parametrize(
    ("chars", "status"), [("12", TextStatus.BLANK), ("Part II", TextStatus.TEXT), ("· · ·", TextStatus.BLANK)]
)
def test_few_words_are_text_and_a_page_number_is_not(chars: str, status: TextStatus) -> None:
    assert text_status(chars, Coverage(), 0.0) is status
