"""Marker's seven traps, on its real classes with stand-ins for its models; needs the extra ``marker``."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from vectree.document import HeadingSource, TextStatus
from vectree.ingest.parse import ParsedDocument, ParseLimits
from vectree.ingest.parsers.marker.convert import convert
from vectree.ingest.parsers.marker.parser import MarkerParser
from vectree.ingest.parsers.pdfium.parser import PdfiumParser

HERE = Path(__file__).parent
sys.path.append(str(HERE))
import marker_models  # noqa: E402

pytestmark = [
    pytest.mark.skipif(
        importlib.util.find_spec("marker") is None,
        reason="the extra 'marker' is not installed: pip install vectree-core[marker]",
    ),
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.timeout(600),
]

WIDTH, HEIGHT = A4
SEPARATOR = "{3}" + "-" * 48
TEXT, SECTION, PICTURE = "Text", "SectionHeader", "Picture"
LINES = 10


def band(first: int, last: int) -> tuple[float, float, float, float]:
    """Lines counted from 0, as a region of the page."""
    return (0.05, (50 + 30 * first - 22) / HEIGHT, 0.95, (50 + 30 * last + 8) / HEIGHT)


REGIONS: dict[int, list[marker_models.Region]] = {
    0: [(SECTION, band(0, 0)), (TEXT, band(1, 3))],
    1: [],
    2: [(SECTION, band(0, 0)), (TEXT, band(1, 4))],
    3: [(SECTION, band(0, 0)), (PICTURE, (0.1, 0.3, 0.6, 0.6)), (TEXT, band(1, 2))],
    4: [],
    5: [(SECTION, band(0, 0)), (TEXT, band(1, 2))],
}


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Text, a blank page, a look-alike of the separator, a figure, a scan, text that goes on from page 1."""
    path = tmp_path_factory.mktemp("marker") / "paper.pdf"
    canvas = Canvas(str(path), pagesize=A4)

    def write(*lines: str) -> None:
        for number, line in enumerate(lines):
            canvas.setFont("Helvetica-Bold" if number == 0 else "Helvetica", 16 if number == 0 else 11)
            canvas.drawString(50, HEIGHT - 50 - 30 * number, line)

    write(
        "1 Introduction",
        "PAGEONE costs $5 and speaks of things that are",
        "said in full on the page after, such as inter-",
    )
    canvas.showPage()
    canvas.showPage()
    write("2 Methods", "PAGETHREE has this line:", SEPARATOR, "and words after it that stay on the page.")
    canvas.showPage()
    write("2.1 Figures", "PAGEFOUR shows a square.")
    square = Image.new("RGB", (200, 200), "red")
    canvas.drawImage(ImageReader(square), 0.15 * WIDTH, 0.45 * HEIGHT, 0.35 * WIDTH, 0.2 * HEIGHT)
    canvas.showPage()
    scan = Image.new("L", (800, 1100), 255)
    ImageDraw.Draw(scan).text((100, 100), "SCANNED WORDS", fill=0)
    canvas.drawImage(ImageReader(scan), 0, 0, WIDTH, HEIGHT)
    canvas.showPage()
    write("3 Results", "national. PAGESIX ends the paper with its results.")
    canvas.showPage()
    canvas.save()
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("figures")


@pytest.fixture(scope="module")
def read(pdf: Path, folder: Path) -> ParsedDocument:
    return convert(
        pdf,
        figures=folder,
        limits=ParseLimits(),
        models=marker_models.models(lambda page: REGIONS[page]),
        config=marker_models.CONFIG,
    )


def text(document: ParsedDocument, page: int) -> str:
    return document.pages[page - 1].markdown or ""


def test_c01_trap_1_every_page_is_there_and_none_moves_after_a_blank_one(read: ParsedDocument) -> None:
    assert [page.number for page in read.pages] == [1, 2, 3, 4, 5, 6]
    words = {1: "PAGEONE", 3: "PAGETHREE", 4: "PAGEFOUR", 6: "PAGESIX"}
    for number in range(1, 7):
        assert [word for word in words.values() if word in text(read, number)] == list(
            filter(None, [words.get(number)])
        )
    assert text(read, 2) == ""
    assert "-" * 40 in text(read, 3)
    assert "stay on the page" in text(read, 3)


def test_trap_1_is_real(pdf: Path) -> None:
    """Splitting the paginated Markdown, as is commonly done, gives another number of pages."""
    from marker.converters.pdf import PdfConverter

    converter = PdfConverter(
        artifact_dict=marker_models.models(lambda page: REGIONS[page]),
        config={**marker_models.CONFIG, "paginate_output": True, "disable_ocr": True, "pdftext_workers": 1},
    )
    whole = converter(str(pdf)).markdown
    assert len(re.split(r"\n\n\{\d+\}-{48}\n\n", "\n\n" + whole)) - 1 != 6


def test_trap_2_figures_and_headings_carry_physical_pages_from_1(read: ParsedDocument) -> None:
    assert [(heading.title, heading.page) for heading in read.headings] == [
        ("1 Introduction", 1),
        ("2 Methods", 3),
        ("2.1 Figures", 4),
        ("3 Results", 6),
    ]
    assert {figure.page for figure in read.figures} == {4}


def test_trap_3_levels_are_there_and_follow_the_numbers(read: ParsedDocument) -> None:
    assert [heading.level for heading in read.headings] == [1, 1, 2, 1]
    assert {heading.source for heading in read.headings} == {HeadingSource.PARSER}


def test_trap_4_a_scan_is_no_text_page_whatever_marker_calls_it(
    pdf: Path, read: ParsedDocument, tmp_path: Path
) -> None:
    figures = tmp_path / "figures"
    figures.mkdir()
    parser = MarkerParser(
        first=PdfiumParser(isolated=False),
        run=lambda path, folder, ocr, limits: convert(
            path,
            figures=folder,
            limits=limits,
            models=marker_models.models(lambda page: REGIONS[page]),
            config=marker_models.CONFIG,
        ),
    )
    document = parser.parse(pdf, figures=figures)
    assert [page.status for page in document.pages] == [
        TextStatus.TEXT,
        TextStatus.BLANK,
        TextStatus.TEXT,
        TextStatus.TEXT,
        TextStatus.SCAN,
        TextStatus.TEXT,
    ]
    kept = [figure for figure in document.figures if figure.page == 5]
    assert [figure.kind for figure in kept] == ["page"]
    assert {path.name for path in figures.iterdir()} == {figure.name for figure in document.figures}
    assert f"({kept[0].name})" in text(document, 5)
    assert any("Scanned pages without text: 1" in warning for warning in document.warnings)


def test_trap_5_figures_have_our_names_bytes_box_and_reference(read: ParsedDocument, folder: Path) -> None:
    [figure] = read.figures
    assert figure.name == "p004-1.jpg"
    with Image.open(folder / figure.name) as image:
        assert (image.format, image.size) == ("JPEG", (figure.width, figure.height))
        red, green, _ = image.getpixel((image.width // 2, image.height // 2))
    assert red > 200 > 60 > green
    box = figure.box
    assert 0 <= box.x0 < 0.2 * WIDTH
    assert 0.25 * HEIGHT < box.y0 < box.y1 < 0.7 * HEIGHT
    assert f"({figure.name})" in text(read, 4)
    assert "_page_" not in text(read, 4)


def test_trap_6_the_settings_given_are_not_written_to(pdf: Path, tmp_path: Path) -> None:
    config: dict[str, Any] = {"use_pdftext_reading_order": False}
    convert(
        pdf,
        figures=tmp_path,
        limits=ParseLimits(),
        models=marker_models.models(lambda page: REGIONS[page]),
        config=config,
    )
    assert config == {"use_pdftext_reading_order": False}


def test_trap_7_a_hyphen_at_the_end_of_a_page_moves_no_word_to_another(read: ParsedDocument) -> None:
    assert "inter" in text(read, 1)
    assert "national" not in text(read, 1)
    assert "national" in text(read, 6)
    assert "inter-" in read.pages[0].raw


def test_markup_in_headings_is_gone_and_figures_are_bounded(
    pdf: Path, read: ParsedDocument, tmp_path: Path
) -> None:
    assert text(read, 1).splitlines()[0].lstrip("# ") == "1 Introduction"
    none = convert(
        pdf,
        figures=tmp_path,
        limits=ParseLimits(max_figures=0),
        models=marker_models.models(lambda page: REGIONS[page]),
        config=marker_models.CONFIG,
    )
    assert none.figures == ()
    assert not list(tmp_path.iterdir())
    assert "![" not in text(none, 4)
