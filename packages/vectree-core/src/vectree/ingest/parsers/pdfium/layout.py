"""What only the whole document shows: columns, furniture, running text, broken words, figures."""

from __future__ import annotations

from collections import Counter

from vectree.document import TextStatus
from vectree.ingest.parsers.pdfium.body import BodyText, find_body
from vectree.ingest.parsers.pdfium.captions import find_captions, points_elsewhere
from vectree.ingest.parsers.pdfium.compose import compose
from vectree.ingest.parsers.pdfium.furniture import mark_furniture, repeats_needed
from vectree.ingest.parsers.pdfium.geometry import Rect, area
from vectree.ingest.parsers.pdfium.hyphens import mend_hyphens
from vectree.ingest.parsers.pdfium.page import ReadPage
from vectree.ingest.parsers.pdfium.reading_order import arrange_pages
from vectree.ingest.parsers.pdfium.regions import Region

SCAN_UNDER_TEXT = 0.5
"""An image over more of an OCR'd page than this is the scan itself and no figure."""


def lay_out(pages: list[ReadPage]) -> BodyText:
    """Fill in what a page alone does not show.

    Args:
        pages: All pages; lines get order, column, furniture and figure marks, regions become figures.

    Returns:
        What running text looks like.
    """
    arranged = arrange_pages([page.lines for page in pages])
    for page, lines in zip(pages, arranged, strict=True):
        page.lines = lines
    mark_furniture(pages)
    mend_hyphens([page.lines for page in pages], [page.raw for page in pages])
    body = find_body(line for page in pages for line in page.lines)
    for page in pages:
        for line in page.lines:
            line.prose = body.carries(line)
    ornaments = _ornaments(pages)
    for page in pages:
        page.regions = _figures(page, ornaments, body.size)
    _follow_captions(pages)
    return body


def _figures(page: ReadPage, ornaments: frozenset[Rect], body_size: float) -> list[Region]:
    """The figures of a page; the whole page where it has no text to read."""
    whole = (0.0, 0.0, page.width, page.height)
    if page.status is TextStatus.SCAN:
        return [Region(rect=whole, kind="page", parts=1)]
    clusters = [region for region in page.regions if _key(region) not in ornaments]
    if page.status is TextStatus.OCR_LAYER:
        clusters = [region for region in clusters if area(region.rect) < SCAN_UNDER_TEXT * area(whole)]
    figures = compose(clusters, page.lines, page.frame, body_size)
    if page.status is TextStatus.FIGURE_ONLY and not figures:
        return [Region(rect=whole, kind="page", parts=1)]
    return figures


def _follow_captions(pages: list[ReadPage]) -> None:
    """Give a figure whose caption is printed on a neighbouring page that caption."""
    for at, page in enumerate(pages):
        for region in page.regions:
            if region.caption is None or not points_elsewhere(region.caption):
                continue
            near = [other for other in pages[max(at - 1, 0) : at + 2] if other is not page]
            captions = [caption for other in near for caption in find_captions(other.lines)]
            region.caption = next(
                (caption.text for caption in captions if region.caption.casefold().startswith(caption.label)),
                region.caption,
            )


def _ornaments(pages: list[ReadPage]) -> frozenset[Rect]:
    """Places at which the same thing is drawn page after page."""
    seen = Counter(_key(region) for page in pages for region in page.regions)
    need = repeats_needed(len(pages))
    return frozenset(key for key, count in seen.items() if count >= max(need, 3))


def _key(region: Region) -> Rect:
    """A region's place, to a point."""
    x0, y0, x1, y1 = region.rect
    return round(x0), round(y0), round(x1), round(y1)
