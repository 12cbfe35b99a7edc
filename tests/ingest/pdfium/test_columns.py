from __future__ import annotations

from collections.abc import Callable

import pytest

from vectree.ingest.parsers.pdfium.columns import column_of, column_starts, find_columns
from vectree.ingest.parsers.pdfium.fragment import Fragment

Line = Callable[..., Fragment]


def test_an_indented_list_does_not_hide_where_its_column_starts(line: Line) -> None:
    left = [line("a line of the left column", x0=72, y0=100 + 12 * n, width=220) for n in range(20)]
    indented = [line("a line of a list in it", x0=340, y0=100 + 12 * n, width=190) for n in range(16)]
    flush = [line("a line of the column", x0=320, y0=292 + 12 * n, width=210) for n in range(4)]
    assert column_starts([*left, *indented, *flush]) == [72, 320]


def test_three_columns_are_three(line: Line) -> None:
    lines = [
        line("a line of some length", x0=x, y0=100 + 12 * n, width=150)
        for n in range(20)
        for x in (50, 220, 390)
    ]
    assert column_starts(lines) == [50, 220, 390]


def test_a_quotation_set_in_from_both_sides_is_no_column(line: Line) -> None:
    wide = [line("a line right across the page", x0=72, y0=100 + 12 * n, width=460) for n in range(20)]
    quoted = [line("a line of the quotation", x0=160, y0=340 + 12 * n, width=280) for n in range(10)]
    assert column_starts([*wide, *quoted]) == [72]


@pytest.mark.parametrize(
    ("x0", "width", "column"), [(72, 200, 0), (320, 200, 1), (72, 450, -1), (90, 100, 0), (330, 20, 1)]
)
def test_a_line_stands_in_a_column_or_across_them(line: Line, x0: float, width: float, column: int) -> None:
    assert column_of(line("some words", x0=x0, width=width), [72, 320]) == column


def test_the_columns_of_a_cut_up_page_are_those_of_the_document(line: Line) -> None:
    def columns(count: int) -> list[Fragment]:
        return [
            line("a line of some length", x0=x, y0=100 + 12 * n, width=200)
            for n in range(count)
            for x in (72, 320)
        ]

    table = [
        line("cell of a wide table", x0=x, y0=400 + 12 * n, width=90)
        for n in range(9)
        for x in (72, 230, 440)
    ]
    found = find_columns([columns(20), columns(20), [*columns(4), *table]])
    assert found == [[72, 320]] * 3
