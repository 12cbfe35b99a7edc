from __future__ import annotations

from collections.abc import Callable

from reportlab.pdfgen.canvas import Canvas

from vectree.ingest.parse import ParsedDocument, ParsedPage

Read = Callable[..., ParsedDocument]
LEFT, RIGHT = 72, 320


def body(side: str, number: int) -> str:
    return f"{side}{number:02d} is a line of this column of text"


def numbers(page: ParsedPage) -> list[str]:
    return [line.text[:3] for line in page.lines]


def column(canvas: Canvas, side: str, x: float, top: float, count: int) -> None:
    for number in range(count):
        canvas.drawString(x, top - 12 * number, body(side, number))


def test_columns_drawn_line_by_line_across_the_page_are_read_one_after_the_other(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for number in range(30):
            canvas.drawString(LEFT, 700 - 12 * number, body("L", number))
            canvas.drawString(RIGHT, 700 - 12 * number, body("R", number))

    page = read_pages(draw).pages[0]
    assert numbers(page) == [f"L{n:02d}" for n in range(30)] + [f"R{n:02d}" for n in range(30)]
    assert {line.column for line in page.lines} == {0, 1}


def test_the_order_of_the_file_is_kept_where_it_reads_well(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        column(canvas, "L", LEFT, 700, 20)
        column(canvas, "R", RIGHT, 700, 20)
        canvas.setFont("Times-Roman", 8)
        canvas.drawString(LEFT, 440, "A footnote of the left column, drawn last")

    page = read_pages(draw).pages[0]
    assert page.lines[-1].text.startswith("A footnote")
    assert numbers(page)[:40] == [f"L{n:02d}" for n in range(20)] + [f"R{n:02d}" for n in range(20)]


def test_a_title_over_two_columns_spans_them(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(
            LEFT, 740, "A long title that runs over both of the columns of this page, as titles of papers do"
        )
        column(canvas, "L", LEFT, 700, 20)
        column(canvas, "R", RIGHT, 700, 20)

    page = read_pages(draw).pages[0]
    assert page.lines[0].column == -1
    assert {line.column for line in page.lines[1:]} == {0, 1}


def test_text_in_one_column_has_no_columns(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for number in range(30):
            canvas.drawString(
                LEFT, 700 - 12 * number, f"{number:02d} " + "words of a line across the page " * 3
            )

    assert {line.column for line in read_pages(draw).pages[0].lines} == {-1}


def test_the_short_cells_of_a_table_are_no_columns(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for number in range(20):
            for place, x in enumerate((72, 220, 370)):
                canvas.drawString(x, 700 - 14 * number, f"cell {place} of row {number:02d}")

    page = read_pages(draw).pages[0]
    assert {line.column for line in page.lines} == {-1}
    assert [line.text for line in page.lines[:3]] == [f"cell {place} of row 00" for place in range(3)]


def test_a_page_with_few_lines_takes_the_columns_of_the_other_pages(read_pages: Read) -> None:
    def full(canvas: Canvas) -> None:
        column(canvas, "L", LEFT, 700, 30)
        column(canvas, "R", RIGHT, 700, 30)

    def short(canvas: Canvas) -> None:
        column(canvas, "L", LEFT, 700, 3)
        column(canvas, "R", RIGHT, 700, 3)

    assert {line.column for line in read_pages(full, full, short).pages[2].lines} == {0, 1}
