"""Where something is drawn on a page: images and paths gathered into clusters."""

from __future__ import annotations

from dataclasses import dataclass

from vectree.ingest.parsers.pdfium.geometry import Frame, Rect, area, union
from vectree.ingest.parsers.pdfium.objects import Drawn

MERGE_GAP = 8.0
"""Parts of a figure lie within this many points of one another."""

MOST_PARTS = 4_000
"""Parts gathered on one page; small strokes were counted together before."""

SMALLEST_IMAGE = 6.0
BACKGROUND_SHARE = 0.85
"""A path over more of the page than this is its background."""

RULE_SHARE = 0.5
RULE_THICKNESS = 2.5
"""A line at most this thick and longer than ``RULE_SHARE`` of the page is a rule between its parts."""

HEADER_BAND = 0.07
FOOTER_BAND = 0.94


@dataclass(slots=True, kw_only=True)
class Region:
    """A place where something is drawn.

    Attributes:
        rect: On the displayed page.
        kind: ``"image"``, ``"vector"`` or ``"page"``.
        parts: How many images and paths it is made of.
        caption: Its caption, once known.
        is_table: Whether it is the ruling or shading of a table.
    """

    rect: Rect
    kind: str
    parts: int
    caption: str | None = None
    is_table: bool = False


def find_regions(drawn: Drawn, frame: Frame) -> list[Region]:
    """Gather images and paths into clusters.

    Args:
        drawn: What is drawn on the page.
        frame: The page's visible box.

    Returns:
        Clusters from top to bottom, none in the header or footer.
    """
    clusters: list[Region] = []
    for part in _parts(drawn, frame)[:MOST_PARTS]:
        _absorb(clusters, part)
    top, bottom = HEADER_BAND * frame.height, FOOTER_BAND * frame.height
    kept = [region for region in clusters if region.rect[3] >= top and region.rect[1] <= bottom]
    return sorted(kept, key=lambda region: (region.rect[1], region.rect[0]))


def _parts(drawn: Drawn, frame: Frame) -> list[Region]:
    """What is worth gathering: no backgrounds, no rules."""
    page = frame.width * frame.height
    parts = [
        Region(rect=rect, kind="image", parts=1)
        for rect in drawn.images
        if rect[2] - rect[0] >= SMALLEST_IMAGE and rect[3] - rect[1] >= SMALLEST_IMAGE
    ]
    for rect, count in drawn.paths:
        width, height = rect[2] - rect[0], rect[3] - rect[1]
        rule = (width > RULE_SHARE * frame.width and height < RULE_THICKNESS) or (
            height > RULE_SHARE * frame.height and width < RULE_THICKNESS
        )
        if not rule and area(rect) <= BACKGROUND_SHARE * page:
            parts.append(Region(rect=rect, kind="vector", parts=count))
    return parts


def _absorb(clusters: list[Region], part: Region) -> None:
    """Add a part, merging every cluster it connects."""
    while True:
        touching = [index for index, other in enumerate(clusters) if near(other.rect, part.rect, MERGE_GAP)]
        if not touching:
            clusters.append(part)
            return
        for index in reversed(touching):
            merge(part, clusters.pop(index))


def merge(region: Region, other: Region) -> None:
    """Take another region into this one.

    Args:
        region: Grows.
        other: What it takes in.
    """
    region.rect = union(region.rect, other.rect)
    region.parts += other.parts
    region.kind = "image" if "image" in (region.kind, other.kind) else "vector"


def near(first: Rect, second: Rect, gap: float) -> bool:
    """Whether two rectangles lie within a distance of one another.

    Args:
        first: A rectangle.
        second: Another.
        gap: Points, across and along.

    Returns:
        True also if they overlap.
    """
    return (
        first[0] - gap <= second[2]
        and second[0] - gap <= first[2]
        and first[1] - gap <= second[3]
        and second[1] - gap <= first[3]
    )
