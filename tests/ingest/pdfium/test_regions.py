from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vectree.ingest.parsers.pdfium.geometry import Frame, Rect, overlap
from vectree.ingest.parsers.pdfium.objects import Drawn
from vectree.ingest.parsers.pdfium.regions import MERGE_GAP, find_regions, near

FRAME = Frame(left=0, bottom=0, breadth=612, depth=792, rotation=0)
places = st.tuples(st.floats(0, 500), st.floats(100, 600), st.floats(8, 100), st.floats(8, 100))


def rects(found: list[tuple[float, float, float, float]]) -> list[Rect]:
    return [(x, y, x + width, y + height) for x, y, width, height in found]


@given(st.lists(places, max_size=25))
def test_every_image_lies_in_one_cluster_and_clusters_stand_apart(
    found: list[tuple[float, float, float, float]],
) -> None:
    images = rects(found)
    clusters = find_regions(Drawn(images=images), FRAME)
    assert sum(cluster.parts for cluster in clusters) == len(images)
    for image in images:
        assert sum(overlap(cluster.rect, image) > 0 for cluster in clusters) == 1
    for index, first in enumerate(clusters):
        assert not any(near(first.rect, second.rect, MERGE_GAP) for second in clusters[index + 1 :])


@given(st.lists(places, max_size=12), st.randoms(use_true_random=False))
def test_clusters_do_not_depend_on_the_order_of_drawing(
    found: list[tuple[float, float, float, float]], random: st.DrawFn
) -> None:
    images = rects(found)
    shuffled = list(images)
    random.shuffle(shuffled)
    first, second = (find_regions(Drawn(images=order), FRAME) for order in (images, shuffled))
    assert {cluster.rect for cluster in first} == {cluster.rect for cluster in second}


def test_backgrounds_and_rules_are_not_gathered() -> None:
    background, rule = (0.0, 0.0, 612.0, 792.0), (50.0, 300.0, 560.0, 301.0)
    assert find_regions(Drawn(paths=[(background, 1), (rule, 1)]), FRAME) == []
