from __future__ import annotations

from vectree.ingest.rows import rows_of


def furniture(document) -> list[tuple[int, str]]:
    return [(page.number, row.text) for page in rows_of(document) for row in page.rows if row.furniture]


def test_heads_that_name_the_chapter_are_recognised_by_their_place(book) -> None:
    for number in range(1, 13):
        page = book.page()
        page.running(f"Chapter {1 + (number - 1) // 4}. {'Alpha' if number <= 4 else 'Beta'}", marked=False)
        page.prose(4)
    assert len(furniture(book.parsed())) == 12


def test_c04_a_real_heading_at_the_top_of_a_page_is_no_running_head(book) -> None:
    for number in range(1, 9):
        page = book.page()
        if number == 5:
            page.heading("A single heading", size=14)
        page.prose(5)
    assert furniture(book.parsed()) == []


def test_c04_the_heading_that_running_heads_repeat_is_kept(book) -> None:
    book.page().line("1 Introduction", size=14.0, bold=True, furniture=True).prose(4)
    for _ in range(4):
        book.page().running("1 INTRODUCTION").prose(4)
    found = furniture(book.parsed())
    assert (1, "1 Introduction") not in found
    assert len(found) == 4
