from __future__ import annotations

from collections.abc import Callable

from vectree.ingest.parsers.pdfium.fragment import Fragment
from vectree.ingest.parsers.pdfium.mend import mend

Line = Callable[..., Fragment]


def test_a_line_cut_by_a_superscript_is_one_line(line: Line) -> None:
    pieces = [line("20 kg/m2", width=40), line(") was", x0=112, width=25)]
    (joined,) = mend(pieces)
    assert joined.text == "20 kg/m2) was"
    assert (joined.rect[0], joined.rect[2]) == (72, 137)


def test_pieces_a_word_apart_are_joined_with_a_space(line: Line) -> None:
    assert [piece.text for piece in mend([line("the", width=15), line("cell", x0=90)])] == ["the cell"]


def test_a_section_number_is_joined_to_its_title_across_a_tab(line: Line) -> None:
    assert [piece.text for piece in mend([line("2.1", width=14), line("Methods", x0=110)])] == ["2.1 Methods"]


def test_columns_are_not_joined(line: Line) -> None:
    assert len(mend([line("left column", width=200), line("right column", x0=310)])) == 2


def test_lines_below_one_another_are_not_joined(line: Line) -> None:
    assert len(mend([line("one", y0=100), line("two", x0=88, y0=113)])) == 2


def test_a_broken_word_is_not_joined_here(line: Line) -> None:
    assert len(mend([line("exam", width=20, hyphen=True), line("ple", x0=93)])) == 2


def test_the_hyphen_and_the_lead_of_the_whole_survive(line: Line) -> None:
    (joined,) = mend([line("alpha", width=25), line("be", x0=98, hyphen=True)])
    assert joined.hyphen
