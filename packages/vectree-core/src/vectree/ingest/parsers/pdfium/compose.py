"""Figures as a reader sees them: panels, labels and legend together, one figure for each caption."""

from __future__ import annotations

from vectree.ingest.parsers.pdfium.captions import Caption, find_captions
from vectree.ingest.parsers.pdfium.fragment import Fragment
from vectree.ingest.parsers.pdfium.geometry import Frame, Rect, area, overlap, union
from vectree.ingest.parsers.pdfium.regions import Region, merge, near
from vectree.ingest.parsers.pdfium.zones import Zones, find_zones

BELONGS = 0.5
"""Share of the narrower of cluster and zone that must overlap for the cluster to stand in the zone."""

LABEL_GAP = 14.0
"""Labels within this many points of what is drawn belong to the figure."""

MOST_ROUNDS = 8
"""Labels of labels: how often a figure is widened at most."""

MAX_GAP = 80.0
"""What is drawn on the less usual side of its caption starts within this many points of it."""

SMALLEST_SIDE = 40.0
SMALLEST_SHARE = 0.015
"""A figure without a caption takes at least this share of the page."""

FEWEST_PATHS = 12
"""Fewer paths than this are a frame or the rules of a table."""

BANNER_BAND = 0.2
"""What ends in this upper part of the page and has no caption is a banner."""

FEWEST_LABELS = 3
LOWEST_TEXT_FIGURE = 50.0
TEXT_BOX_LINE = 35
TEXT_BOX_LINES = 4
TEXT_BOX_SHARE = 0.3
"""A frame without a caption is a text box if it holds so many lines so long, or they cover so much of it."""

IN_FIGURE_SHARE = 0.6
"""Share of a line's box that must lie in a figure for the line to be part of it."""


def compose(clusters: list[Region], lines: list[Fragment], frame: Frame, body_size: float) -> list[Region]:
    """Make figures of the clusters of a page, and mark the lines that stand in them.

    Args:
        clusters: What is drawn, from top to bottom; consumed.
        lines: Lines of the page in reading order; ``in_figure`` is filled in.
        frame: The page's visible box.
        body_size: Font size of running text in points.

    Returns:
        Figures from top to bottom, with captions where one was found.
    """
    captions = find_captions(lines)
    zones = find_zones(captions, lines, [cluster.rect for cluster in clusters], frame)
    page = _Composer(list(clusters), lines, frame, body_size)
    placed = list(zip(captions, zones, strict=True))
    figures = page.captioned([pair for pair in placed if not pair[0].is_table])
    figures += page.tables([pair for pair in placed if pair[0].is_table])
    figures += page.leftover()
    page.adopt(figures)
    figures += page.uncaptioned()
    _mark(lines, figures, captions)
    return sorted(figures, key=lambda region: (region.rect[1], region.rect[0]))


class _Composer:
    """The clusters of a page that no figure has claimed yet."""

    def __init__(self, clusters: list[Region], lines: list[Fragment], frame: Frame, body_size: float) -> None:
        self.free = clusters
        self._lines = lines
        self._frame = frame
        self._body_size = body_size
        self._caption_below = True
        self._waiting: list[tuple[Caption, Zones]] = []

    def captioned(self, captions: list[tuple[Caption, Zones]]) -> list[Region]:
        """Figures on the usual side of their captions: on one page they stand all above or all below."""
        above = sum(bool(self._inside(zones.above)) for _, zones in captions)
        below = sum(bool(self._inside(zones.below, near_top=True)) for _, zones in captions)
        self._caption_below = above >= below
        figures: list[Region] = []
        for caption, zones in captions:
            zone = zones.above if self._caption_below else zones.below
            figure = self._take(zone)
            if figure is None and caption.is_set_off:
                figure = self._text_figure(zone)
            if figure is None:
                self._waiting.append((caption, zones))
            else:
                figure.caption = caption.text
                figures.append(figure)
        return figures

    def leftover(self) -> list[Region]:
        """Figures on the other side of their captions, or beside them, from what is still free."""
        figures: list[Region] = []
        for caption, zones in self._waiting:
            zone = zones.below if self._caption_below else zones.above
            figure = self._take(zone, near_only=True) or self._take(zones.narrow, near_only=True)
            figure = figure or self._take(zones.left) or self._take(zones.right)
            if figure is not None:
                figure.caption = caption.text
                figures.append(figure)
        return figures

    def _inside(self, zone: Rect, *, near_top: bool = False) -> list[Region]:
        """Free clusters in a zone."""
        found = [region for region in self.free if _stands_in(region.rect, zone)]
        return [region for region in found if region.rect[1] - zone[1] <= MAX_GAP] if near_top else found

    def _take(self, zone: Rect, *, near_only: bool = False) -> Region | None:
        """One figure of all that is drawn in a zone, with its labels."""
        members = self._inside(zone)
        if near_only:
            members = [
                member
                for member in members
                if min(abs(member.rect[1] - zone[1]), abs(zone[3] - member.rect[3])) <= MAX_GAP
            ]
        if not members or not _is_substantial(members):
            return None
        figure = self._claim(members)
        self._grow(figure, zone)
        return figure

    def _claim(self, members: list[Region]) -> Region:
        """One region of several."""
        figure = Region(rect=members[0].rect, kind=members[0].kind, parts=members[0].parts)
        for member in members[1:]:
            merge(figure, member)
        self.free = [region for region in self.free if not any(region is member for member in members)]
        return figure

    def _grow(self, figure: Region, zone: Rect) -> None:
        """Take in the labels around what is drawn: axis titles, panel letters, legends."""
        labels = [line.rect for line in self._lines if self._is_label(line) and _stands_in(line.rect, zone)]
        for _ in range(MOST_ROUNDS):
            before = figure.rect
            for rect in labels:
                if near(figure.rect, rect, LABEL_GAP):
                    figure.rect = union(figure.rect, rect)
            if figure.rect == before:
                break

    def _is_label(self, line: Fragment) -> bool:
        """Whether a line can be part of a figure: no running text, no heading, no furniture."""
        heading = line.size > self._body_size + 0.6 or (line.face.bold_name and len(line.text) > 20)
        return not (line.furniture or line.prose or heading)

    def _text_figure(self, zone: Rect) -> Region | None:
        """A figure made of text alone: what stands between its caption and the text above."""
        inside = [line.rect for line in self._lines if self._is_label(line) and _stands_in(line.rect, zone)]
        if len(inside) < FEWEST_LABELS:
            return None
        rect = inside[0]
        for other in inside[1:]:
            rect = union(rect, other)
        if rect[3] - rect[1] < LOWEST_TEXT_FIGURE or zone[3] - rect[3] > MAX_GAP:
            return None
        figure = Region(rect=rect, kind="vector", parts=len(inside))
        for frame in self._inside(zone):
            merge(figure, frame)
            self.free = [region for region in self.free if region is not frame]
        return figure

    def tables(self, captions: list[tuple[Caption, Zones]]) -> list[Region]:
        """Tables that are drawn, as an image or with shaded and ruled cells."""
        figures: list[Region] = []
        for caption, zones in captions:
            for zone in (zones.below, zones.above):
                members = [
                    region for region in self._inside(zone) if near(region.rect, caption.rect, MAX_GAP)
                ]
                if members and _is_substantial(members):
                    table = self._claim(members)
                    self._grow(table, zone)
                    table.caption, table.is_table = caption.text, table.kind != "image"
                    figures.append(table)
                    break
        return figures

    def adopt(self, figures: list[Region]) -> None:
        """Give panels that stand beside a figure, with no text between, to that figure."""
        for region in list(self.free):
            for figure in figures:
                if not figure.is_table and self._is_panel(region.rect, figure.rect):
                    merge(figure, region)
                    self.free = [other for other in self.free if other is not region]
                    break

    def _is_panel(self, panel: Rect, figure: Rect) -> bool:
        """Whether a panel stands at the height of a figure and nothing runs between them."""
        height = panel[3] - panel[1]
        shared = min(panel[3], figure[3] + LABEL_GAP) - max(panel[1], figure[1] - LABEL_GAP)
        if shared < 0.9 * height:
            return False
        hull = union(panel, figure)
        return not any(overlap(line.rect, hull) > 0.5 * area(line.rect) for line in self._lines if line.prose)

    def uncaptioned(self) -> list[Region]:
        """What is drawn without a caption, where it is large enough and no box around text."""
        least = SMALLEST_SHARE * self._frame.width * self._frame.height
        kept: list[Region] = []
        for region in self.free:
            low = min(region.rect[2] - region.rect[0], region.rect[3] - region.rect[1])
            if low < SMALLEST_SIDE or area(region.rect) < least or not _is_substantial([region]):
                continue
            if not self._is_text_box(region.rect) and not self._is_banner(region.rect):
                kept.append(region)
        return kept

    def _is_banner(self, rect: Rect) -> bool:
        """Whether something drawn is the strip at the head of a journal's page."""
        return rect[3] < BANNER_BAND * self._frame.height

    def _is_text_box(self, rect: Rect) -> bool:
        """Whether a frame holds text to read: several long lines, or lines over much of it."""
        inside = [
            line
            for line in self._lines
            if line.level
            and len(line.text) >= TEXT_BOX_LINE
            and overlap(line.rect, rect) > 0.5 * area(line.rect)
        ]
        covered = sum(area(line.rect) for line in inside)
        return len(inside) >= TEXT_BOX_LINES or covered > TEXT_BOX_SHARE * area(rect)


def _stands_in(rect: Rect, zone: Rect) -> bool:
    """Whether a rectangle stands between the top and bottom of a zone and shares its columns."""
    middle = (rect[1] + rect[3]) / 2
    if not zone[1] - 1.0 <= middle <= zone[3] + 1.0:
        return False
    shared = min(rect[2], zone[2]) - max(rect[0], zone[0])
    return shared > BELONGS * min(rect[2] - rect[0], zone[2] - zone[0])


def _is_substantial(members: list[Region]) -> bool:
    """Whether clusters hold an image or enough strokes, and are not an ornament."""
    rect = members[0].rect
    for member in members[1:]:
        rect = union(rect, member.rect)
    if max(rect[2] - rect[0], rect[3] - rect[1]) < SMALLEST_SIDE:
        return False
    strokes = sum(member.parts for member in members)
    return strokes >= FEWEST_PATHS or any(member.kind == "image" for member in members)


def _mark(lines: list[Fragment], figures: list[Region], captions: list[Caption]) -> None:
    """Mark the lines that are part of a figure; captions, running text and tables are not."""
    captioned = {index for caption in captions for index in range(caption.start, caption.stop)}
    rects = [figure.rect for figure in figures if not figure.is_table]
    for index, line in enumerate(lines):
        if index in captioned or line.prose:
            continue
        size = area(line.rect)
        line.in_figure = any(overlap(line.rect, rect) > IN_FIGURE_SHARE * size for rect in rects)
