from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from vectree.ingest.parse import ParsedDocument
from vectree.ingest.parsers.pdfium.outline import MAX_DEPTH, tidy

Read = Callable[..., ParsedDocument]


def test_bookmarks_carry_title_target_and_depth(read_pages: Read) -> None:
    def first(canvas: Canvas) -> None:
        canvas.bookmarkPage("one")
        canvas.addOutlineEntry("1 Introduction", "one", level=0)

    def second(canvas: Canvas) -> None:
        canvas.bookmarkPage("two")
        canvas.addOutlineEntry("1.1 Schrödinger’s equation", "two", level=1)

    bookmarks = read_pages(first, second).bookmarks
    assert [(mark.title, mark.page, mark.level) for mark in bookmarks] == [
        ("1 Introduction", 1, 1),
        ("1.1 Schrödinger’s equation", 2, 2),
    ]


def test_an_outline_deeper_than_any_paper_is_cut(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.bookmarkPage("here")
        for level in range(30):
            canvas.addOutlineEntry(f"level {level}", "here", level=level)

    assert max(mark.level for mark in read_pages(draw).bookmarks) == MAX_DEPTH


def test_an_outline_that_bites_its_tail_ends(tmp_path: Path, read: Read) -> None:
    path = tmp_path / "loop.pdf"
    path.write_bytes(
        b"%PDF-1.4\n"
        b"1 0 obj <</Type /Catalog /Pages 2 0 R /Outlines 4 0 R>> endobj\n"
        b"2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n"
        b"3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792]>> endobj\n"
        b"4 0 obj <</First 5 0 R /Last 6 0 R>> endobj\n"
        b"5 0 obj <</Title (first) /Parent 4 0 R /Next 6 0 R /First 6 0 R>> endobj\n"
        b"6 0 obj <</Title (second) /Parent 4 0 R /Next 5 0 R /First 5 0 R>> endobj\n"
        b"trailer <</Root 1 0 R>>\n%%EOF\n"
    )
    assert {mark.title for mark in read(path).bookmarks} == {"first", "second"}


def test_information_fields_are_read(make_pdf: Callable[..., Path], read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setTitle("On things")
        canvas.setAuthor("A. Meyer")

    info = read(make_pdf(draw)).info
    assert (info["title"], info["author"]) == ("On things", "A. Meyer")
    assert set(info) <= {"title", "author", "subject", "keywords"}


def test_a_printed_label_is_kept_where_it_differs_from_the_number(read_pages: Read) -> None:
    def first(canvas: Canvas) -> None:
        canvas.addPageLabel(0, style="ROMAN_LOWER", start=1)

    def second(canvas: Canvas) -> None:
        canvas.addPageLabel(1, style="ARABIC", start=1)

    def third(canvas: Canvas) -> None:
        canvas.addPageLabel(2, style="ARABIC", start=3)

    assert [page.label for page in read_pages(first, second, third).pages] == ["i", "1", None]


@given(
    st.text(st.characters(codec=None, categories=("Lu", "Ll", "Cc", "Cs", "Zs", "Co"))), st.integers(1, 50)
)
def test_tidied_text_can_be_written_as_utf_8_on_one_line(text: str, most: int) -> None:
    tidied = tidy(text, most)
    assert len(tidied) <= most
    assert "\n" not in tidied
    tidied.encode("utf-8")


@pytest.mark.parametrize(("text", "expected"), [("a\u00adb\x00c", "abc"), ("ﬁne\u00a0art", "fine art")])
def test_tidied_text_has_no_invisible_characters(text: str, expected: str) -> None:
    assert tidy(text, 50) == expected
