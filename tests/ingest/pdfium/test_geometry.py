from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.ingest.parsers.pdfium.geometry import Frame, area, overlap, to_box, union

edges = st.floats(min_value=-500, max_value=500)
sizes = st.floats(min_value=1, max_value=500)
rotations = st.sampled_from((0, 90, 180, 270))


def frame(rotation: int = 0, left: float = 0.0, bottom: float = 0.0) -> Frame:
    return Frame(left=left, bottom=bottom, breadth=600, depth=800, rotation=rotation)


@pytest.mark.parametrize(
    ("rotation", "expected"),
    [(0, (10, 770, 40, 780)), (90, (20, 10, 30, 40)), (180, (560, 20, 590, 30)), (270, (770, 560, 780, 590))],
)
def test_a_rectangle_follows_the_rotation_of_its_page(
    rotation: int, expected: tuple[float, float, float, float]
) -> None:
    assert frame(rotation).display(10, 20, 40, 30) == expected


def test_a_cropped_page_counts_from_the_corner_of_what_is_shown() -> None:
    assert frame(left=100, bottom=50).display(110, 830, 140, 850) == (10, 0, 40, 20)


@given(edges, edges, sizes, sizes, rotations)
def test_turning_a_page_keeps_areas_and_orders_corners(
    left: float, bottom: float, width: float, height: float, rotation: int
) -> None:
    rect = frame(rotation).display(left, bottom, left + width, bottom + height)
    assert rect[0] <= rect[2]
    assert rect[1] <= rect[3]
    assert area(rect) == pytest.approx(width * height, rel=1e-6)


@given(rotations)
def test_text_is_level_when_the_page_is_turned_so_that_it_can_be_read(rotation: int) -> None:
    direction = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[rotation]
    assert frame(rotation).is_level(*direction)
    assert not frame(rotation).is_level(-direction[0], -direction[1])


@given(st.tuples(edges, edges, sizes, sizes), st.tuples(edges, edges, sizes, sizes))
def test_the_hull_of_two_rectangles_holds_both(
    first: tuple[float, float, float, float], second: tuple[float, float, float, float]
) -> None:
    one = (first[0], first[1], first[0] + first[2], first[1] + first[3])
    two = (second[0], second[1], second[0] + second[2], second[1] + second[3])
    hull = union(one, two)
    assert overlap(hull, one) == pytest.approx(area(one))
    assert overlap(hull, two) == pytest.approx(area(two))


@given(st.tuples(*[st.floats(allow_nan=True, allow_infinity=True)] * 4))
def test_a_box_that_leaves_the_parser_is_finite(rect: tuple[float, float, float, float]) -> None:
    box = to_box(rect)
    assert all(math.isfinite(edge) for edge in (box.x0, box.y0, box.x1, box.y1))
