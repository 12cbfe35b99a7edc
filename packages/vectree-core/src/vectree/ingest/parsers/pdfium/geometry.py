"""Rectangles on a page: from PDF user space to the page as it is displayed.

PDF counts from the bottom left of an arbitrary box and may turn the page; everything above this module
counts points from the top left of what a reader sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from vectree.document import Box

Rect: TypeAlias = tuple[float, float, float, float]
"""``(x0, y0, x1, y1)`` in display points. Plain tuples: a page holds thousands of them."""

_FAR = 1e6
"""Coordinates beyond this are nonsense; they are clamped, which also removes infinities."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The visible box of a page and how it is turned.

    Attributes:
        left: Left edge in user space.
        bottom: Bottom edge in user space.
        breadth: Width before rotation, in points.
        depth: Height before rotation, in points.
        rotation: Clockwise degrees: 0, 90, 180 or 270.
    """

    left: float
    bottom: float
    breadth: float
    depth: float
    rotation: int

    @property
    def width(self) -> float:
        """Displayed width in points."""
        return self.depth if self.rotation in (90, 270) else self.breadth

    @property
    def height(self) -> float:
        """Displayed height in points."""
        return self.breadth if self.rotation in (90, 270) else self.depth

    def display(self, left: float, bottom: float, right: float, top: float) -> Rect:
        """Convert a rectangle of user space.

        Args:
            left: Left edge.
            bottom: Bottom edge.
            right: Right edge.
            top: Top edge.

        Returns:
            The rectangle on the displayed page, its corners in order.
        """
        x0, x1 = left - self.left, right - self.left
        y0, y1 = self.depth - (top - self.bottom), self.depth - (bottom - self.bottom)
        if self.rotation == 0 and x0 <= x1 and y0 <= y1:
            return x0, y0, x1, y1
        if self.rotation == 90:
            x0, y0, x1, y1 = self.depth - y1, x0, self.depth - y0, x1
        elif self.rotation == 180:
            x0, y0, x1, y1 = self.breadth - x1, self.depth - y1, self.breadth - x0, self.depth - y0
        elif self.rotation == 270:
            x0, y0, x1, y1 = y0, self.breadth - x1, y1, self.breadth - x0
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def is_level(self, across: float, along: float) -> bool:
        """Tell whether a writing direction of user space runs from left to right on the displayed page.

        Args:
            across: Horizontal part of the direction.
            along: Vertical part of the direction.

        Returns:
            True if the text can be read without turning one's head.
        """
        if self.rotation == 90:
            across, along = along, -across
        elif self.rotation == 180:
            across, along = -across, -along
        elif self.rotation == 270:
            across, along = -along, across
        return across > 0 and abs(along) <= 0.5 * across


def union(first: Rect, second: Rect) -> Rect:
    """The smallest rectangle that holds both.

    Args:
        first: A rectangle.
        second: Another.

    Returns:
        Their common hull.
    """
    return (
        min(first[0], second[0]),
        min(first[1], second[1]),
        max(first[2], second[2]),
        max(first[3], second[3]),
    )


def overlap(first: Rect, second: Rect) -> float:
    """The area two rectangles share.

    Args:
        first: A rectangle.
        second: Another.

    Returns:
        Square points; 0 if they are apart.
    """
    across = min(first[2], second[2]) - max(first[0], second[0])
    along = min(first[3], second[3]) - max(first[1], second[1])
    return across * along if across > 0 and along > 0 else 0.0


def area(rect: Rect) -> float:
    """The area of a rectangle.

    Args:
        rect: A rectangle.

    Returns:
        Square points.
    """
    return max(rect[2] - rect[0], 0.0) * max(rect[3] - rect[1], 0.0)


def to_box(rect: Rect) -> Box:
    """A rectangle as the noun that leaves the parser, rounded to a tenth of a point.

    Args:
        rect: A rectangle.

    Returns:
        Finite coordinates, also where the file held nonsense.
    """
    x0, y0, x1, y1 = rect
    if -_FAR < x0 < _FAR and -_FAR < y0 < _FAR and -_FAR < x1 < _FAR and -_FAR < y1 < _FAR:
        return Box(x0=round(x0, 1), y0=round(y0, 1), x1=round(x1, 1), y1=round(y1, 1))
    x0, y0, x1, y1 = (round(min(max(edge, -_FAR), _FAR), 1) if edge == edge else 0.0 for edge in rect)
    return Box(x0=x0, y0=y0, x1=x1, y1=y1)
