"""Lines that could be headings, gathered into blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vectree.ingest.layout.body import BodyText
from vectree.ingest.layout.candidate import Candidate
from vectree.ingest.layout.measure import measure
from vectree.ingest.layout.neighbours import in_figure, share_baseline
from vectree.ingest.layout.row_text import bare_number, joined, label_only, labels
from vectree.ingest.lexicon import is_section_title
from vectree.ingest.numbering import readings
from vectree.ingest.parse import Line
from vectree.ingest.rows import PageRows, Row

_MAX_PIECES = 12
_SAME_SIZE = 0.6
_EXACT_SIZE = 0.15
_PIECE_GAP = 0.6
_FULL_LINE = 0.93


def find_candidates(page: PageRows, body: BodyText, listed: frozenset[str]) -> list[Candidate]:
    """Gather the blocks of a page that could be headings.

    Args:
        page: The page.
        body: What running text looks like.
        listed: Normal forms of titles that a contents list promises.

    Returns:
        In reading order.
    """
    usable = [
        (place, row)
        for place, row in enumerate(page.rows)
        if not row.furniture and not row.contents and not in_figure(page.rows, place, body)
    ]
    found: list[Candidate] = []
    for start, stop in _blocks([row for _, row in usable], body, listed):
        block = usable[start:stop]
        above = usable[start - 1][1].line if start else None
        below = usable[stop][1].line if stop < len(usable) else None
        found.append(measure(page.number, block, above, below, body, listed))
    return found


def _blocks(rows: Sequence[Row], body: BodyText, listed: frozenset[str]) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(rows):
        stop = start + 1
        if not _promising(rows[start], body, listed):
            start = stop
            continue
        while stop < len(rows) and _continues(rows[start:stop], rows[stop], body):
            stop += 1
        if stop - start <= _MAX_PIECES:
            yield start, stop
        start = stop


def _promising(row: Row, body: BodyText, listed: frozenset[str]) -> bool:
    return (
        body.stands_out(row.line)
        or row.key in listed
        or is_section_title(row.text)
        or bool(readings(row.text))
        or bare_number(row.text)
    )


def _continues(block: Sequence[Row], row: Row, body: BodyText) -> bool:
    """Whether a row belongs to the block above it."""
    last, line = block[-1].line, row.line
    if share_baseline(last, line):
        number = len(block) == 1 and bare_number(block[0].text)
        return line.box.x0 > last.box.x1 - last.size and (
            number or line.box.x0 < last.box.x1 + _PIECE_GAP * last.size
        )
    if len(block) == 1 and label_only(block[0].text):
        below = 0 < line.box.y0 - last.box.y0 < 6 * max(line.size, last.size)
        return below and body.stands_out(line) and labels(block[0], row, body)
    if not body.stands_out(block[0].line) and last.box.width < _FULL_LINE * body.width:
        return False
    lead = block[0].text
    if not _alike(last if bare_number(lead) or label_only(lead) else block[0].line, line, body):
        return False
    gap = line.box.y0 - last.box.y1
    if not -last.box.height < gap <= max(body.gap, 0.0) + 0.45 * line.size or line.box.y0 <= last.box.y0:
        return False
    return not (is_section_title(joined(block)) or _starts_section(row, block))


def _starts_section(row: Row, block: Sequence[Row]) -> bool:
    if is_section_title(row.text) and not _unfinished(block[-1].text):
        return True
    numbered = readings(row.text)
    return bool(numbered) and bool(readings(block[0].text)) and numbered[0][0].kind != "alpha"


def _unfinished(text: str) -> bool:
    return text.rsplit(" ", 1)[-1].casefold() in {
        "and",
        "of",
        "the",
        "for",
        "in",
        "on",
        "with",
        "und",
        "et",
        "y",
        "de",
        "&",
    }


def _alike(one: Line, other: Line, body: BodyText) -> bool:
    """Whether two lines are set alike; a line with words in another font may be measured in that font."""
    if abs(one.size - other.size) > _SAME_SIZE or one.bold != other.bold:
        return False
    if one.font == other.font:
        return abs(one.size - other.size) < _EXACT_SIZE
    return body.stands_out(one) and body.stands_out(other) and (one.bold or one.size > body.size * 1.06)
