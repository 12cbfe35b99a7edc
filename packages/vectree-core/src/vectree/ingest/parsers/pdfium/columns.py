"""Where the columns of a page start, and which of them a line stands in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from vectree.ingest.parsers.pdfium.fragment import Fragment

BODY_LENGTH = 16
"""Lines of at least this many characters tell where the columns are."""

MOST_LINES = 1_000
EDGE_TOLERANCE = 4.0
"""Left edges within this many points are the same edge."""

FEWEST_LINES = 6
LEAST_SHARE = 0.08
"""A column starts where at least this many lines, and this share of them, have their left edge."""

LEFT_SHARE = 0.25
"""The leftmost column has at least this share of the lines of the longest one."""

DEEPEST_INDENT = 45.0
"""Lists are indented by at most this many points."""

NARROWEST_COLUMN = 80.0
SPAN_SLACK = 12.0
"""A line spans two columns if it reaches this far into the next one."""

MOST_CONFLICTS = 0.2
"""Share of a column's lines that a line across it may stand beside."""

LEAST_NEIGHBOURS = 0.5
"""Share of a column's lines that have a line of another column to their left."""

FEWEST_HINTED = 2
"""Lines that suffice for a column where the document usually has one."""

HINT_TOLERANCE = 6.0
USUAL_SHARE = 0.15
MOST_USUAL = 3
"""Column starts are usual if this share of the pages has them; left and right pages may differ."""

PROSE_LENGTH = 28
"""Lines of running text have at least this many characters; the cells of a table mostly have fewer."""

_ROW = 6.0


def find_columns(pages: list[list[Fragment]]) -> list[list[float]]:
    """Find the columns of every page, each in the light of the others.

    Args:
        pages: Lines of each page.

    Returns:
        Left edges of each page's columns from left to right; at most one where there are no columns.
    """
    bodies = [_body(lines) for lines in pages]
    starts = [column_starts(body) for body in bodies]
    usual = _usual(starts)
    return [_settle(own, body, usual) for own, body in zip(starts, bodies, strict=True)]


def _body(lines: list[Fragment]) -> list[Fragment]:
    """Lines long enough to be running text, not more than a page can hold."""
    return [line for line in lines if line.level and len(line.text) >= BODY_LENGTH][:MOST_LINES]


def column_starts(body: list[Fragment], hints: Sequence[float] = ()) -> list[float]:
    """Where the columns of a page start.

    Args:
        body: Lines long enough to be running text.
        hints: Left edges usual in the document: only these are considered, and few lines there suffice.

    Returns:
        Left edges from left to right; a single one or none where there are no columns.
    """
    groups = _edges(body, hints)
    if hints:
        groups = [group for group in groups if _hinted(group, hints)]
    if not groups:
        return []
    rows = _Rows(body)
    largest = max(map(len, groups))
    first = next(group for group in groups if hints or len(group) >= LEFT_SHARE * largest)
    starts = [first[0].rect[0]]
    for group in sorted(groups, key=len, reverse=True):
        edge = group[0].rect[0]
        apart = edge > starts[0] and all(abs(edge - start) >= NARROWEST_COLUMN for start in starts)
        if apart and rows.separate(group, edge, hinted=bool(hints)):
            starts.append(edge if hints else _outdented(edge, body, rows))
    return sorted(starts)


def _outdented(edge: float, body: list[Fragment], rows: _Rows) -> float:
    """The left edge of the column whose lines at this edge may be an indented list."""
    groups = _edges([line for line in body if edge - DEEPEST_INDENT <= line.rect[0] < edge], (), fewest=3)
    return next(
        (group[0].rect[0] for group in groups if rows.separate(group, group[0].rect[0], hinted=True)), edge
    )


def _usual(pages: list[list[float]]) -> list[list[float]]:
    """Sets of column starts that several pages share."""
    counts: Counter[tuple[int, ...]] = Counter(
        tuple(round(start / HINT_TOLERANCE) for start in starts) for starts in pages if len(starts) > 1
    )
    need = max(2, USUAL_SHARE * len(pages))
    return [
        next(starts for starts in pages if tuple(round(start / HINT_TOLERANCE) for start in starts) == key)
        for key, count in counts.most_common(MOST_USUAL)
        if count >= need
    ]


def _settle(own: list[float], body: list[Fragment], usual: list[list[float]]) -> list[float]:
    """The columns of a page, in the light of the other pages."""
    if len(own) > 1 and any(len(other) == len(own) and _alike(own, other) for other in usual):
        return own
    for other in usual:
        found = column_starts(body, other)
        if len(found) > 1:
            return found
    return own if _is_prose(own, body) else own[:1]


def _alike(first: list[float], second: list[float]) -> bool:
    """Whether each start has a counterpart."""
    return all(min(abs(start - other) for other in second) <= HINT_TOLERANCE for start in first)


def _is_prose(starts: list[float], body: list[Fragment]) -> bool:
    """Whether the lines of every column are long, as running text is and the cells of a table are not."""
    lengths: defaultdict[int, list[int]] = defaultdict(list)
    for line in body:
        lengths[column_of(line, starts)].append(len(line.text))
    return all(median(lengths[column] or [0]) >= PROSE_LENGTH for column in range(len(starts)))


def _edges(
    body: list[Fragment], hints: Sequence[float], *, fewest: int = FEWEST_LINES
) -> list[list[Fragment]]:
    """Lines grouped by common left edge, from left to right, small groups left out unless hinted at."""
    groups: list[list[Fragment]] = []
    for line in sorted(body, key=lambda line: line.rect[0]):
        if groups and line.rect[0] - groups[-1][0].rect[0] <= EDGE_TOLERANCE:
            groups[-1].append(line)
        else:
            groups.append([line])
    least = max(fewest, LEAST_SHARE * len(body))
    return [
        group
        for group in groups
        if len(group) >= least or (len(group) >= FEWEST_HINTED and _hinted(group, hints))
    ]


def _hinted(group: list[Fragment], hints: Sequence[float]) -> bool:
    """Whether the document usually has a column where these lines start."""
    return any(abs(group[0].rect[0] - hint) <= HINT_TOLERANCE for hint in hints)


@dataclass(slots=True)
class _Rows:
    """Lines by their height on the page, to find what stands beside a line."""

    rows: dict[int, list[Fragment]]

    def __init__(self, body: list[Fragment]) -> None:
        self.rows = defaultdict(list)
        for line in body:
            self.rows[int(line.middle // _ROW)].append(line)

    def separate(self, group: list[Fragment], edge: float, *, hinted: bool) -> bool:
        """Whether no line runs across this left edge, and (unless hinted at) lines stand to its left."""
        conflicts = neighbours = 0
        for line in group:
            beside = self._beside(line)
            conflicts += any(
                other.rect[0] < edge - SPAN_SLACK and other.rect[2] > edge + SPAN_SLACK for other in beside
            )
            neighbours += any(other.rect[2] <= edge + 2.0 for other in beside)
        needed = 0.0 if hinted else LEAST_NEIGHBOURS * len(group)
        return conflicts <= MOST_CONFLICTS * len(group) and neighbours >= needed

    def _beside(self, line: Fragment) -> list[Fragment]:
        """Lines about as high on the page."""
        row = int(line.middle // _ROW)
        return [
            other for at in (row - 1, row, row + 1) for other in self.rows.get(at, ()) if other is not line
        ]


def column_of(line: Fragment, starts: list[float]) -> int:
    """The column a line stands in.

    Args:
        line: A line.
        starts: Left edges of the page's columns, at least one.

    Returns:
        From 0 on the left; -1 if the line runs across the start of another column, or is not level.
    """
    column = max((at for at, start in enumerate(starts) if line.rect[0] >= start - SPAN_SLACK), default=0)
    crosses = column + 1 < len(starts) and line.rect[2] > starts[column + 1] + SPAN_SLACK
    return -1 if crosses or not line.level else column
