from __future__ import annotations

import pytest

from vectree.document import Heading, HeadingSource, Page, TextStatus
from vectree.ingest.doubts import DoubtBounds, doubtful_pages, find_doubts

BOUNDS = DoubtBounds(stretch_tokens=100, stretch_pages=3)


def headings(*texts: str) -> list[Heading]:
    """``"2.1 Casting @ 3"``"""
    made: list[Heading] = []
    for text in texts:
        printed, _, page = text.partition(" @ ")
        number, _, title = printed.partition(" ")
        if not number[0].isdigit() and number not in ("I", "II", "III", "IV"):
            number, title = "", printed
        made.append(Heading(number=number, title=title, page=int(page), level=1, source=HeadingSource.LAYOUT))
    return made


def pages(count: int, text: str = "word " * 30) -> list[Page]:
    return [Page(number=n, raw=text, text=text, status=TextStatus.TEXT) for n in range(1, count + 1)]


def doubts(*texts: str, count: int = 6) -> list[tuple[int, int]]:
    found = find_doubts(headings(*texts), pages(count), DoubtBounds())
    return [(doubt.pages.first, doubt.pages.last) for doubt in found]


def test_a_complete_series_leaves_no_doubt() -> None:
    assert doubts("Abstract @ 1", "1 A @ 1", "2 B @ 2", "2.1 C @ 2", "2.2 D @ 3", "3 E @ 4") == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("1 A @ 1", "2 B @ 2", "4 D @ 5"), [(2, 5)]),
        (("1 A @ 1", "2 B @ 2", "2.2 C @ 3", "3 D @ 5"), [(2, 3)]),
        (("1 A @ 1", "2 B @ 2", "2.1 C @ 3", "2.3 D @ 4", "3 E @ 6"), [(3, 4)]),
        (("I A @ 1", "II B @ 2", "IV D @ 4"), [(2, 4)]),
    ],
)
def test_a_number_left_out_puts_the_pages_around_it_in_doubt(given, expected) -> None:
    assert doubts(*given) == expected


def test_a_document_may_begin_with_any_number() -> None:
    assert doubts("5 A @ 1", "6 B @ 2", "7 C @ 3") == []


def test_few_headings_put_the_whole_document_in_doubt() -> None:
    (doubt,) = find_doubts(headings("Introduction @ 2"), pages(5))
    assert (str(doubt.pages), doubt.reason) == ("1-5", "1 headings on 5 pages")


def test_a_short_document_needs_no_headings() -> None:
    assert find_doubts([], pages(2)) == ()


def test_a_synthetic_abstract_is_no_heading() -> None:
    made = Heading(number="", title="Abstract", page=1, level=1, source=HeadingSource.SYNTHETIC)
    assert len(find_doubts([made], pages(5))) == 1


def test_a_long_stretch_without_a_heading_is_in_doubt_unless_it_is_a_list() -> None:
    made = headings("1 A @ 1", "2 B @ 2", "3 C @ 7", "References @ 8")
    (doubt,) = find_doubts(made, pages(14), BOUNDS)
    assert (str(doubt.pages), doubt.reason) == ("2-7", "6 pages without a heading after '2 B'")


def test_a_document_without_text_leaves_nothing_to_ask() -> None:
    assert find_doubts([], pages(9, text="")) == ()


def test_doubtful_pages_are_named_once_and_in_order() -> None:
    found = find_doubts(headings("1 A @ 1", "3 C @ 3", "5 E @ 4", "6 F @ 5"), pages(6))
    assert doubtful_pages(found) == (1, 2, 3, 4)
