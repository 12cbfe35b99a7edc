"""What running text looks like in a document: the measure against which a heading stands out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from vectree.ingest.parse import Line, Run
from vectree.ingest.rows import PageRows

_NUMBERED_FONT = re.compile(r"^([A-Za-z]+[-,][A-Za-z]+|[A-Z]{2,6})\d{1,4}$")
_LONG_LINE = 30
_FEW_LINES = 10
_COMMON_SIZE = 0.25
_COMMON_FONT = 0.08
_CAPS_SHARE = 0.85
_MIN_CAPS = 4
_CAPS_PEEK = 12
_DEFAULT_SIZE = 10.0


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Style:
    """The look of a line, as far as it separates headings from text and from each other.

    Attributes:
        size: Points, rounded to halves.
        bold: False for every line of a document whose running text is bold.
        italic: Whether it is italic.
        caps: Whether it is set in capitals.
        font: Font name without the design size or copy number at its end.
    """

    size: float
    bold: bool
    italic: bool
    caps: bool
    font: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyText:
    """Running text of a document.

    Attributes:
        size: Its font size; the largest of several that are common.
        sizes: All common sizes.
        fonts: (font, size) pairs that carry running text.
        bold: Whether running text itself counts as bold, so that weight tells nothing.
        italic: Whether running text itself is italic.
        gap: White space between its lines, in points; negative where line boxes overlap.
        width: Width of a full line.
    """

    size: float
    sizes: frozenset[float]
    fonts: frozenset[tuple[str, float]]
    bold: bool
    italic: bool
    gap: float
    width: float

    def style(self, line: Line | Run) -> Style:
        """The look of a line.

        Args:
            line: Any line or leading run.

        Returns:
            Its style.
        """
        return Style(
            size=half_points(line.size),
            bold=line.bold and not self.bold,
            italic=line.italic and not self.italic,
            caps=in_capitals(line.text),
            font=font_family(line.font),
        )

    def carries(self, line: Line) -> bool:
        """Whether a line is set like running text.

        Args:
            line: Any line.

        Returns:
            True for a body size without emphasis.
        """
        return (
            not (line.bold and not self.bold)
            and not (line.italic and not self.italic)
            and any(abs(line.size - size) < 0.8 for size in self.sizes)
        )

    def stands_out(self, line: Line) -> bool:
        """Whether a line looks different from running text.

        Args:
            line: Any line.

        Returns:
            True for a larger size, another weight, slope, case or font, but not for small print.
        """
        size = half_points(line.size)
        if size >= self.size * 1.06 or (line.bold and not self.bold):
            return True
        if line.italic and not self.italic:
            return abs(size - self.size) < 1.6 or in_capitals(line.text)
        if (font_family(line.font), size) not in self.fonts and size >= self.size * 0.88:
            return True
        return in_capitals(line.text)


def font_family(name: str) -> str:
    """A font name without the number of its design size or copy, so that ``Corbel-Bold2`` is ``Corbel-Bold``.

    Args:
        name: As the parser gives it.

    Returns:
        The name; unchanged if its digits may be part of an identifier.
    """
    match = _NUMBERED_FONT.match(name) if name[-1:].isdigit() else None
    return match.group(1) if match else name


def half_points(size: float) -> float:
    """A font size rounded to halves of a point.

    Args:
        size: Points.

    Returns:
        The nearest half.
    """
    return round(size * 2) / 2


def in_capitals(text: str) -> bool:
    """Whether a text is set in capitals.

    Args:
        text: One line.

    Returns:
        True if nearly all of at least four letters are upper case.
    """
    if sum(map(str.islower, text[:_CAPS_PEEK])) >= _MIN_CAPS:
        return False
    upper = sum(map(str.isupper, text))
    letters = upper + sum(map(str.islower, text))
    return letters >= _MIN_CAPS and upper > _CAPS_SHARE * letters


def measure_body(pages: Sequence[PageRows]) -> BodyText:
    """Find out what running text looks like.

    Args:
        pages: Rows of every page.

    Returns:
        Sizes, fonts and spacing by the number of characters they carry; defaults for a document without text.
    """
    usable = [row.line for page in pages for row in page.rows if not row.furniture and not row.contents]
    long_lines = [line for line in usable if len(line.text) > _LONG_LINE]
    if len(long_lines) < _FEW_LINES:
        long_lines = usable
    sizes = Counter[float]()
    fonts = Counter[tuple[str, float]]()
    weights = Counter[bool]()
    slopes = Counter[bool]()
    for line in long_lines:
        size, length = half_points(line.size), len(line.text)
        sizes[size] += length
        fonts[font_family(line.font), size] += length
        weights[line.bold] += length
        slopes[line.italic] += length
    total = sum(sizes.values()) or 1
    common = frozenset(size for size, count in sizes.items() if count >= _COMMON_SIZE * total)
    if not common:
        common = frozenset({max(sizes, key=lambda size: (sizes[size], size), default=_DEFAULT_SIZE)})
    size = max(common)
    body_lines = [line for line in long_lines if half_points(line.size) in common]
    return BodyText(
        size=size,
        sizes=common,
        fonts=frozenset(font for font, count in fonts.items() if count >= _COMMON_FONT * total),
        bold=weights[True] > weights[False],
        italic=slopes[True] > slopes[False],
        gap=_usual_gap(pages, common),
        width=_full_width(body_lines),
    )


def _usual_gap(pages: Iterable[PageRows], sizes: frozenset[float]) -> float:
    gaps: list[float] = []
    for page in pages:
        lines = [row.line for row in page.rows if half_points(row.line.size) in sizes and not row.furniture]
        for above, below in pairwise(lines):
            pitch = below.box.y0 - above.box.y0
            if (
                0.5 * above.size < pitch < 2.5 * above.size
                and abs(above.box.x0 - below.box.x0) < 3 * above.size
            ):
                gaps.append(below.box.y0 - above.box.y1)
    return median(gaps) if gaps else 0.0


def _full_width(lines: Sequence[Line]) -> float:
    widths = sorted(line.box.width for line in lines)
    return widths[int(len(widths) * 0.8)] if widths else 1.0
