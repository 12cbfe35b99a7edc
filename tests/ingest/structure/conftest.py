"""A tiny typesetter: lines with fonts and boxes, as a PDF reader would give them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from vectree.document import Box, Figure, TextStatus
from vectree.ingest.parse import Bookmark, Line, ParsedDocument, ParsedPage, Run

WIDTH, HEIGHT = 600.0, 800.0
LEFT, TOP = 72.0, 80.0
BODY = 10.0
ORDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PROSE = (
    "The samples were annealed at the stated temperature before each run and the signal was averaged "
    "over eleven scans. We repeated the procedure on a second instrument and found no difference beyond "
    "the noise. Calibration followed the usual protocol, and all values are given with their standard "
    "error of the mean. "
)


@dataclass
class Sheet:
    """One page being set, top to bottom.

    Lines get 0.5 em a letter; ``gap`` is white space above a line beyond the usual two points.
    """

    number: int
    lines: list[Line] = field(default_factory=list)
    y: float = TOP
    x: float = LEFT
    width: float = 440.0
    column: int = -1

    def line(
        self,
        text: str,
        *,
        size: float = BODY,
        bold: bool = False,
        italic: bool = False,
        font: str = "Serif",
        gap: float = 0.0,
        x: float | None = None,
        y: float | None = None,
        run: Run | None = None,
        **marks: bool,
    ) -> Sheet:
        left = self.x if x is None else x
        top = self.y + gap if y is None else y
        width = min(len(text) * size * 0.5, self.width)
        name = font + ("-Bold" if bold else "") + ("-Italic" if italic else "")
        box = Box(x0=left, y0=top, x1=left + width, y1=top + size)
        self.lines.append(
            Line(
                text=text,
                box=box,
                size=size,
                bold=bold,
                italic=italic,
                font=name,
                run=run,
                column=self.column,
                order=len(self.lines),
                **marks,
            )
        )
        if y is None:
            self.y = top + size + 2.0
        return self

    def heading(
        self, text: str, *, size: float = BODY, bold: bool = True, gap: float = 10.0, **marks
    ) -> Sheet:
        return self.line(text, size=size, bold=bold, gap=gap, **marks)

    def prose(self, times: int = 1, *, text: str = "", size: float = BODY) -> Sheet:
        """Running text; no two paragraphs are alike unless their text is given."""
        for count in range(times if not text else 1):
            run, series = ORDINALS[(self.number + count) % 10], ORDINALS[len(self.lines) % 10]
            words = text * times if text else f"In run {run} of series {series} we see that {PROSE}"
            for piece in textwrap.wrap(words, int(self.width / (size * 0.5))):
                self.line(piece, size=size)
        return self

    def lead(self, title: str, *, bold: bool = True, italic: bool = False, text: str = PROSE) -> Sheet:
        """A paragraph opened by a heading in a look of its own."""
        font = "Serif-Bold" if bold else "Serif-Italic"
        first, *rest = textwrap.wrap(f"{title} {text}", int(self.width / (BODY * 0.5)))
        run = Run(text=title, size=BODY, bold=bold, italic=italic, font=font)
        self.line(first, run=run, gap=6.0)
        for piece in rest:
            self.line(piece)
        return self

    def columns(self, index: int, *, top: float | None = None) -> Sheet:
        """Go on in column 0 or 1."""
        self.column, self.width = index, 214.0
        self.x = LEFT + 226.0 * index
        self.y = TOP if top is None else top
        return self

    def running(self, text: str, *, y: float = 30.0, marked: bool = True) -> Sheet:
        return self.line(text, size=8.0, y=y, furniture=marked)


@dataclass
class Book:
    """A document being set."""

    sheets: list[Sheet] = field(default_factory=list)
    bookmarks: list[Bookmark] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    info: dict[str, str] = field(default_factory=dict)

    def page(self) -> Sheet:
        self.sheets.append(Sheet(number=len(self.sheets) + 1))
        return self.sheets[-1]

    def mark(self, title: str, page: int | None, level: int = 1) -> Book:
        self.bookmarks.append(Bookmark(title=title, page=page, level=level))
        return self

    def parsed(self) -> ParsedDocument:
        return ParsedDocument(
            pages=tuple(_page(sheet) for sheet in self.sheets),
            bookmarks=tuple(self.bookmarks),
            figures=tuple(self.figures),
            info=self.info,
        )


def _page(sheet: Sheet) -> ParsedPage:
    lines = tuple(replace(line, order=order) for order, line in enumerate(sheet.lines))
    raw = "\n".join(line.text + ("-" if line.hyphen else "") for line in lines)
    status = TextStatus.TEXT if lines else TextStatus.BLANK
    return ParsedPage(number=sheet.number, width=WIDTH, height=HEIGHT, raw=raw, status=status, lines=lines)


def _markdown(texts: Sequence[str]) -> ParsedDocument:
    return ParsedDocument(
        pages=tuple(
            ParsedPage(number=number, width=0.0, height=0.0, raw=text, status=TextStatus.TEXT, markdown=text)
            for number, text in enumerate(texts, start=1)
        )
    )


@pytest.fixture
def book() -> Book:
    return Book()


@pytest.fixture
def markdown():
    """Makes a document of markdown pages."""
    return _markdown
