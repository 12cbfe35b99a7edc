from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from vectree.document import Figure
from vectree.ingest.parse import ParsedDocument, ParsedPage

Read = Callable[..., ParsedDocument]
SENTENCE = "The samples were heated to nine hundred kelvin and cooled in dry air again"


def prose(canvas: Canvas, top: float, rows: int, x: float = 72) -> None:
    canvas.setFont("Times-Roman", 10)
    for row in range(rows):
        canvas.drawString(x, top - 12 * row, SENTENCE)


def plot(canvas: Canvas, x: float, y: float, width: float = 120, height: float = 100) -> None:
    canvas.rect(x, y, width, height)
    for bar in range(14):
        canvas.rect(x + 5 + 8 * bar, y + 2, 5, 10 + 5 * bar, fill=1)
    canvas.setFont("Helvetica", 7)
    for tick in range(5):
        canvas.drawString(x + 20 * tick, y - 9, str(tick * 100))


def caption(canvas: Canvas, x: float, y: float, *rows: str) -> None:
    canvas.setFont("Times-Roman", 8)
    for row, text in enumerate(rows):
        canvas.drawString(x, y - 10 * row, text)


def only(document: ParsedDocument) -> Figure:
    (figure,) = document.figures
    return figure


def texts(page: ParsedPage, *, in_figure: bool) -> list[str]:
    return [line.text for line in page.lines if line.in_figure is in_figure]


def test_a_plot_is_cropped_with_its_caption_and_its_labels(read_pages: Read, tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        prose(canvas, 740, 12)
        plot(canvas, 150, 450)
        caption(canvas, 100, 420, "Figure 1. Counts by temper-", "ature, after heating.")
        prose(canvas, 380, 12)

    document = read_pages(draw)
    figure = only(document)
    assert (figure.kind, figure.page, figure.name) == ("vector", 1, "p001-1.png")
    assert figure.caption == "Figure 1. Counts by temperature, after heating."
    assert figure.box.x0 == pytest.approx(150, abs=4)
    assert 230 < figure.box.y0 < figure.box.y1 < 370
    assert " ".join(texts(document.pages[0], in_figure=True)) == "0 100 200 300 400"
    with Image.open(tmp_path / "figures" / figure.name) as image:
        assert image.size == (figure.width, figure.height)
        assert image.format == "PNG"


def test_the_panels_above_one_caption_are_one_figure(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        prose(canvas, 740, 6)
        for x, y in ((80, 520), (320, 520), (80, 380), (320, 380)):
            plot(canvas, x, y)
        caption(canvas, 80, 340, "Fig. 2 Four panels (a) to (d), of counts.")
        prose(canvas, 300, 12)

    figure = only(read_pages(draw))
    assert figure.box.x0 < 90
    assert figure.box.x1 > 430
    assert figure.box.height > 200


def test_two_figures_between_text_keep_their_own_captions(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        plot(canvas, 150, 600)
        caption(canvas, 100, 570, "Figure 1: The first of the two.")
        prose(canvas, 540, 8)
        plot(canvas, 150, 300)
        caption(canvas, 100, 270, "Figure 2: The second of the two.")
        prose(canvas, 240, 8)

    document = read_pages(draw)
    assert [figure.caption for figure in document.figures] == [
        "Figure 1: The first of the two.",
        "Figure 2: The second of the two.",
    ]
    assert document.figures[0].box.y1 < document.figures[1].box.y0


def test_captions_above_their_figures_are_followed_too(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        prose(canvas, 740, 10)
        caption(canvas, 100, 600, "Figure 1: The first of the two.")
        plot(canvas, 150, 480)
        prose(canvas, 440, 10)
        caption(canvas, 100, 300, "Figure 2: The second of the two.")
        plot(canvas, 150, 180)
        prose(canvas, 140, 6)

    first, second = read_pages(draw).figures
    assert (first.caption, second.caption) == (
        "Figure 1: The first of the two.",
        "Figure 2: The second of the two.",
    )


def test_a_figure_that_text_runs_around_keeps_its_caption(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 10)
        for row in range(30):
            canvas.drawString(72, 740 - 12 * row, SENTENCE[:48])
        plot(canvas, 330, 560)
        caption(canvas, 325, 535, "Figure 1: Counts, with text", "running along the side of it.")
        prose(canvas, 370, 12)

    assert only(read_pages(draw)).caption == "Figure 1: Counts, with text running along the side of it."


def test_a_caption_beside_its_figure_is_found(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        prose(canvas, 740, 20)
        caption(
            canvas,
            72,
            440,
            "Fig. 1 Counts by",
            "temperature, shown",
            "beside these words",
            "as some journals do",
        )
        plot(canvas, 300, 350)
        prose(canvas, 300, 12)

    figure = only(read_pages(draw))
    assert figure.caption is not None
    assert figure.caption.startswith("Fig. 1 Counts by temperature")


def test_a_caption_printed_on_the_page_before_is_brought_to_its_figure(read_pages: Read) -> None:
    def first(canvas: Canvas) -> None:
        prose(canvas, 740, 40)
        caption(canvas, 72, 200, "Fig. 1 Counts rise with the temperature of all samples.")

    def second(canvas: Canvas) -> None:
        plot(canvas, 100, 500)
        caption(canvas, 100, 470, "Fig. 1 (See legend on previous page.)")
        prose(canvas, 400, 12)

    assert (
        only(read_pages(first, second)).caption == "Fig. 1 Counts rise with the temperature of all samples."
    )


def test_a_banner_at_the_head_of_the_page_is_no_figure(read_pages: Read, tmp_path: Path) -> None:
    banner = tmp_path / "banner.png"
    Image.effect_noise((300, 60), 60).save(banner)

    def draw(canvas: Canvas) -> None:
        canvas.drawImage(str(banner), 60, 680, 490, 90)
        prose(canvas, 600, 12)

    assert read_pages(draw).figures == ()


def test_a_list_of_supplements_is_no_figure(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        prose(canvas, 740, 12)
        canvas.setFont("Helvetica", 8)
        for row, text in enumerate(
            ("Supplementary Materials", "Methods", "Table S1", "Data", "Fig. S1 to S17")
        ):
            canvas.drawString(72, 560 - 12 * row, text)

    assert read_pages(draw).figures == ()


def test_a_sentence_about_a_figure_is_no_caption(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        prose(canvas, 740, 6)
        canvas.drawString(72, 668, "Figure 1 shows that the counts rise with the temperature of the samples")
        prose(canvas, 656, 6)
        plot(canvas, 150, 450)
        caption(canvas, 100, 420, "Figure 1. Counts.")
        prose(canvas, 380, 12)

    assert only(read_pages(draw)).caption == "Figure 1. Counts."


def test_a_gene_called_fig1p_is_no_caption(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        prose(canvas, 740, 6)
        plot(canvas, 150, 450)
        caption(canvas, 180, 560, "FIG1p-GFP")
        caption(canvas, 100, 420, "Figure 1. Counts.")
        prose(canvas, 380, 12)

    assert only(read_pages(draw)).caption == "Figure 1. Counts."


def test_a_figure_drawn_as_text_is_cropped_from_its_caption(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        prose(canvas, 740, 10)
        canvas.setFont("Courier", 8)
        for row in range(10):
            canvas.drawString(100, 590 - 10 * row, f"step {row}: check(claim)")
        caption(canvas, 100, 480, "Figure 3: The program of the example.")
        prose(canvas, 440, 10)

    figure = only(read_pages(draw))
    assert figure.caption == "Figure 3: The program of the example."
    assert 80 < figure.box.height < 120


def test_the_words_of_a_ruled_table_stay_text(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        prose(canvas, 740, 10)
        caption(canvas, 100, 600, "Table 1. Conductivity by sample.")
        for row in range(6):
            canvas.rect(100, 570 - 15 * row, 300, 15)
            canvas.rect(100, 570 - 15 * row, 100, 15)
            canvas.rect(200, 570 - 15 * row, 100, 15)
            canvas.drawString(105, 574 - 15 * row, f"sample {row}")
        prose(canvas, 440, 10)

    document = read_pages(draw)
    assert only(document).caption == "Table 1. Conductivity by sample."
    assert texts(document.pages[0], in_figure=True) == []


def test_a_frame_around_text_is_no_figure(read_pages: Read) -> None:
    def draw(canvas: Canvas) -> None:
        prose(canvas, 740, 20)
        for edge in range(14):
            canvas.rect(60, 300, 400, 120 - edge)
        canvas.setFont("Helvetica", 9)
        for row in range(7):
            canvas.drawString(
                70, 400 - 12 * row, f"Highlight {row}: what this paper found, in one line of words"
            )

    document = read_pages(draw)
    assert document.figures == ()
    assert texts(document.pages[0], in_figure=True) == []


def test_a_logo_on_every_page_is_no_figure(make_pdf: Callable[..., Path], read: Read, tmp_path: Path) -> None:
    logo = tmp_path / "logo.png"
    Image.effect_noise((90, 90), 40).save(logo)

    def draw(canvas: Canvas) -> None:
        canvas.drawImage(str(logo), 430, 600, 130, 130)
        prose(canvas, 560, 20)

    assert read(make_pdf(draw, draw, draw, draw)).figures == ()


def test_a_large_image_without_a_caption_is_kept(read_pages: Read, tmp_path: Path) -> None:
    photograph = tmp_path / "photograph.png"
    Image.effect_noise((200, 150), 60).save(photograph)

    def draw(canvas: Canvas) -> None:
        prose(canvas, 740, 10)
        canvas.drawImage(str(photograph), 100, 400, 200, 150)
        prose(canvas, 350, 10)

    figure = only(read_pages(draw))
    assert (figure.kind, figure.caption) == ("image", None)
    assert (figure.box.width, figure.box.height) == pytest.approx((200, 150), abs=1)
