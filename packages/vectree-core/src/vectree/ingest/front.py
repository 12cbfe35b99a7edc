"""The first pages as bibliographic rules see them: rows of text with their size, and plain lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from vectree.ingest.lexicon import is_reference_title
from vectree.ingest.parse import Line, ParsedDocument, ParsedPage
from vectree.normal import match_key, one_line

FRONT_PAGES = 2
"""Pages that may carry title, authors and the journal's own lines: a cover may stand before the first one."""

_BODY_PAGES = 40
_CELL_GAP = 2.0
_UPRIGHT = 2.5
_ACCENT_MARKS = {
    "´": "\u0301",
    "`": "\u0300",
    "ˆ": "\u0302",
    "¨": "\u0308",
    "˜": "\u0303",
    "˚": "\u030a",
    "ˇ": "\u030c",
}
_LOOSE_ACCENT = re.compile(r"([´`ˆ¨˜˚ˇ])\s?([^\W\d_])")
_MARKDOWN = re.compile(r"^\s{0,8}(#{1,6}\s+|!\[[^\]]*\]\([^)]*\)|[-*+>]\s+)|\*{1,3}|`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Lines of one page that stand side by side and belong together.

    Attributes:
        text: Their text on one line.
        page: Physical page.
        size: Largest font size among lines that are more than a mark.
        font: Font of the longest line.
        bold: Whether most of it is bold.
        top: Distance from the top of the page, in points.
        bottom: The same for its lower edge.
        hyphen: Whether a word was broken at its end.
        key: Letters and digits of the text only; spaced-out capitals come together.
    """

    text: str
    page: int
    size: float
    font: str
    bold: bool
    top: float
    bottom: float
    hyphen: bool
    key: str


def front_rows(document: ParsedDocument) -> list[Row]:
    """Read the rows of the first pages, from top to bottom.

    Args:
        document: A parsed document.

    Returns:
        Rows of the first ``FRONT_PAGES`` pages. Pages that came as markdown give a row for each line, all of
        one size but for the first heading.
    """
    rows: list[Row] = []
    for page in document.pages[:FRONT_PAGES]:
        rows.extend(_rows(page) if page.lines else _text_rows(page))
    return rows


def body_size(document: ParsedDocument) -> float:
    """Font size of running text.

    Args:
        document: A parsed document.

    Returns:
        Median size over the characters of the first three pages; 10 where there are no lines.
    """
    sizes = [
        line.size
        for page in document.pages[:3]
        for line in page.lines
        for _ in range(1 + len(line.text) // 20)
    ]
    return median(sizes) if sizes else 10.0


def front_lines(document: ParsedDocument) -> list[str]:
    """The lines of the first pages before any reference list, furniture included.

    Args:
        document: A parsed document.

    Returns:
        Lines in reading order; a line that ends in a broken word ends with a hyphen.
    """
    lines: list[str] = []
    for page in document.pages[:FRONT_PAGES]:
        texts = [line.text + "-" * line.hyphen for line in page.lines] or page.raw.splitlines()
        ends = [place for place, text in enumerate(texts) if is_reference_title(text.lstrip("0123456789. "))]
        lines.extend(one_line(text) for text in texts[: ends[0] if ends else None])
        if ends:
            lines.extend(one_line(line.text) for line in page.lines[ends[0] :] if line.furniture)
            break
    return [line for line in lines if line]


def front_bands(document: ParsedDocument) -> list[str]:
    """Heads and feet of the first pages, each as one line across the page.

    Args:
        document: A parsed document.

    Returns:
        What stands in the outer eighth of the pages, from top to bottom, furniture included.
    """
    bands: list[str] = []
    for page in document.pages[:FRONT_PAGES]:
        outer = [
            line
            for line in page.lines
            if line.box.y1 < page.height / 8 or line.box.y0 > page.height * 7 / 8 or line.furniture
        ]
        upright = [line for line in outer if line.box.height <= _UPRIGHT * max(line.size, 4.0)]
        bands.extend(one_line(" ".join(line.text for line in group)) for group in _grouped(upright))
    return [band for band in bands if band]


def compose_accents(text: str) -> str:
    """Put accents that TeX drew beside their letters back onto them: ``D´esassemblage``.

    Args:
        text: Any text.

    Returns:
        The text with composed letters.
    """
    if not any(mark in text for mark in _ACCENT_MARKS):
        return text
    joined = _LOOSE_ACCENT.sub(lambda match: match.group(2) + _ACCENT_MARKS[match.group(1)], text)
    return unicodedata.normalize("NFC", joined)


def _rows(page: ParsedPage) -> list[Row]:
    body = [
        line
        for line in page.lines
        if not line.furniture and line.box.height <= _UPRIGHT * max(line.size, 4.0)
    ]
    return [_row(page.number, cell) for group in _grouped(body) for cell in _cells(group)]


def _grouped(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines side by side, rows from top to bottom, each from left to right."""
    groups: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.box.y0, line.box.x0)):
        if not line.text.strip():
            continue
        near = next((group for group in reversed(groups[-4:]) if _same_row(group[0], line)), None)
        if near is None:
            groups.append([line])
        else:
            near.append(line)
    return [sorted(group, key=lambda line: line.box.x0) for group in groups]


def _same_row(first: Line, second: Line) -> bool:
    overlap = min(first.box.y1, second.box.y1) - max(first.box.y0, second.box.y0)
    return overlap > 0.5 * max(min(first.box.height, second.box.height), 1.0)


def _cells(lines: Sequence[Line]) -> list[list[Line]]:
    """Split lines side by side where the gap is wider than between words; a list goes on after a gap."""
    cells = [[lines[0]]]
    for before, line in pairwise(lines):
        apart = line.box.x0 - before.box.x1 > _CELL_GAP * max(before.size, line.size, 1.0)
        apart = apart or _beside(before, line)
        if apart and line.text.lstrip()[0] not in ",;·&":
            cells.append([line])
        else:
            cells[-1].append(line)
    return cells


def _beside(before: Line, line: Line) -> bool:
    """Whether one of two lines is a note in the margin of the other: words, smaller, at some distance."""
    small, large = sorted((before, line), key=lambda each: each.size)
    apart = line.box.x0 - before.box.x1 > 0.5 * small.size
    limit = 0.8 if apart else 0.55
    return small.size < limit * large.size and sum(char.isalpha() for char in small.text) > 3


def _row(number: int, lines: Sequence[Line]) -> Row:
    longest = max(lines, key=lambda line: len(line.text))
    worded = [line.size for line in lines if sum(char.isalpha() for char in line.text) > 2]
    text = one_line(compose_accents(" ".join(line.text for line in lines)))
    return Row(
        text=text,
        page=number,
        size=max(worded, default=longest.size),
        font=longest.font,
        bold=longest.bold,
        top=min(line.box.y0 for line in lines),
        bottom=max(line.box.y1 for line in lines),
        hyphen=lines[-1].hyphen,
        key=match_key(text),
    )


def _text_rows(page: ParsedPage) -> list[Row]:
    """Rows of a page without layout: the first markdown heading counts as the largest."""
    rows: list[Row] = []
    titled = False
    for place, text in enumerate(
        (page.markdown if page.markdown is not None else page.raw).splitlines()[:400]
    ):
        plain = one_line(_MARKDOWN.sub("", text))
        if not plain:
            continue
        heading = not titled and text.lstrip().startswith("#")
        titled = titled or heading
        rows.append(
            Row(
                text=plain,
                page=page.number,
                size=20.0 if heading else 10.0,
                font="",
                bold=heading,
                top=12.0 * place,
                bottom=12.0 * place + (20.0 if heading else 10.0),
                hyphen=False,
                key=match_key(plain),
            )
        )
    return rows
