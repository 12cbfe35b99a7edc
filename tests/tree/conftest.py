"""Small documents for the tree: headings and pages in one line each."""

from __future__ import annotations

import pytest

from vectree.document import Heading, HeadingSource, Match, Page, TextStatus


def _heading(
    text: str, page: int, *, level: int = 1, begins: bool = False, offset: int | None = None
) -> Heading:
    number, _, title = text.partition("|")
    if not title:
        number, title = "", text
    return Heading(
        number=number,
        title=title,
        page=page,
        level=level,
        source=HeadingSource.LAYOUT,
        match=Match.HEADING_LINE,
        begins_page=begins,
        offset=offset,
    )


def _pages(*texts: str) -> list[Page]:
    return [
        Page(number=number, raw=text, text=text, status=TextStatus.TEXT if text else TextStatus.BLANK)
        for number, text in enumerate(texts, start=1)
    ]


@pytest.fixture
def heading():
    """``heading("2.1|Methods", 3)``: number and title parted by a bar."""
    return _heading


@pytest.fixture
def pages():
    """``pages("text of page 1", "text of page 2")``."""
    return _pages
