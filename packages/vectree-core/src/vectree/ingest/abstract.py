"""The abstract that has no heading, found by a deterministic scan (§3.2).

Many journals print the abstract as a block between the authors and the text. It is what readers and search
want first, so it gets a synthetic heading — but only where the signs are clear: prose of an abstract's
length, before the first section, and either directly followed by it or set apart from the text by its type
or its width.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vectree.ingest.layout.body import BodyText
from vectree.ingest.rows import PageRows, Row

TITLE = "Abstract"
_PAGES = 2
_MIN_CHARACTERS = 350
_MAX_CHARACTERS = 4_000
_MIN_ROWS = 3
_MIN_SENTENCES = 2
_MIN_SMALL_WORDS = 0.2
_SENTENCE = re.compile(r"[a-zß-ÿ\d)\]]\.(?:\s|$)")
_ADDRESS = re.compile(
    r"\S@\S|https?:|\bdoi\b|©|\breceived\b|\baccepted\b|\buniversit|\bdepartment\b|\bcorrespond",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """Rows set alike, one below the other."""

    page: int
    first: int
    rows: tuple[Row, ...]

    @property
    def text(self) -> str:
        return " ".join(row.text for row in self.rows)

    @property
    def end(self) -> int:
        return self.first + len(self.rows)


def find_abstract(
    pages: Sequence[PageRows], body: BodyText, first_heading: tuple[int, int] | None
) -> tuple[int, int] | None:
    """Find where an abstract without a heading starts.

    Args:
        pages: Rows of every page.
        body: What running text looks like.
        first_heading: Page and row of the first heading; ``None`` if the document has none.

    Returns:
        Page and row of its first line; ``None`` unless the signs are clear.
    """
    limit = first_heading or (_PAGES + 1, 0)
    blocks = [
        block for page in pages[:_PAGES] for block in _blocks(page, body) if (block.page, block.first) < limit
    ]
    for index, block in enumerate(blocks):
        if not _reads_like_abstract(block):
            continue
        after = blocks[index + 1] if index + 1 < len(blocks) else None
        followed = first_heading is not None and after is None and block.page == first_heading[0]
        if followed or (after is not None and _set_apart(block, after, body)):
            return block.page, block.first
        return None
    return None


def _blocks(page: PageRows, body: BodyText) -> list[_Block]:
    found: list[_Block] = []
    for place, row in enumerate(page.rows):
        if row.furniture or row.contents or row.marked or row.line.in_figure:
            continue
        if found and found[-1].end == place and _continues(found[-1].rows[-1], row, body):
            found[-1] = _Block(page=page.number, first=found[-1].first, rows=(*found[-1].rows, row))
        else:
            found.append(_Block(page=page.number, first=place, rows=(row,)))
    return found


def _continues(above: Row, below: Row, body: BodyText) -> bool:
    one, other = above.line, below.line
    alike = abs(one.size - other.size) < 0.6 and one.bold == other.bold and one.column == other.column
    apart = other.box.y0 - one.box.y1
    return alike and -one.box.height < apart < max(body.gap, 0.0) + 0.9 * one.size


def _reads_like_abstract(block: _Block) -> bool:
    text = block.text
    if len(block.rows) < _MIN_ROWS or not _MIN_CHARACTERS <= len(text) <= _MAX_CHARACTERS:
        return False
    if len(_SENTENCE.findall(text)) < _MIN_SENTENCES or _ADDRESS.search(text):
        return False
    pieces = text.split()
    return sum(piece.islower() and len(piece) <= 4 for piece in pieces) >= _MIN_SMALL_WORDS * len(pieces)


def _set_apart(block: _Block, after: _Block, body: BodyText) -> bool:
    """Whether an abstract differs from the text after it: larger, bolder, italic, wider or in one column."""
    one, other = block.rows[0].line, after.rows[0].line
    if abs(one.size - other.size) > 0.4 or one.bold != other.bold or one.italic != other.italic:
        return True
    wide = max(row.line.box.width for row in block.rows) > 1.25 * body.width
    return wide and max(row.line.box.width for row in after.rows) <= 1.1 * body.width
