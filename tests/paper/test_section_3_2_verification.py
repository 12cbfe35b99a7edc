"""§3.2: a title must match its page "within a ±1-page tolerance using a case-insensitive substring rule"."""

from __future__ import annotations

from vectree.document import Heading, HeadingSource, TextStatus
from vectree.ingest.parse import ParsedPage
from vectree.ingest.verify import PAGE_TOLERANCE, paper_rule


def _page(number: int, raw: str) -> ParsedPage:
    return ParsedPage(number=number, width=1.0, height=1.0, raw=raw, status=TextStatus.TEXT)


def _claim(title: str, page: int) -> Heading:
    return Heading(number="2", title=title, page=page, level=1, source=HeadingSource.MODEL)


def test_the_tolerance_is_one_page() -> None:
    assert PAGE_TOLERANCE == 1


def test_the_literal_rule() -> None:
    pages = [_page(1, "Front"), _page(2, "2 METHODS of measurement"), _page(3, "More"), _page(4, "Last")]
    assert [paper_rule(_claim("Methods", page), pages) for page in (1, 2, 3, 4)] == [True, True, True, False]
    assert not paper_rule(_claim("Method s", 2), pages)
