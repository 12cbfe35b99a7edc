"""Figures as a reader sees them: panels, labels and legend together, one figure for each caption."""

from __future__ import annotations

from typing import TypeAlias

from vectree.ingest.parsers.pdfium.captions import Caption, find_captions
from vectree.ingest.parsers.pdfium.drawing import (
    LABEL_GAP,
    MAX_GAP,
    SMALLEST_SIDE,
    Drawing,
    is_substantial,
    stands_in,
)
from vectree.ingest.parsers.pdfium.fragment import Fragment
from vectree.ingest.parsers.pdfium.geometry import Frame, Rect, area, overlap, union
from vectree.ingest.parsers.pdfium.regions import Region
from vectree.ingest.parsers.pdfium.zones import Zones, find_zones

MOST_CAPTIONS = 60
MOST_PANELS = 200
"""More captions, or panels without one, than this on a page are passed over."""

PANEL_SHARE = 0.9
"""Share of a panel's height that must lie at the height of the figure it belongs to."""

SMALLEST_SHARE = 0.015
"""A figure without a caption takes at least this share of the page."""

BANNER_BAND = 0.2
"""What ends in this upper part of the page and has no caption is a banner."""

TEXT_BOX_LINE = 35
TEXT_BOX_LINES = 4
TEXT_BOX_SHARE = 0.3
"""A frame without a caption is a text box if it holds so many lines so long, or they cover so much of it."""

IN_FIGURE_SHARE = 0.6
"""Share of a line's box that must lie in a figure for the line to be part of it."""

Placed: TypeAlias = list[tuple[Caption, Zones]]


def compose(clusters: list[Region], lines: list[Fragment], frame: Frame, body_size: float) -> list[Region]:
    """Make figures of the clusters of a page, and mark the lines that stand in them.

    Args:
        clusters: What is drawn, from top to bottom.
        lines: Lines of the page in reading order; ``in_figure`` is filled in.
        frame: The page's visible box.
        body_size: Font size of running text in points.

    Returns:
        Figures from top to bottom, with captions where one was found.
    """
    captions = find_captions(lines)[:MOST_CAPTIONS]
    framed = [cluster.rect for cluster in clusters if area(cluster.rect) > SMALLEST_SIDE**2]
    placed = list(zip(captions, find_zones(captions, lines, framed, frame), strict=True))
    drawing = Drawing(clusters, lines, body_size)
    figures, waiting = _usual_side(drawing, [pair for pair in placed if not pair[0].is_table])
    figures += _tables(drawing, [pair for pair in placed if pair[0].is_table])
    figures += _other_sides(drawing, waiting)
    _adopt(drawing, figures, [line.rect for line in lines if line.prose])
    figures += [region for region in drawing.free if _stands_alone(region, lines, frame)]
    _mark(lines, figures, captions)
    return sorted(figures, key=lambda region: (region.rect[1], region.rect[0]))


def _usual_side(drawing: Drawing, captions: Placed) -> tuple[list[Region], Placed]:
    """Figures above or below their captions, whichever the page does; and the captions without one there."""
    above = sum(bool(drawing.inside(zones.above)) for _, zones in captions)
    below = sum(any(_starts_in(region, zones.below) for region in drawing.free) for _, zones in captions)
    figures: list[Region] = []
    waiting: Placed = []
    for caption, zones in captions:
        zone = zones.above if above >= below else zones.below
        figure = drawing.take(zone)
        if figure is None and caption.is_set_off:
            figure = drawing.take_text(zone)
        if figure is None:
            waiting.append((caption, zones))
        else:
            figure.caption = caption.text
            figures.append(figure)
    return figures, waiting


def _starts_in(region: Region, zone: Rect) -> bool:
    """Whether something drawn starts near the top of a zone."""
    return stands_in(region.rect, zone) and region.rect[1] - zone[1] <= MAX_GAP


def _other_sides(drawing: Drawing, captions: Placed) -> list[Region]:
    """Figures on the other side of their captions, or beside them, from what is still free."""
    figures: list[Region] = []
    for caption, zones in captions:
        figure = (
            drawing.take_near(zones.below)
            or drawing.take_near(zones.above)
            or drawing.take_near(zones.narrow)
            or drawing.take(zones.left)
            or drawing.take(zones.right)
        )
        if figure is not None:
            figure.caption = caption.text
            figures.append(figure)
    return figures


def _tables(drawing: Drawing, captions: Placed) -> list[Region]:
    """Tables that are drawn, as an image or with shaded and ruled cells."""
    figures: list[Region] = []
    for caption, zones in captions:
        table = drawing.take_near(zones.below) or drawing.take_near(zones.above)
        if table is not None:
            table.caption, table.is_table = caption.text, table.kind != "image"
            figures.append(table)
    return figures


def _adopt(drawing: Drawing, figures: list[Region], prose: list[Rect]) -> None:
    """Give panels that stand beside a figure, with no text between, to that figure."""
    largest = sorted(drawing.free, key=lambda region: area(region.rect), reverse=True)
    for region in largest[:MOST_PANELS]:
        for figure in figures:
            if not figure.is_table and _is_panel(region.rect, figure.rect, prose):
                drawing.give(region, figure)
                break


def _is_panel(panel: Rect, figure: Rect, prose: list[Rect]) -> bool:
    """Whether a panel stands at the height of a figure and nothing runs between them."""
    shared = min(panel[3], figure[3] + LABEL_GAP) - max(panel[1], figure[1] - LABEL_GAP)
    if shared < PANEL_SHARE * (panel[3] - panel[1]):
        return False
    both = union(panel, figure)
    return not any(overlap(rect, both) > 0.5 * area(rect) for rect in prose)


def _stands_alone(region: Region, lines: list[Fragment], frame: Frame) -> bool:
    """Whether something without a caption is a figure: large enough, no banner, no box around text."""
    x0, y0, x1, y1 = region.rect
    large = area(region.rect) >= SMALLEST_SHARE * frame.width * frame.height
    if min(x1 - x0, y1 - y0) < SMALLEST_SIDE or not large or not is_substantial([region]):
        return False
    return y1 >= BANNER_BAND * frame.height and not _is_text_box(region.rect, lines)


def _is_text_box(rect: Rect, lines: list[Fragment]) -> bool:
    """Whether a frame holds text to read: several long lines, or lines over much of it."""
    inside = [
        line.rect
        for line in lines
        if line.level and len(line.text) >= TEXT_BOX_LINE and overlap(line.rect, rect) > 0.5 * area(line.rect)
    ]
    return len(inside) >= TEXT_BOX_LINES or sum(map(area, inside)) > TEXT_BOX_SHARE * area(rect)


def _mark(lines: list[Fragment], figures: list[Region], captions: list[Caption]) -> None:
    """Mark the lines that are part of a figure; captions, running text and tables are not."""
    captioned = {index for caption in captions for index in range(caption.start, caption.stop)}
    rects = [figure.rect for figure in figures if not figure.is_table]
    for index, line in enumerate(lines):
        if index in captioned or line.prose:
            continue
        size = area(line.rect)
        line.in_figure = any(overlap(line.rect, rect) > IN_FIGURE_SHARE * size for rect in rects)
