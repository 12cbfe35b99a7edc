from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from vectree.document import TextStatus
from vectree.ingest.parse import ParsedDocument
from vectree.ingest.parsers.pdfium import read as reading
from vectree.ingest.parsers.pdfium.exchange import Skip

Make = Callable[..., Path]
Read = Callable[..., ParsedDocument]


def word(text: str) -> Callable[[Canvas], None]:
    def draw(canvas: Canvas) -> None:
        for row in range(4):
            canvas.drawString(72, 700 - 14 * row, f"{text} row {row} of the running text of this page")

    return draw


def test_c01_pages_keep_their_number_whatever_is_printed_on_them(make_pdf: Make, read: Read) -> None:
    def one(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            if number == 3:
                return
            word(f"PAGE{number:02d}")(canvas)
            canvas.drawString(300, 30, str(1142 + number))
            if number == 11:
                canvas.drawString(72, 500, "-" * 48)
                canvas.drawString(72, 480, "{5}" + "-" * 48)

        return draw

    document = read(make_pdf(*[one(number) for number in range(1, 13)]))
    assert [page.number for page in document.pages] == list(range(1, 13))
    for page in document.pages:
        found = {number for number in range(1, 13) if f"PAGE{number:02d}" in page.raw}
        assert found == ({page.number} if page.number != 3 else set())
    assert document.pages[2].status is TextStatus.BLANK
    assert document.pages[2].lines == ()


def test_c02_pages_without_a_text_layer_are_named(make_pdf: Make, read: Read, tmp_path: Path) -> None:
    photograph = tmp_path / "photograph.png"
    Image.effect_noise((60, 80), 60).save(photograph)

    def scan(canvas: Canvas) -> None:
        canvas.drawImage(str(photograph), 0, 0, 612, 792)

    document = read(make_pdf(word("one"), word("two"), *[scan] * 8))
    assert [page.status for page in document.pages] == [TextStatus.TEXT] * 2 + [TextStatus.SCAN] * 8
    assert [figure.page for figure in document.figures] == list(range(3, 11))
    assert any("pages 3-10" in warning for warning in document.warnings)


def test_c37_a_file_name_is_never_decoded_nor_used_as_a_path(
    make_pdf: Make, read: Read, tmp_path: Path
) -> None:
    photograph = tmp_path / "photograph.png"
    Image.effect_noise((60, 80), 60).save(photograph)
    path = make_pdf(lambda canvas: canvas.drawImage(str(photograph), 0, 0, 612, 792), name="..%2fevil.pdf")
    before = {item.name for item in tmp_path.parent.iterdir()}
    document = read(path)
    assert [figure.name for figure in document.figures] == ["p001-1.png"]
    assert {item.name for item in (tmp_path / "figures").iterdir()} == {"p001-1.png"}
    assert {item.name for item in tmp_path.parent.iterdir()} == before


def test_a_page_that_fails_costs_that_page_only(
    make_pdf: Make, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = reading.read_page

    def failing(page: Any, number: int, *arguments: Any, **options: Any) -> Any:
        if number == 2:
            raise ValueError("a number where a name belongs")
        return whole(page, number, *arguments, **options)

    monkeypatch.setattr(reading, "read_page", failing)
    document = read(make_pdf(word("one"), word("two"), word("three")))
    assert [bool(page.lines) for page in document.pages] == [True, False, True]
    assert document.warnings == (
        "Page 2 could not be read and is kept as an empty page: a number where a name belongs.",
    )


def test_a_page_on_which_an_earlier_reader_died_is_passed_over(make_pdf: Make, read: Read) -> None:
    document = read(make_pdf(word("one"), word("two")), skip=Skip(unread={1: "it took too long"}))
    assert document.pages[0].raw == ""
    assert document.pages[1].raw.startswith("two")
    assert "took too long" in document.warnings[0]


def test_every_step_is_told_before_it_is_taken(make_pdf: Make, read: Read) -> None:
    steps: list[tuple[str, int, int]] = []
    read(make_pdf(word("one"), word("two")), tell=lambda *step: steps.append(step))
    assert steps == [("read", 1, 2), ("read", 2, 2), ("finish", 2, 2), ("finish", 2, 2)]


def test_lines_are_counted_in_reading_order(make_pdf: Make, read: Read) -> None:
    (page,) = read(make_pdf(word("one"))).pages
    assert [line.order for line in page.lines] == [0, 1, 2, 3]


def test_a_body_font_that_is_bold_by_its_stem_alone_makes_nothing_bold(
    make_pdf: Make, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vectree.ingest.parsers.pdfium import fonts, glyphs

    def heavy(name: str, weight: int, flags: int) -> fonts.Face:
        return fonts.Face(name=name, bold_name="Bold" in name, heavy="Roman" in name, italic=False)

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Times-Bold", 12)
        canvas.drawString(72, 740, "Results")
        canvas.setFont("Times-Roman", 10)
        word("one")(canvas)

    monkeypatch.setattr(glyphs, "face", heavy)
    lines = read(make_pdf(draw)).pages[0].lines
    assert [line.bold for line in lines] == [True, False, False, False, False]


def test_the_parser_says_what_it_is(make_pdf: Make, read: Read) -> None:
    assert read(make_pdf(word("one"))).parser.startswith("pdfium ")
