"""How much of an object its clip paths leave visible.

A slide pasted into a paper is drawn whole and cut to the part that matters; without its clip, its box would
reach over the text around it.
"""

from __future__ import annotations

import ctypes
from typing import Any

from vectree.ingest.parsers.pdfium.geometry import Rect
from vectree.ingest.parsers.pdfium.native import raw

MAX_CLIPS = 8
MAX_SEGMENTS = 64
"""A clip with more segments follows an outline; it is not asked point by point."""


def visible_part(handle: Any, bounds: Rect) -> Rect:
    """The part of an object's bounds inside all of its clip paths.

    Args:
        handle: A page object.
        bounds: Left, bottom, right, top in the object's own space, which is also that of its clips.

    Returns:
        The same edges, drawn in; of no width or height if nothing is visible.
    """
    clip = raw.FPDFPageObj_GetClipPath(handle)
    if not clip:
        return bounds
    left, bottom, right, top = bounds
    for path in range(min(int(raw.FPDFClipPath_CountPaths(clip)), MAX_CLIPS)):
        points = _points(clip, path)
        if points:
            xs, ys = zip(*points, strict=True)
            left, right = max(left, min(xs)), min(right, max(xs))
            bottom, top = max(bottom, min(ys)), min(top, max(ys))
    return left, bottom, max(right, left), max(top, bottom)


def _points(clip: Any, path: int) -> list[tuple[float, float]]:
    """The points of one clip path; none if it is too complex."""
    count = int(raw.FPDFClipPath_CountPathSegments(clip, path))
    if not 2 <= count <= MAX_SEGMENTS:
        return []
    points: list[tuple[float, float]] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(count):
        segment = raw.FPDFClipPath_GetPathSegment(clip, path, index)
        if segment and raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y)):
            points.append((x.value, y.value))
    return points
