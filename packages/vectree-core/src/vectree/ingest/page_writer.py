"""One page written as markdown, row by row in reading order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vectree.document import Figure, Heading
from vectree.ingest.hyphens import Hyphens
from vectree.ingest.layout.body import BodyText
from vectree.ingest.layout.neighbours import in_figure, in_one_row
from vectree.ingest.paragraphs import cell_gap, continues, touches
from vectree.ingest.parse import Line
from vectree.ingest.rows import PageRows, Row
from vectree.ingest.verify import Site
from vectree.normal import match_key

_MAX_CAPTION = 240
_MAX_PARAGRAPH = 20_000
_MAX_PIECES = 200
_MAX_ANCHORED = 60
_DEEPEST_MARK = 6
_CAPTION_KEY = 24
_MIN_CAPTION_KEY = 6
_PARAGRAPH, _ROWS, _FIGURE, _HEADING = "paragraph", "rows", "figure", "heading"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A heading to be written on a page.

    Attributes:
        heading: What it says and how deep it stands.
        site: Its rows.
        printed: Whether these rows are the heading; else they are text that it starts with.
    """

    heading: Heading
    site: Site
    printed: bool = True


class PageWriter:
    """Writes one page.

    Args:
        page: Its rows.
        marks: Headings by the position of their first row.
        figures: Figures of the page.
        body: What running text looks like.
        hyphens: Joins broken words.
    """

    def __init__(
        self,
        page: PageRows,
        *,
        marks: Mapping[int, Mark],
        figures: Sequence[Figure],
        body: BodyText,
        hyphens: Hyphens,
    ) -> None:
        self._page = page
        self._marks = marks
        self._figures = _anchored(page, figures)
        self._body = body
        self._hyphens = hyphens
        self._blocks: list[str] = []
        self._kind = ""
        self._above: Line | None = None
        self._at: dict[int, tuple[int, int]] = {}

    def write(self) -> tuple[str, dict[int, int]]:
        """Write the page.

        Returns:
            Its text, and for every row that starts a line, a block or a heading the offset of its words in
            it.
        """
        rows = self._page.rows
        place = 0
        while place < len(rows):
            for figure in self._figures.pop(place, ()):
                self._block(figure_reference(figure), _FIGURE)
            mark = self._marks.get(place)
            if mark is not None:
                place = self._heading(mark)
            elif rows[place].furniture:
                place += 1
            else:
                place = self._row(place)
        for figure in (figure for group in self._figures.values() for figure in group):
            self._block(figure_reference(figure), _FIGURE)
        starts = [0]
        for block in self._blocks:
            starts.append(starts[-1] + len(block) + 2)
        offsets = {place: starts[index] + inside for place, (index, inside) in self._at.items()}
        return "\n\n".join(self._blocks), offsets

    def _heading(self, mark: Mark) -> int:
        """Write a heading; return the position after it, or of the text that follows on its row."""
        site = mark.site
        rows = [row for row in self._page.rows[site.first : site.last + 1] if not row.furniture]
        if not mark.printed:
            self._kind = ""
            return self._row(site.first)
        words = mark.heading.printed
        rest = ""
        if site.run_in:
            words, rest = _split_lead(rows[-1], words)
            words = self._joined([*rows[:-1]], words)
        else:
            words = self._joined(rows, "")
        self._block(f"{'#' * min(mark.heading.level, _DEEPEST_MARK)} {words}", _HEADING, site.first)
        if rest:
            self._block(rest, _PARAGRAPH)
            self._above = rows[-1].line
        return site.last + 1

    def _joined(self, rows: Sequence[Row], last: str) -> str:
        text, broken = "", False
        for row in rows:
            text = self._hyphens.join(text, row.text, broken=broken) if text else row.text
            broken = row.line.hyphen
        return self._hyphens.join(text, last, broken=broken) if last and text else text or last

    def _row(self, place: int) -> int:
        """Write a row with all that shares its baseline; return the position after it."""
        stop = self._row_end(place)
        rows = [row for row in self._page.rows[place:stop] if not row.furniture]
        first = rows[0]
        cells = _cells(rows)
        if first.contents or len(cells) > 1:
            self._line(" | ".join(cells), place)
        elif in_figure(self._page.rows, place, self._body):
            self._words(
                cells[0], _FIGURE + "text", place, goes_on=self._kind == _FIGURE + "text", broken=False
            )
        else:
            above = self._above
            goes_on = (
                self._kind == _PARAGRAPH and above is not None and continues(above, first.line, self._body)
            )
            broken = above is not None and above.hyphen
            self._words(cells[0], _PARAGRAPH, place, goes_on=goes_on, broken=broken)
        self._above = rows[-1].line
        return stop

    def _row_end(self, place: int) -> int:
        rows = self._page.rows
        stop = place + 1
        last = rows[place].line
        while (
            stop < min(len(rows), place + _MAX_PIECES)
            and stop not in self._marks
            and stop not in self._figures
        ):
            row = rows[stop]
            if not row.furniture:
                if not in_one_row(last, row.line, self._body) or row.line.box.x0 < last.box.x0:
                    break
                last = row.line
            stop += 1
        return stop

    def _line(self, text: str, place: int) -> None:
        """A row of a table or of a contents list: a line of its own."""
        if self._kind != _ROWS:
            self._block(_escaped(text), _ROWS, place)
            return
        self._at[place] = (len(self._blocks) - 1, len(self._blocks[-1]) + 1)
        self._blocks[-1] += "\n" + _escaped(text)

    def _words(self, text: str, kind: str, place: int, *, goes_on: bool, broken: bool) -> None:
        if not goes_on or len(self._blocks[-1]) > _MAX_PARAGRAPH:
            self._block(_escaped(text), kind, place)
            return
        joined = self._hyphens.join(self._blocks[-1], text, broken=broken)
        self._at[place] = (len(self._blocks) - 1, len(joined) - len(text))
        self._blocks[-1] = joined

    def _block(self, text: str, kind: str, place: int | None = None) -> None:
        if place is not None:
            self._at[place] = (len(self._blocks), 0)
        self._blocks.append(text)
        self._kind = kind
        self._above = None


def figure_reference(figure: Figure) -> str:
    """A figure as markdown.

    Args:
        figure: The figure.

    Returns:
        ``![caption](name)``; a long caption is cut, since the page text has it in full.
    """
    caption = " ".join((figure.caption or "").split())
    if len(caption) > _MAX_CAPTION:
        caption = caption[: _MAX_CAPTION - 1].rstrip() + "…"
    return f"![{caption.replace('[', '(').replace(']', ')')}]({figure.name})"


def _cells(rows: Sequence[Row]) -> list[str]:
    """The texts of a row's cells; pieces of one cell joined."""
    cells = [rows[0].text]
    for left, right in pairwise(rows):
        if cell_gap(left.line, right.line):
            cells.append(right.text)
        else:
            cells[-1] += right.text if touches(left.line, right.line) else f" {right.text}"
    return cells


def _escaped(text: str) -> str:
    """Keep a line of text from reading as a heading."""
    return f"\\{text}" if text.startswith("#") else text


def _split_lead(row: Row, title: str) -> tuple[str, str]:
    """Cut a row after the words that end a heading.

    Letters are counted, not characters, because the title may be spaced or marked differently on the page.
    """
    lead = row.line.run.text if row.line.run is not None else ""
    wanted = match_key(title)
    if lead and row.text.startswith(lead) and wanted.endswith(match_key(lead)):
        return lead, row.text[len(lead) :].strip()
    have = 0
    for at in range(1, len(row.text) + 1):
        key = match_key(row.text[:at])
        if wanted.endswith(key):
            have = at
    cut = have
    while cut < len(row.text) and row.text[cut] in ".:—–- ":
        cut += 1
    return row.text[:cut].strip(), row.text[cut:].strip()


def _anchored(page: PageRows, figures: Sequence[Figure]) -> dict[int, list[Figure]]:
    """Figures by the row they stand before: their caption, else the first row below them, else the end."""
    placed: dict[int, list[Figure]] = {}
    for count, figure in enumerate(sorted(figures, key=lambda figure: (figure.box.y0, figure.box.x0))):
        row = _caption_row(page, figure) if count < _MAX_ANCHORED else len(page.rows)
        if row is None:
            row = _row_below(page, figure)
        placed.setdefault(row, []).append(figure)
    return placed


def _caption_row(page: PageRows, figure: Figure) -> int | None:
    wanted = match_key(figure.caption or "")[:_CAPTION_KEY]
    if len(wanted) < _MIN_CAPTION_KEY:
        return None
    for place, row in enumerate(page.rows):
        if row.key and (
            row.key.startswith(wanted) or (len(row.key) >= _MIN_CAPTION_KEY and wanted.startswith(row.key))
        ):
            return place
    return None


def _row_below(page: PageRows, figure: Figure) -> int:
    for place, row in enumerate(page.rows):
        box = row.line.box
        overlaps = box.x0 < figure.box.x1 and box.x1 > figure.box.x0
        if overlaps and box.y0 >= figure.box.y1 - 2 and not row.furniture and not row.line.in_figure:
            return place
    return len(page.rows)
