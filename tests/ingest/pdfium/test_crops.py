from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from vectree.ingest.parse import ParsedDocument, ParseLimits
from vectree.ingest.parsers.pdfium.crops import LONGEST_EDGE, SCALE, render_scale
from vectree.ingest.parsers.pdfium.figures import figure_name

Read = Callable[..., ParsedDocument]
lengths = st.floats(min_value=0.01, max_value=20_000)


@given(lengths, lengths, st.integers(1_000, 50_000_000))
def test_a_rendering_stays_within_its_bounds(width: float, height: float, most: int) -> None:
    scale = render_scale(width, height, most)
    assert 0 < scale <= SCALE
    assert max(width, height) * scale <= LONGEST_EDGE + 1e-6
    assert width * height * scale**2 <= most or max(width, height) < 1


def test_a_figure_shows_what_stands_in_its_box(read_pages: Read, tmp_path: Path) -> None:
    red = tmp_path / "red.png"
    Image.new("RGB", (64, 64), (200, 30, 30)).save(red)

    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(90)
        canvas.drawString(100, 550, "A few words of text, more than a scan would have at all")
        canvas.drawImage(str(red), 100, 300, 160, 120)

    (figure,) = read_pages(draw).figures
    with Image.open(tmp_path / "figures" / figure.name) as image:
        assert image.getpixel((image.width // 2, image.height // 2)) == (200, 30, 30)
    assert figure.box.height > figure.box.width


def test_a_page_declared_enormous_is_rendered_small(
    make_pdf: Callable[..., Path], read: Read, tmp_path: Path
) -> None:
    dot = tmp_path / "dot.png"
    Image.effect_noise((20, 20), 40).save(dot)

    def draw(canvas: Canvas) -> None:
        canvas.setPageSize((14_400, 14_400))
        canvas.drawImage(str(dot), 0, 0, 14_400, 14_400)

    (figure,) = read(make_pdf(draw)).figures
    assert figure.kind == "page"
    assert max(figure.width, figure.height) <= LONGEST_EDGE + 1


def test_an_image_declared_enormous_is_not_rendered(
    make_pdf: Callable[..., Path], read: Read, tmp_path: Path
) -> None:
    large = tmp_path / "large.png"
    Image.new("RGB", (2_100, 2_000)).save(large)
    path = make_pdf(lambda canvas: canvas.drawImage(str(large), 0, 0, 612, 792))
    document = read(path, limits=ParseLimits(max_pixels=1_000_000))
    assert document.figures == ()
    assert any("4,200,000 pixels" in warning and "page 1" in warning for warning in document.warnings)


def test_no_more_figures_than_allowed_are_kept(
    make_pdf: Callable[..., Path], read: Read, tmp_path: Path
) -> None:
    photograph = tmp_path / "photograph.png"
    Image.effect_noise((60, 60), 60).save(photograph)

    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "A page with three photographs on it and some words")
        for place in range(3):
            canvas.drawImage(str(photograph), 72, 100 + 180 * place, 150, 150)

    document = read(make_pdf(draw, draw), limits=ParseLimits(max_figures=2))
    assert [figure.name for figure in document.figures] == ["p001-1.png", "p001-2.png"]
    assert any("More than 2 figures" in warning for warning in document.warnings)


def test_c12_names_come_from_page_and_place_alone() -> None:
    assert [figure_name(3, 1), figure_name(1204, 12)] == ["p003-1.png", "p1204-12.png"]
