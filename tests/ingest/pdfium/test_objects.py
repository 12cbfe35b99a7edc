from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from vectree.ingest.parsers.pdfium.native import pdfium
from vectree.ingest.parsers.pdfium.objects import Drawn, read_objects
from vectree.ingest.parsers.pdfium.page import page_frame

Make = Callable[..., Path]


@pytest.fixture
def drawn(make_pdf: Make) -> Callable[[Callable[[Canvas], None]], Drawn]:
    def run(draw: Callable[[Canvas], None]) -> Drawn:
        document = pdfium.PdfDocument(make_pdf(draw))
        try:
            page = document[0]
            return read_objects(page, page_frame(page))
        finally:
            document.close()

    return run


def test_a_path_is_found_where_it_is_displayed(drawn: Callable[..., Drawn]) -> None:
    ((rect, count),) = drawn(lambda canvas: canvas.rect(100, 592, 200, 100, stroke=0, fill=1)).paths
    assert rect == pytest.approx((100, 100, 300, 200), abs=1)
    assert count == 1


def test_a_path_in_a_scaled_form_is_found_where_it_is_displayed(drawn: Callable[..., Drawn]) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.beginForm("plot", 0, 0, 400, 400)
        canvas.rect(100, 100, 200, 200, stroke=0, fill=1)
        canvas.endForm()
        canvas.saveState()
        canvas.translate(72, 292)
        canvas.scale(0.5, 0.5)
        canvas.doForm("plot")
        canvas.restoreState()

    ((rect, _),) = drawn(draw).paths
    assert rect == pytest.approx((122, 350, 222, 450), abs=1)


def test_only_the_part_inside_the_clip_counts(drawn: Callable[..., Drawn]) -> None:
    def draw(canvas: Canvas) -> None:
        clip = canvas.beginPath()
        clip.rect(100, 500, 100, 100)
        canvas.clipPath(clip, stroke=0, fill=0)
        canvas.rect(0, 0, 612, 792, stroke=0, fill=1)

    ((rect, _),) = drawn(draw).paths
    assert rect == pytest.approx((100, 192, 200, 292), abs=1)


def test_thousands_of_dots_become_few_boxes_and_stay_counted(drawn: Callable[..., Drawn]) -> None:
    def draw(canvas: Canvas) -> None:
        for number in range(3000):
            canvas.circle(200 + number % 60, 400 + number // 60, 1, stroke=0, fill=1)

    found = drawn(draw)
    assert found.strokes == 3000
    assert sum(count for _, count in found.paths) == 3000
    assert len(found.paths) < 200


def test_what_lies_outside_the_page_is_left_out(drawn: Callable[..., Drawn]) -> None:
    assert drawn(lambda canvas: canvas.rect(700, 900, 100, 100, fill=1)).paths == []


def test_an_image_declares_its_pixels_by_depth(drawn: Callable[..., Drawn], tmp_path: Path) -> None:
    for mode, name in (("RGB", "colour.png"), ("1", "fax.png")):
        Image.new(mode, (480, 100)).save(tmp_path / name)
    colour = drawn(lambda canvas: canvas.drawImage(str(tmp_path / "colour.png"), 72, 300, 240, 50))
    assert colour.largest_image == 48_000
    assert len(colour.images) == 1
