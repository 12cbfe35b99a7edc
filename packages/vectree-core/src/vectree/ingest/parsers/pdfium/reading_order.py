"""Reading order: which line follows which."""

from __future__ import annotations

from itertools import pairwise

from vectree.ingest.parsers.pdfium.columns import PROSE_LENGTH, column_of, find_columns
from vectree.ingest.parsers.pdfium.fragment import Fragment

MOST_RETURNS = 3
"""Returns to an earlier column within a band, above which the file's order is not an order of reading."""


def arrange_pages(pages: list[list[Fragment]]) -> list[list[Fragment]]:
    """Give every line its column and bring the lines of every page into reading order.

    The order of the file is nearly always the order of reading and is kept then; only where it goes back
    and forth between columns are lines sorted anew, band by band between the lines that span the page.

    Args:
        pages: Lines of each page in the order of the file; ``column`` is filled in.

    Returns:
        The lines of each page in reading order.
    """
    columns = find_columns(pages)
    return [arrange(lines, starts) for lines, starts in zip(pages, columns, strict=True)]


def arrange(lines: list[Fragment], starts: list[float]) -> list[Fragment]:
    """Arrange one page.

    Args:
        lines: Its lines in the order of the file; ``column`` is filled in.
        starts: Left edges of its columns.

    Returns:
        The lines in reading order.
    """
    if len(starts) < 2:
        return lines
    for line in lines:
        line.column = column_of(line, starts)
    bands = _bands(lines)
    for band in bands:
        if all(line.column <= 0 for line in band):
            for line in band:
                line.column = -1
    mixed = [_returns(band) > MOST_RETURNS for band in bands]
    if not any(mixed):
        return lines
    return [
        line
        for band, resort in zip(bands, mixed, strict=True)
        for line in (sorted(band, key=_within_band) if resort else band)
    ]


def _bands(lines: list[Fragment]) -> list[list[Fragment]]:
    """The page cut at lines that span columns; each such line opens a band."""
    cuts = sorted({line.middle for line in lines if line.column == -1 and line.level})
    bounds = [float("-inf"), *(cut - 1.0 for cut in cuts), float("inf")]
    bands: list[list[Fragment]] = [[] for _ in range(len(bounds) - 1)]
    order = sorted(range(len(lines)), key=lambda at: lines[at].middle)
    band = 0
    placed: list[tuple[int, int]] = []
    for at in order:
        while lines[at].middle >= bounds[band + 1]:
            band += 1
        placed.append((band, at))
    for band, at in sorted(placed):
        bands[band].append(lines[at])
    return [band for band in bands if band]


def _returns(band: list[Fragment]) -> int:
    """How often the file's order goes back to an earlier column within a band."""
    columns = [line.column for line in band if line.column >= 0 and len(line.text) >= PROSE_LENGTH]
    return sum(second < first for first, second in pairwise(columns))


def _within_band(line: Fragment) -> tuple[int, int, float]:
    """Spanning lines first, then column by column from the top."""
    return line.column, round(line.middle / 3), line.rect[0]
