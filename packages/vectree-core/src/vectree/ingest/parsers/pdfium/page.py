"""One page: from PDFium's handle to lines, drawn clusters and a text status."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from vectree.document import TextStatus
from vectree.ingest.parse import ParseLimits
from vectree.ingest.parsers.pdfium.fragment import Fragment
from vectree.ingest.parsers.pdfium.geometry import Frame, area
from vectree.ingest.parsers.pdfium.glyphs import FAR, Glyphs
from vectree.ingest.parsers.pdfium.lines import read_lines
from vectree.ingest.parsers.pdfium.mend import mend
from vectree.ingest.parsers.pdfium.objects import Drawn, read_objects
from vectree.ingest.parsers.pdfium.regions import Region, find_regions
from vectree.ingest.parsers.pdfium.status import Coverage, text_status

DECLARED_FACTOR = 4
"""A page is not rendered if one of its images declares more than this many times ``max_pixels``."""


@dataclass(slots=True, kw_only=True)
class ReadPage:
    """A page as read; what only the whole document shows is filled in later.

    Attributes:
        number: Physical page, from 1.
        frame: Its visible box.
        raw: Text in the order of the file.
        lines: Lines, first in the order of the file, later in reading order.
        regions: What is drawn, first as clusters, later as figures.
        status: What its text is worth.
        hidden_share: Share of its text drawn invisibly.
        oversized: Pixels of an image too large to render; 0 if there is none.
        truncated: Whether characters were left out.
        label: Printed label.
    """

    number: int
    frame: Frame
    raw: str = ""
    lines: list[Fragment] = field(default_factory=lambda: list[Fragment]())
    regions: list[Region] = field(default_factory=lambda: list[Region]())
    status: TextStatus = TextStatus.BLANK
    hidden_share: float = 0.0
    oversized: int = 0
    truncated: bool = False
    label: str | None = None

    @property
    def width(self) -> float:
        """Displayed width in points."""
        return self.frame.width

    @property
    def height(self) -> float:
        """Displayed height in points."""
        return self.frame.height


EMPTY_FRAME = Frame(left=0.0, bottom=0.0, breadth=612.0, depth=792.0, rotation=0)
"""Stands for a page that could not be read."""


def page_frame(page: Any) -> Frame:
    """The visible box of a page.

    Args:
        page: PDFium's page.

    Returns:
        Its frame; that of a letter page where the file's is no rectangle.
    """
    left, bottom, right, top = page.get_bbox()
    breadth, depth = right - left, top - bottom
    if not (0.0 < breadth < FAR and 0.0 < depth < FAR):
        return EMPTY_FRAME
    return Frame(left=left, bottom=bottom, breadth=breadth, depth=depth, rotation=int(page.get_rotation()))


def read_page(page: Any, number: int, limits: ParseLimits, *, figures: bool = True) -> ReadPage:
    """Read one page.

    Args:
        page: PDFium's page; stays open.
        number: Physical page, from 1.
        limits: Bounds.
        figures: Whether to look for figures; without them, scans cannot be told from blank pages.

    Returns:
        The page with its lines and drawn clusters.
    """
    frame = page_frame(page)
    textpage = page.get_textpage()
    try:
        glyphs = Glyphs(textpage, frame, limits.max_characters)
        lines = mend(read_lines(glyphs))
        _hide_outside(lines, frame)
    finally:
        textpage.close()
    drawn = read_objects(page, frame) if figures else Drawn()
    hidden = _hidden_share(lines)
    return ReadPage(
        number=number,
        frame=frame,
        raw=glyphs.raw_text(),
        lines=lines,
        regions=find_regions(drawn, frame),
        status=text_status(glyphs.chars, _coverage(drawn, frame), hidden),
        hidden_share=hidden,
        truncated=glyphs.truncated,
        oversized=drawn.largest_image if drawn.largest_image > DECLARED_FACTOR * limits.max_pixels else 0,
    )


def _hide_outside(lines: list[Fragment], frame: Frame) -> None:
    """Treat what is printed beyond the edge of the page as hidden, and as no part of the text."""
    for line in lines:
        x0, y0, x1, y1 = line.rect
        if x1 <= 0.0 or y1 <= 0.0 or x0 >= frame.width or y0 >= frame.height:
            line.hidden, line.furniture = 1.0, True


def _coverage(drawn: Drawn, frame: Frame) -> Coverage:
    """How much of the page its largest image covers."""
    whole = max(frame.width * frame.height, 1.0)
    largest = max((area(rect) for rect in drawn.images), default=0.0)
    return Coverage(image=largest / whole, paths=drawn.strokes)


def _hidden_share(lines: list[Fragment]) -> float:
    """Share of characters drawn invisibly, estimated from each line's samples."""
    total = sum(len(line.text) for line in lines)
    if not total:
        return 0.0
    return round(sum(line.hidden * len(line.text) for line in lines) / total, 4)
