"""Small PDFs drawn on the spot, and the reader without its subprocess."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from vectree.ingest.parse import ParsedDocument
from vectree.ingest.parsers.pdfium.fonts import NO_FACE
from vectree.ingest.parsers.pdfium.fragment import Fragment
from vectree.ingest.parsers.pdfium.read import read_document

WIDTH, HEIGHT = 612.0, 792.0
SENTENCE = "The samples were heated to nine hundred kelvin and cooled in air"

Draw = Callable[[Canvas], None]


@pytest.fixture
def make_pdf(tmp_path: Path) -> Callable[..., Path]:
    """Draw a PDF: every function draws one page, in points from the bottom left."""

    def make(*pages: Draw, name: str = "paper.pdf", **options: Any) -> Path:
        path = tmp_path / name
        canvas = Canvas(str(path), pagesize=(WIDTH, HEIGHT), **options)
        for draw in pages:
            canvas.setFont("Times-Roman", 10)
            draw(canvas)
            canvas.showPage()
        canvas.save()
        return path

    return make


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., ParsedDocument]:
    """Read a PDF in this process, with figures below ``tmp_path / "figures"``."""

    def run(path: Path, **options: Any) -> ParsedDocument:
        figures = tmp_path / "figures"
        figures.mkdir(exist_ok=True)
        return read_document(path, **{"figures": figures, **options})

    return run


@pytest.fixture
def read_pages(
    make_pdf: Callable[..., Path], read: Callable[..., ParsedDocument]
) -> Callable[..., ParsedDocument]:
    """Draw pages and read them."""
    return lambda *pages: read(make_pdf(*pages))


@pytest.fixture
def line() -> Callable[..., Fragment]:
    """A line that no PDF was needed for."""

    def make(text: str, x0: float = 72.0, y0: float = 100.0, **options: Any) -> Fragment:
        size = float(options.pop("size", 10.0))
        width = float(options.pop("width", 0.5 * size * len(text)))
        face = options.pop("face", NO_FACE)
        return Fragment(
            text=text,
            rect=(x0, y0, x0 + width, y0 + 1.2 * size),
            size=size,
            face=face,
            faces=(face,),
            **options,
        )

    return make
