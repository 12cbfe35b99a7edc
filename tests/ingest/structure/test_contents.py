from __future__ import annotations

from vectree.ingest.contents import contents_orders, contents_titles


def test_entries_with_leaders_are_found(book) -> None:
    page = book.page()
    page.heading("Contents", size=16)
    for entry in ("1 Introduction ........ 1", "2 Methods .......... 4", "3 Results ......... 9"):
        page.line(entry)
    page.heading("1 Introduction").prose()
    assert contents_orders(page.lines) == {1, 2, 3}


def test_page_numbers_at_the_right_margin_make_entries(book) -> None:
    page = book.page()
    for entry, number in (("1 Introduction", "iii"), ("2 Methods", "iv"), ("3 Results", "1")):
        page.line(entry)
        page.line(number, x=480.0, y=page.lines[-1].box.y0)
    page.heading("1 Introduction", size=14).line("Some text here...")
    assert contents_orders(page.lines) == {0, 1, 2, 3, 4, 5}


def test_sentences_that_trail_off_are_no_entries(book) -> None:
    page = book.page()
    for _ in range(4):
        page.line("Some text here...")
    assert not contents_orders(page.lines)


def test_headings_that_end_in_numbers_are_no_entries(book) -> None:
    page = book.page()
    for title in ("Study 1", "Study 2"):
        page.heading(title).prose(3)
    assert not contents_orders(page.lines)


def test_titles_lose_leaders_and_page_numbers() -> None:
    texts = ["1.2 Samples . . . . . . 14", "References ..... 30", "Plain 7", "....."]
    assert contents_titles(texts) == ("1.2 Samples", "References", "Plain")
