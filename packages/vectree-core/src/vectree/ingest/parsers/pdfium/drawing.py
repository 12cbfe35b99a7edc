"""What is drawn on a page, until figures have claimed it."""

from __future__ import annotations

from vectree.ingest.parsers.pdfium.fragment import Fragment
from vectree.ingest.parsers.pdfium.geometry import Rect, union
from vectree.ingest.parsers.pdfium.regions import Region, merge, near

BELONGS = 0.5
"""Share of the narrower of cluster and zone that must overlap for the cluster to stand in the zone."""

LABEL_GAP = 14.0
"""Labels within this many points of what is drawn belong to the figure."""

MOST_ROUNDS = 8
"""Labels of labels: how often a figure is widened at most."""

MAX_GAP = 80.0
"""What is drawn on the less usual side of its caption starts within this many points of it."""

SMALLEST_SIDE = 40.0
FEWEST_PATHS = 12
"""Fewer paths than this are a frame or the rules of a table."""

FEWEST_LABELS = 3
LOWEST_TEXT_FIGURE = 50.0
"""A figure made of text alone has at least so many lines, and this height in points."""

LARGER = 0.6
HEADING_LENGTH = 20
"""Lines set this much larger than running text, or bold and this long, are headings and no labels."""


class Drawing:
    """The clusters of a page that no figure has claimed yet, and the lines that may label them.

    Args:
        clusters: What is drawn.
        lines: Lines of the page in reading order.
        body_size: Font size of running text in points.

    Attributes:
        free: Clusters nobody has claimed.
    """

    def __init__(self, clusters: list[Region], lines: list[Fragment], body_size: float) -> None:
        self.free: list[Region] = list(clusters)
        self._labels = [line.rect for line in lines if _is_label(line, body_size)]

    def inside(self, zone: Rect) -> list[Region]:
        """Free clusters in a zone.

        Args:
            zone: A place on the page.

        Returns:
            Those that stand in it.
        """
        return [region for region in self.free if stands_in(region.rect, zone)]

    def take(self, zone: Rect) -> Region | None:
        """Claim all that is drawn in a zone as one figure, with its labels.

        Args:
            zone: A place on the page.

        Returns:
            The figure; ``None`` if nothing of substance is drawn there.
        """
        return self._take(self.inside(zone), zone)

    def take_near(self, zone: Rect) -> Region | None:
        """The same for what is drawn near the upper or lower end of a zone.

        Args:
            zone: A place on the page.

        Returns:
            The figure; ``None`` if nothing of substance is drawn there.
        """
        members = [
            region
            for region in self.inside(zone)
            if min(abs(region.rect[1] - zone[1]), abs(zone[3] - region.rect[3])) <= MAX_GAP
        ]
        return self._take(members, zone)

    def take_text(self, zone: Rect) -> Region | None:
        """Claim what is written in a zone as a figure made of text, with any frame around it.

        Args:
            zone: The place between a caption and the running text above it.

        Returns:
            The figure; ``None`` if too little is written there.
        """
        inside = [rect for rect in self._labels if stands_in(rect, zone)]
        if len(inside) < FEWEST_LABELS:
            return None
        rect = hull(inside)
        if rect[3] - rect[1] < LOWEST_TEXT_FIGURE or zone[3] - rect[3] > MAX_GAP:
            return None
        figure = Region(rect=rect, kind="vector", parts=len(inside))
        for frame in self.inside(zone):
            self.give(frame, figure)
        return figure

    def give(self, region: Region, figure: Region) -> None:
        """Add a free cluster to a figure.

        Args:
            region: A free cluster.
            figure: Who gets it.
        """
        merge(figure, region)
        self.free = [other for other in self.free if other is not region]

    def _take(self, members: list[Region], zone: Rect) -> Region | None:
        """One figure of several clusters and the labels around them."""
        if not members or not is_substantial(members):
            return None
        first = members[0]
        figure = Region(rect=first.rect, kind=first.kind, parts=first.parts)
        self.free = [region for region in self.free if region is not first]
        for member in members[1:]:
            self.give(member, figure)
        self._widen(figure, [rect for rect in self._labels if stands_in(rect, zone)])
        return figure

    def _widen(self, figure: Region, labels: list[Rect]) -> None:
        """Take in axis titles, panel letters, legends, and what stands next to them in turn."""
        for _ in range(MOST_ROUNDS):
            before = figure.rect
            for rect in labels:
                if near(figure.rect, rect, LABEL_GAP):
                    figure.rect = union(figure.rect, rect)
            if figure.rect == before:
                break


def _is_label(line: Fragment, body_size: float) -> bool:
    """Whether a line can be part of a figure: no running text, no heading, no furniture."""
    heading = line.size > body_size + LARGER or (line.face.bold_name and len(line.text) > HEADING_LENGTH)
    return not (line.furniture or line.prose or heading)


def stands_in(rect: Rect, zone: Rect) -> bool:
    """Whether a rectangle stands between the top and bottom of a zone and shares its columns.

    Args:
        rect: Of a cluster or line.
        zone: A place on the page.

    Returns:
        True if its middle is at the zone's height and much of its width in the zone.
    """
    middle = (rect[1] + rect[3]) / 2
    if not zone[1] - 1.0 <= middle <= zone[3] + 1.0:
        return False
    shared = min(rect[2], zone[2]) - max(rect[0], zone[0])
    return shared > BELONGS * min(rect[2] - rect[0], zone[2] - zone[0])


def is_substantial(members: list[Region]) -> bool:
    """Whether clusters hold an image or enough strokes, and are no ornament.

    Args:
        members: At least one.

    Returns:
        True if they are worth being a figure.
    """
    rect = hull([member.rect for member in members])
    if max(rect[2] - rect[0], rect[3] - rect[1]) < SMALLEST_SIDE:
        return False
    strokes = sum(member.parts for member in members)
    return strokes >= FEWEST_PATHS or any(member.kind == "image" for member in members)


def hull(rects: list[Rect]) -> Rect:
    """The smallest rectangle that holds all.

    Args:
        rects: At least one.

    Returns:
        Their common hull.
    """
    found = rects[0]
    for rect in rects[1:]:
        found = union(found, rect)
    return found
