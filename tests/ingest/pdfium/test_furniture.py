from __future__ import annotations

from collections.abc import Callable

import pytest
from reportlab.pdfgen.canvas import Canvas

from vectree.ingest.parse import ParsedDocument
from vectree.ingest.parsers.pdfium.furniture import page_number

Read = Callable[..., ParsedDocument]


def paper(draw_page: Callable[[Canvas, int], None], pages: int = 6) -> list[Callable[[Canvas], None]]:
    def one(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            for row in range(30):
                canvas.drawString(72, 690 - 14 * row, f"Page {number} row {row} of running text that goes on")
            draw_page(canvas, number)

        return draw

    return [one(number) for number in range(1, pages + 1)]


def furniture(document: ParsedDocument, page: int) -> list[str]:
    return [line.text for line in document.pages[page - 1].lines if line.furniture]


def test_running_heads_and_page_numbers_are_furniture(read_pages: Read) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        canvas.drawString(72, 760, f"Journal of Things {2020 + number}")
        canvas.drawString(300, 30, str(number + 1142))

    document = read_pages(*paper(draw))
    assert furniture(document, 3) == ["Journal of Things 2023", "1145"]


def test_a_heading_that_stands_once_at_the_top_of_a_page_is_not(read_pages: Read) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        if number == 5:
            canvas.setFont("Times-Bold", 12)
            canvas.drawString(72, 720, "Results")

    assert furniture(read_pages(*paper(draw)), 5) == []


def test_a_heading_with_the_words_of_the_running_head_is_told_apart_by_its_size(read_pages: Read) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        canvas.setFont("Times-Roman", 8)
        canvas.drawString(72, 760, "Results")
        if number == 4:
            canvas.setFont("Times-Bold", 14)
            canvas.drawString(72, 725, "Results")

    lines = read_pages(*paper(draw)).pages[3].lines
    assert [(line.size, line.furniture) for line in lines if line.text == "Results"] == [
        (8, True),
        (14, False),
    ]


def test_a_running_head_that_changes_with_the_section_is_known_by_its_place(read_pages: Read) -> None:
    titles = ["Basics", "Trace and levels", "Waves", "Methods in use", "Outlook on work", "Appendix of data"]

    def draw(canvas: Canvas, number: int) -> None:
        canvas.drawString(72, 750, titles[number - 1])

    document = read_pages(*paper(draw))
    assert [furniture(document, page) for page in (1, 4)] == [["Basics"], ["Methods in use"]]


def test_numbers_on_an_axis_do_not_count_the_pages(read_pages: Read) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        canvas.drawString(300, 30, str(number))
        canvas.drawString(200, 730 + 7 * (number % 4), str(number * 50))

    document = read_pages(*paper(draw))
    assert [furniture(document, page) for page in (1, 2)] == [["1"], ["2"]]


def test_text_along_the_margin_is_furniture(read_pages: Read) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        if number == 1:
            canvas.rotate(90)
            canvas.drawString(300, -20, "repository:1234.5678 [things] 1 May 2021")

    assert furniture(read_pages(*paper(draw)), 1) == ["repository:1234.5678 [things] 1 May 2021"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1143", 1143),
        ("- 7 -", 7),
        ("Page 3 of 10", 3),
        ("iv", 4),
        ("xviii", 18),
        ("Page", None),
        ("Table 3", None),
    ],
)
def test_a_page_number_is_read_in_either_numeral(text: str, number: int | None) -> None:
    assert page_number(text) == number


def test_a_document_of_nothing_but_repeated_lines_keeps_them(read_pages: Read) -> None:
    def slide(number: int) -> Callable[[Canvas], None]:
        return lambda canvas: canvas.drawString(72, 760, f"Slide {number} of the talk")

    document = read_pages(*(slide(number) for number in range(1, 8)))
    assert furniture(document, 3) == []
    assert document.pages[2].lines[0].text == "Slide 3 of the talk"
