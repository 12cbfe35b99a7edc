"""A bounded rendering of a part of a page, saved as PNG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vectree.document import Figure
from vectree.ingest.parsers.pdfium.geometry import Frame, Rect, to_box
from vectree.ingest.parsers.pdfium.regions import Region

SCALE = 2.0
"""Pixels per point, 144 dpi: small print in a figure stays readable."""

LONGEST_EDGE = 2_200
LONGEST_PAGE_EDGE = 1_600
"""Pixels; a larger region, or a whole page, is rendered at a smaller scale."""

MARGIN = 3.0
"""Points kept around a region, so that axis labels at its edge are not cut."""

_COMPRESSION = 3


def crop(page: Any, frame: Frame, region: Region, number: int, file: Path, max_pixels: int) -> Figure:
    """Render a region of a page and save it.

    Args:
        page: PDFium's page.
        frame: The page's visible box.
        region: What to render.
        number: Physical page, from 1.
        file: Where to save it.
        max_pixels: Pixels of the rendering at most.

    Returns:
        The figure as recorded.
    """
    x0, y0, x1, y1 = _padded(region.rect, frame)
    longest = LONGEST_PAGE_EDGE if region.kind == "page" else LONGEST_EDGE
    scale = render_scale(x1 - x0, y1 - y0, max_pixels, longest)
    bitmap = page.render(scale=scale, crop=(x0, frame.height - y1, frame.width - x1, y0), draw_annots=False)
    image = bitmap.to_pil()
    image.save(file, format="PNG", compress_level=_COMPRESSION)
    return Figure(
        name=file.name,
        page=number,
        box=to_box(region.rect),
        kind=region.kind,
        width=int(image.width),
        height=int(image.height),
        caption=region.caption,
    )


def render_scale(width: float, height: float, max_pixels: int, longest: int = LONGEST_EDGE) -> float:
    """Pixels per point such that a rendering stays within its bounds.

    Args:
        width: Points.
        height: Points.
        max_pixels: Pixels of the rendering at most.
        longest: Pixels of its longer edge at most.

    Returns:
        At most ``SCALE``.
    """
    width, height = max(width, 1.0), max(height, 1.0)
    return min(SCALE, longest / max(width, height), (0.98 * max_pixels / (width * height)) ** 0.5)


def _padded(rect: Rect, frame: Frame) -> Rect:
    """The region with its margin, on the page."""
    return (
        max(rect[0] - MARGIN, 0.0),
        max(rect[1] - MARGIN, 0.0),
        min(rect[2] + MARGIN, frame.width),
        min(rect[3] + MARGIN, frame.height),
    )
