"""Marker as a parser: its pages, figures and headings, on what PDFium knows of the file.

PDFium reads the file first. It counts the pages, so that one that Marker lost is noticed; it tells scans from
text, which Marker reports wrongly where OCR is off; it gives bookmarks, labels and the file's own fields.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from vectree.document import Figure, TextStatus
from vectree.errors import MissingExtra, ParseError, ParseLimit
from vectree.ingest.page_writer import figure_reference
from vectree.ingest.parse import ParsedDocument, ParsedPage, ParseLimits, Parser
from vectree.ingest.parsers.marker.available import marker_installed
from vectree.ingest.parsers.pdfium.isolation import worker_environment
from vectree.ingest.parsers.pdfium.parser import PdfiumParser
from vectree.ingest.parsers.run_worker import run_worker

START_SECONDS = 420.0
"""Time for loading Marker and starting its servers."""

SECONDS_PER_PAGE = 60.0
"""Time for each page: recognition on a processor without a GPU takes tens of seconds."""

MAX_PAGES = 600
"""Marker holds every page as an image; more pages do not fit into the memory of most machines."""

WORKER = "vectree.ingest.parsers.marker.worker"

_DEFAULT_LIMITS = ParseLimits()
_FEWEST = 25
_PASSED_ON = ("HF_", "SURYA_", "TORCH_", "FAST_LAYOUT_", "OCR_ERROR_", "XDG_", "CUDA_", "DATALAB_", "LLAMA")
_SECRET = ("TOKEN", "KEY", "SECRET", "PASSWORD")
_PATIENCE = {"FAST_LAYOUT_SERVER_STARTUP_TIMEOUT": "60", "OCR_ERROR_SERVER_STARTUP_TIMEOUT": "60"}
_WITHOUT_TEXT = frozenset({TextStatus.SCAN, TextStatus.GARBLED, TextStatus.BLANK, TextStatus.FIGURE_ONLY})

Convert = Callable[[Path, Path, bool, ParseLimits], ParsedDocument]
"""Path, figure folder, whether with OCR, limits → Marker's reading."""


class MarkerParser:
    """Reads PDFs with Marker; implements ``ingest.parse.Parser``.

    Args:
        limits: Bounds on one document.
        ocr: Whether models may read text off page images.
        first: Reads the file before Marker does; PDFium by default.
        run: Runs Marker; in a subprocess by default.

    Raises:
        MissingExtra: If Marker is not installed.
    """

    name = "marker"

    def __init__(
        self,
        limits: ParseLimits = _DEFAULT_LIMITS,
        *,
        ocr: bool = False,
        first: Parser | None = None,
        run: Convert | None = None,
    ) -> None:
        if run is None and not marker_installed():
            raise MissingExtra("marker", extra="marker")
        self._limits = limits
        self._ocr = ocr
        self._first = first or PdfiumParser(limits)
        self._run = run or run_isolated

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        """Read a document.

        Args:
            path: The source file.
            figures: An existing empty folder that receives figure files.
            password: For encrypted documents; Marker itself cannot open those that need one.

        Returns:
            All pages as Markdown, figures, bookmarks, and Marker's headings as claims.

        Raises:
            ParseLimit: If it has too many pages.
            ParseError: If Marker fails, or its pages are not those of the file.
        """
        with TemporaryDirectory(dir=figures.parent, prefix="pdfium-") as folder:
            known = self._first.parse(path, figures=Path(folder), password=password)
            if len(known.pages) > MAX_PAGES:
                raise ParseLimit(f"{path.name!r} has {len(known.pages)} pages; Marker is given {MAX_PAGES}.")
            read = self._run(path, figures, self._ocr, self._limits)
            numbers = [page.number for page in read.pages]
            if numbers != [page.number for page in known.pages]:
                raise ParseError(
                    f"Marker gave the pages {numbers[:12]} of {path.name!r}, which has {len(known.pages)}.",
                    hint="Read it with --parser pdfium.",
                )
            return _merged(read, known, Path(folder), figures)


def _merged(read: ParsedDocument, known: ParsedDocument, folder: Path, figures: Path) -> ParsedDocument:
    kept = [_page_image(page, known, folder, figures) for page in read.pages if len(_letters(page)) < _FEWEST]
    images = {figure.page: figure for figure in kept if figure is not None}
    pages = tuple(
        _with_status(page, before, images.get(page.number))
        for page, before in zip(read.pages, known.pages, strict=True)
    )
    return replace(
        read,
        pages=pages,
        figures=tuple(sorted((*read.figures, *images.values()), key=lambda figure: figure.page)),
        bookmarks=known.bookmarks,
        info=known.info,
        warnings=(*read.warnings, *_warnings(pages)),
    )


def _with_status(page: ParsedPage, before: ParsedPage, image: Figure | None) -> ParsedPage:
    """What a page's text is worth: by PDFium, unless Marker read what PDFium could not."""
    recognised = len(_letters(page)) >= _FEWEST and before.status in _WITHOUT_TEXT
    markdown = page.markdown or ""
    if image is not None and f"({image.name})" not in markdown:
        markdown = "\n\n".join(part for part in (markdown, figure_reference(image)) if part)
    return replace(
        page,
        status=TextStatus.OCR_LAYER if recognised else before.status,
        markdown=markdown,
        label=before.label,
        hidden_share=before.hidden_share,
    )


def _page_image(page: ParsedPage, known: ParsedDocument, folder: Path, figures: Path) -> Figure | None:
    """The image that PDFium keeps of a page without text; Marker could not read that page either."""
    found = next((each for each in known.figures if each.page == page.number and each.kind == "page"), None)
    if found is None:
        return None
    os.replace(folder / found.name, figures / found.name)
    return found


def _letters(page: ParsedPage) -> str:
    return "".join(filter(str.isalnum, page.raw))


def _warnings(pages: tuple[ParsedPage, ...]) -> tuple[str, ...]:
    scans = [page.number for page in pages if page.status is TextStatus.SCAN]
    recognised = [page.number for page in pages if page.status is TextStatus.OCR_LAYER]
    found: list[str] = []
    if scans:
        found.append(
            f"Scanned pages without text: {len(scans)}. Marker was run without OCR, or could not read them."
        )
    if recognised:
        found.append(f"Pages whose text was recognised from images and may have errors: {len(recognised)}.")
    return tuple(found)


def run_isolated(path: Path, figures: Path, ocr: bool, limits: ParseLimits) -> ParsedDocument:
    """Run Marker in a subprocess, within its time.

    Args:
        path: The source file.
        figures: An existing empty folder that receives figure files.
        ocr: Whether models may read text off page images.
        limits: Bounds on the document.

    Returns:
        Marker's reading; errors are those of `run_worker`.
    """
    from vectree.ingest.parsers.marker.worker import OCR

    return run_worker(
        [WORKER, *([OCR] if ocr else [])],
        who="Marker",
        path=path,
        figures=figures,
        limits=limits,
        environment={**_PATIENCE, **worker_environment(), **_passed_on()},
        seconds=START_SECONDS + SECONDS_PER_PAGE * MAX_PAGES,
    )


def _passed_on() -> dict[str, str]:
    """Settings of Marker and its models, but no keys and tokens."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith(_PASSED_ON) and not any(word in name for word in _SECRET)
    }
