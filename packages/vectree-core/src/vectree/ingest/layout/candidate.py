"""A block of lines that could be a heading, with what was measured about it."""

from __future__ import annotations

from dataclasses import dataclass

from vectree.ingest.layout.body import Style
from vectree.ingest.numbering import Enumerator


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A block of one to five lines that could be a heading.

    Attributes:
        page: Physical page.
        first: Position of its first row on the page.
        last: Position of its last row.
        text: Its lines joined.
        style: The look of its first line with letters.
        numbers: Ways to read a number off its start, each with the remaining title.
        known: Whether it is one of the common section titles.
        listed: Whether a contents list promises it.
        stands_out: Whether it looks different from running text.
        gap_above: White space above beyond the usual, in units of the body size; ``None`` at the top of a
            column.
        gap_below: White space below beyond the usual; ``None`` at the foot of a column.
        stacked: Whether a line that stands out is right above it, as under another heading.
        alone: Whether nothing shares its baseline.
        height: How many lines it takes; pieces of one line, such as subscripts, count once.
        body_below: Whether running text follows.
        paragraph_below: Whether a full line of running text without a number follows.
        leads_in: Whether its look runs on into the start of the next line: a heading that opens a paragraph.
        turned: Whether it is written up or down the page.
        fill: Width of its widest line in units of a full line.
        left: Left edge of its first line.
        top: Upper edge.
    """

    page: int
    first: int
    last: int
    text: str
    style: Style
    numbers: tuple[tuple[Enumerator, str], ...]
    known: bool
    listed: bool
    stands_out: bool
    gap_above: float | None
    gap_below: float | None
    stacked: bool
    alone: bool
    height: int
    body_below: bool
    paragraph_below: bool
    leads_in: bool
    turned: bool
    fill: float
    left: float
    top: float

    @property
    def place(self) -> tuple[int, int]:
        """Page and row, for document order."""
        return self.page, self.first

    @property
    def spaced(self) -> bool:
        """Whether it is set off from what stands above it."""
        return self.gap_above is None or self.gap_above > 0.2 or self.stacked
