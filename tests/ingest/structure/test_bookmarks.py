from __future__ import annotations

from vectree.ingest.bookmarks import MAX_BOOKMARKS, clean_bookmarks
from vectree.ingest.parse import Bookmark


def titles(book) -> list[str]:
    return [entry.title for entry in clean_bookmarks(book.parsed())]


def test_junk_is_left_out(book) -> None:
    book.page().prose()
    for title in (
        "Introduction",
        "Fig. 1",
        "TABLE 2.",
        "Anchor 27",
        "paper_final.pdf",
        "_GoBack",
        "Page 3",
        "12",
        "Outline placeholder",
        "Contents",
        "",
        "Results",
    ):
        book.mark(title, 1)
    assert titles(book) == ["Introduction", "Results"]


def test_markup_and_entities_are_undone(book) -> None:
    book.page()
    book.mark("Drift &amp; noise", 1).mark("The <i>E. coli</i> strain", 1).mark(
        "Aims&#8197;and &break /;scope", 1
    )
    assert titles(book) == ["Drift & noise", "The E. coli strain", "Aims and scope"]


def test_numbers_are_taken_off(book) -> None:
    book.page()
    book.mark("2.1 Samples", 1, 2).mark("Appendix B. Proofs", 1)
    numbers = [(entry.number.text, entry.title) for entry in clean_bookmarks(book.parsed())]
    assert numbers == [("2.1", "Samples"), ("B", "Proofs")]


def test_a_root_that_holds_all_is_the_title(book) -> None:
    book.page()
    book.mark("On the drift of sensors", 1, 1).mark("Introduction", 1, 2).mark("Results", 1, 2)
    entries = clean_bookmarks(book.parsed())
    assert [(entry.title, entry.level) for entry in entries] == [("Introduction", 1), ("Results", 1)]


def test_a_root_that_is_a_section_stays(book) -> None:
    book.page()
    book.mark("1 Introduction", 1, 1).mark("1.1 Aims", 1, 2)
    assert titles(book) == ["Introduction", "Aims"]


def test_the_articles_title_is_recognised_by_the_file_and_by_its_print(book) -> None:
    book.page().line("A remarkable drift of ageing sensors", size=20.0).prose(2)
    book.mark("A remarkable drift of ageing sensors", 1).mark("Introduction", 1).mark("Results", 1)
    assert titles(book) == ["Introduction", "Results"]
    book.info["title"] = "Another long enough title of this article"
    book.bookmarks[0] = Bookmark(title="Another long enough title of this article", page=1, level=1)
    assert titles(book) == ["Introduction", "Results"]


def test_an_outline_that_repeats_one_title_is_worth_nothing(book) -> None:
    book.page()
    for _ in range(6):
        book.mark("Article title", 1)
    assert titles(book) == []


def test_pages_that_do_not_exist_are_unknown(book) -> None:
    book.page()
    book.mark("Introduction", 99).mark("Results", None).mark("Discussion", 1)
    assert [entry.page for entry in clean_bookmarks(book.parsed())] == [None, None, 1]


def test_an_endless_outline_is_cut(book) -> None:
    book.page()
    for number in range(MAX_BOOKMARKS + 50):
        book.mark(f"Section named {number:05d} so", 1)
    assert len(clean_bookmarks(book.parsed())) == MAX_BOOKMARKS
