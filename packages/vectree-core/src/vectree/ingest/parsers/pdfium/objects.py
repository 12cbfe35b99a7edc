"""The images and paths of a page: where they stand, and how large an image claims to be."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from vectree.ingest.parsers.pdfium.clips import visible_part
from vectree.ingest.parsers.pdfium.geometry import Frame, Rect, union
from vectree.ingest.parsers.pdfium.native import FORM, IMAGE, PATH, SHADING, raw

MAX_DEPTH = 6
MAX_OBJECTS = 100_000
"""Objects looked at on one page; a map can hold millions of strokes."""

CELL = 8.0
"""Strokes smaller than this many points are gathered by cells of this size."""

CLIPPED_FROM = 60.0
"""Only objects wider or higher than this are worth asking how much of them is clipped away."""

Matrix: TypeAlias = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(slots=True, kw_only=True)
class Drawn:
    """What is drawn on a page besides text, in display coordinates.

    Attributes:
        images: Boxes of images.
        paths: Boxes of paths and shadings, each with the number of objects it stands for.
        strokes: Number of paths and shadings.
        largest_image: Size of the largest image, as declared: pixels, weighed as if each took 24 bits.
    """

    images: list[Rect] = field(default_factory=lambda: list[Rect]())
    paths: list[tuple[Rect, int]] = field(default_factory=lambda: list[tuple[Rect, int]]())
    strokes: int = 0
    largest_image: int = 0


def read_objects(page: Any, frame: Frame) -> Drawn:
    """Collect the boxes of everything drawn, also inside form objects.

    Args:
        page: PDFium's page.
        frame: The page's visible box.

    Returns:
        Boxes cut to what can be seen; what lies outside the page is left out.
    """
    collector = _Collector(page, frame)
    stack: list[tuple[Any, bool, Matrix, int]] = [(page.raw, False, IDENTITY, 0)]
    while stack:
        parent, nested, matrix, depth = stack.pop()
        count = raw.FPDFFormObj_CountObjects(parent) if nested else raw.FPDFPage_CountObjects(parent)
        get = raw.FPDFFormObj_GetObject if nested else raw.FPDFPage_GetObject
        get_type = raw.FPDFPageObj_GetType
        for index in range(min(int(count), collector.budget)):
            handle = get(parent, index)
            kind = get_type(handle) if handle else 0
            if kind == FORM and depth < MAX_DEPTH:
                stack.append((handle, True, _compose(_matrix(handle), matrix), depth + 1))
            elif kind in (IMAGE, PATH, SHADING):
                collector.add(handle, kind, matrix)
        collector.budget -= max(int(count), 0)
    return collector.drawn()


class _Collector:
    """Gathers boxes; small strokes by cell, so that a plot of 10,000 points stays a few hundred boxes."""

    def __init__(self, page: Any, frame: Frame) -> None:
        self._page = page.raw
        self.budget = MAX_OBJECTS
        self._frame = frame
        self._drawn = Drawn()
        self._cells: dict[tuple[int, int], tuple[Rect, int]] = {}
        self._edges = (ctypes.c_float * 4)()
        self._pointers = tuple(
            ctypes.cast(ctypes.byref(self._edges, 4 * place), ctypes.POINTER(ctypes.c_float))
            for place in range(4)
        )

    def add(self, handle: Any, kind: int, matrix: Matrix) -> None:
        """Take up one object."""
        if not raw.FPDFPageObj_GetBounds(handle, *self._pointers):
            return
        left, bottom, right, top = self._edges
        if right - left > CLIPPED_FROM or top - bottom > CLIPPED_FROM:
            left, bottom, right, top = visible_part(handle, (left, bottom, right, top))
        if matrix is not IDENTITY:
            left, bottom, right, top = _transform(matrix, left, bottom, right, top)
        rect = self._on_page(self._frame.display(left, bottom, right, top))
        if rect is None:
            return
        if kind == IMAGE:
            self._drawn.images.append(rect)
            self._drawn.largest_image = max(self._drawn.largest_image, _pixels(self._page, handle))
        else:
            self._drawn.strokes += 1
            self._add_path(rect)

    def _add_path(self, rect: Rect) -> None:
        """A large path by itself, a small one in its cell."""
        if rect[2] - rect[0] > CELL or rect[3] - rect[1] > CELL:
            self._drawn.paths.append((rect, 1))
            return
        cell = (int(rect[0] // CELL), int(rect[1] // CELL))
        known = self._cells.get(cell)
        self._cells[cell] = (rect, 1) if known is None else (union(known[0], rect), known[1] + 1)

    def _on_page(self, rect: Rect) -> Rect | None:
        """The part of a rectangle on the page; ``None`` if nothing is left or it is not a number."""
        x0, y0 = max(rect[0], 0.0), max(rect[1], 0.0)
        x1, y1 = min(rect[2], self._frame.width), min(rect[3], self._frame.height)
        if not (x1 >= x0 and y1 >= y0) or (x1 == x0 and y1 == y0):
            return None
        return x0, y0, x1, y1

    def drawn(self) -> Drawn:
        """What was gathered."""
        self._drawn.paths.extend(self._cells.values())
        return self._drawn


def _matrix(handle: Any) -> Matrix:
    """The matrix of a form object."""
    found = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(handle, found):
        return IDENTITY
    return found.a, found.b, found.c, found.d, found.e, found.f


def _compose(inner: Matrix, outer: Matrix) -> Matrix:
    """First ``inner``, then ``outer``."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def _transform(matrix: Matrix, left: float, bottom: float, right: float, top: float) -> Rect:
    """The hull of a rectangle of user space after a matrix: left, bottom, right, top."""
    a, b, c, d, e, f = matrix
    if b == 0.0 and c == 0.0:
        xs, ys = (a * left + e, a * right + e), (d * bottom + f, d * top + f)
    else:
        xs = tuple(a * x + c * y + e for x in (left, right) for y in (bottom, top))
        ys = tuple(b * x + d * y + f for x in (left, right) for y in (bottom, top))
    return min(xs), min(ys), max(xs), max(ys)


def _pixels(page: Any, handle: Any) -> int:
    """The size an image declares, in pixels of 24 bits; a fax of 35,000 by 35,000 dots is no photograph."""
    about = raw.FPDF_IMAGEOBJ_METADATA()
    if not raw.FPDFImageObj_GetImageMetadata(handle, page, ctypes.byref(about)):
        return 0
    return int(about.width) * int(about.height) * max(int(about.bits_per_pixel), 1) // 24
