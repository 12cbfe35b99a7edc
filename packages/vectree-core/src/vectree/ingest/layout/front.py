"""The front of a document: title, authors, cover sheet, imprint. Set large or bold, yet no sections."""

from __future__ import annotations

from collections.abc import Container, Sequence

from vectree.ingest.layout.body import BodyText
from vectree.ingest.layout.candidate import Candidate
from vectree.ingest.lexicon import is_abstract_title
from vectree.ingest.rows import PageRows, Row

_TITLE_PAGES = 2
_FRONT_PAGES = 3
_TITLE_SIZE = 1.2
_SAME_SIZE = 0.6
_PARAGRAPH_ROWS = 4
_NEAR = 2.0
_PARAGRAPH_FILL = 0.6
_CONTENTS_PAGES = 25
_CONTENTS_ROWS = 8


def drop_front(
    kept: Sequence[Candidate],
    blocks: Sequence[Candidate],
    pages: Sequence[PageRows],
    body: BodyText,
    chained: Container[tuple[int, int]],
) -> list[Candidate]:
    """Leave out the title and whatever stands before the text begins.

    Args:
        kept: Candidates accepted so far, in document order.
        blocks: All candidates; the title may have been rejected by its wording.
        pages: Rows of every page.
        body: What running text looks like.
        chained: Places with accepted numbers.

    Returns:
        The headings.
    """
    title = _title(blocks, body)
    if title is not None and _opens_text(title, kept, pages, body):
        title = None
    start = _text_start(kept, pages, body, chained)
    contents = _contents_page(pages)
    looks = {block.style for block in kept if block.page >= contents}

    def in_front(block: Candidate) -> bool:
        if (
            block.page < contents
            and block.style not in looks
            and not (block.listed or is_abstract_title(block.text))
        ):
            return True
        if block.known or block.listed or block.place in chained or _opens_text(block, kept, pages, body):
            return False
        as_large = (
            title is not None
            and block.page <= title.page
            and block.style.size >= title.style.size - _SAME_SIZE
        )
        return as_large or block.place < start

    return [block for block in kept if not in_front(block)]


def _opens_text(
    block: Candidate, kept: Sequence[Candidate], pages: Sequence[PageRows], body: BodyText
) -> bool:
    """Whether a paragraph follows a line, and its look comes back on a later heading: a title's does not."""
    rows = pages[block.page - 1].rows[block.last + 1 : block.last + 1 + _PARAGRAPH_ROWS]
    paragraph = len(rows) == _PARAGRAPH_ROWS and all(_is_wide(row, body) for row in rows[:-1])
    near = block.gap_below is None or block.gap_below < _NEAR
    return (
        paragraph
        and near
        and any(
            other.style == block.style and other.body_below and other.place > block.place for other in kept
        )
    )


def _contents_page(pages: Sequence[PageRows]) -> int:
    """The page of the contents list; a look that never returns after it is an imprint's. 0 without one."""
    for page in pages[:_CONTENTS_PAGES]:
        if sum(row.contents for row in page.rows) >= _CONTENTS_ROWS:
            return page.number
    return 0


def _title(blocks: Sequence[Candidate], body: BodyText) -> Candidate | None:
    early = [block for block in blocks if block.page <= _TITLE_PAGES and not block.known]
    largest = max(early, key=lambda block: (block.style.size, -block.page, -block.first), default=None)
    return largest if largest is not None and largest.style.size >= body.size * _TITLE_SIZE else None


def _text_start(
    kept: Sequence[Candidate], pages: Sequence[PageRows], body: BodyText, chained: Container[tuple[int, int]]
) -> tuple[int, int]:
    """Where the text begins: at the first sure heading or the first paragraph, whichever comes first."""
    sure = [block.place for block in kept if block.known or block.place in chained]
    anchor = next((place for place in sure if place[0] <= _FRONT_PAGES), None)
    paragraph = _first_paragraph(pages[:_FRONT_PAGES], body)
    if anchor is not None and (anchor[0] == 1 or paragraph is None):
        return anchor
    return min(place for place in (anchor, paragraph, (_FRONT_PAGES + 1, 0)) if place is not None)


def _first_paragraph(pages: Sequence[PageRows], body: BodyText) -> tuple[int, int] | None:
    for page in pages:
        length = 0
        for place, row in enumerate(page.rows):
            if _is_wide(row, body):
                length += 1
                if length == _PARAGRAPH_ROWS:
                    return page.number, place - length + 1
            else:
                length = 0
    return None


def _is_wide(row: Row, body: BodyText) -> bool:
    """Whether a row is running text over most of its column."""
    wide = row.line.box.width >= _PARAGRAPH_FILL * body.width
    return wide and not row.furniture and not row.contents and body.carries(row.line)
