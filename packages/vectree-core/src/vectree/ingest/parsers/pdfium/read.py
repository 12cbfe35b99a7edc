"""A whole document, read in this process: pages first, then what only the whole shows, then crops."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vectree.document import Figure
from vectree.ingest.parse import ParsedDocument, ParsedPage, ParseLimits
from vectree.ingest.parsers.pdfium.body import BodyText
from vectree.ingest.parsers.pdfium.crops import crop
from vectree.ingest.parsers.pdfium.layout import lay_out
from vectree.ingest.parsers.pdfium.native import pdfium, version
from vectree.ingest.parsers.pdfium.opening import check_file, open_pdf
from vectree.ingest.parsers.pdfium.outline import read_bookmarks, read_info, read_label
from vectree.ingest.parsers.pdfium.page import DECLARED_FACTOR, EMPTY_FRAME, ReadPage, page_frame, read_page
from vectree.ingest.parsers.pdfium.warn import document_warnings

log = logging.getLogger(__name__)

Progress = Callable[[str, int, int], None]
"""Called with the stage (``"read"`` or ``"crop"``), the page done and the number of pages."""

def read_document(
    path: Path,
    *,
    figures: Path | None,
    password: str | None = None,
    limits: ParseLimits | None = None,
    progress: Progress | None = None,
) -> ParsedDocument:
    """Read a PDF in this process. The caller sees to it that nobody else uses PDFium meanwhile.

    Args:
        path: The source file.
        figures: Folder for figure files; ``None`` to leave figures out.
        password: For encrypted documents.
        limits: Bounds on the document.
        progress: Told of every finished page.

    Returns:
        All pages, figures and bookmarks.
    """
    limits = limits or ParseLimits()
    tell = progress or _ignore
    check_file(path, limits)
    document = open_pdf(path, password=password, limits=limits)
    try:
        warnings: list[str] = []
        pages = _read_pages(document, limits, warnings, tell, figures=figures is not None)
        body = lay_out(pages)
        crops = _crop(document, pages, figures, limits, warnings, tell) if figures is not None else ()
        warnings += document_warnings(pages)
        return ParsedDocument(
            pages=_finish(pages, body),
            figures=crops,
            bookmarks=read_bookmarks(document, len(pages)),
            info=read_info(document),
            warnings=tuple(warnings),
            parser=version(),
        )
    finally:
        document.close()


def _ignore(stage: str, page: int, pages: int) -> None:
    """No progress wanted."""


def _read_pages(
    document: Any, limits: ParseLimits, warnings: list[str], tell: Progress, *, figures: bool
) -> list[ReadPage]:
    """Every page; one that fails is empty and warned about."""
    count = len(document)
    pages: list[ReadPage] = []
    for number in range(1, count + 1):
        try:
            page = document[number - 1]
            try:
                read = read_page(page, number, limits, figures=figures)
            finally:
                page.close()
        except (pdfium.PdfiumError, ArithmeticError, ValueError, MemoryError) as error:
            log.debug("page %d", number, exc_info=True)
            warnings.append(f"Page {number} could not be read ({type(error).__name__}); it is kept as an empty page.")
            read = ReadPage(number=number, frame=EMPTY_FRAME)
        read.label = read_label(document, number)
        pages.append(read)
        tell("read", number, count)
    return pages


def _crop(
    document: Any, pages: list[ReadPage], folder: Path, limits: ParseLimits, warnings: list[str], tell: Progress
) -> tuple[Figure, ...]:
    """Figures of all pages, up to the limit."""
    made: list[Figure] = []
    for read in pages:
        if not read.regions:
            continue
        if read.oversized:
            warnings.append(
                f"Page {read.number} holds an image declared as {read.oversized:,} pixels; at most "
                f"{DECLARED_FACTOR * limits.max_pixels:,} are rendered, so its figures were left out."
            )
            continue
        if len(made) >= limits.max_figures:
            warnings.append(f"More than {limits.max_figures:,} figures; those from page {read.number} on were left out.")
            break
        made += _crop_page(document, read, folder, limits, warnings, limits.max_figures - len(made))
        tell("crop", read.number, len(pages))
    return tuple(made)


def _crop_page(
    document: Any, read: ReadPage, folder: Path, limits: ParseLimits, warnings: list[str], room: int
) -> list[Figure]:
    """Figures of one page; one that cannot be rendered is warned about."""
    made: list[Figure] = []
    page = document[read.number - 1]
    try:
        frame = page_frame(page)
        for region in read.regions[:room]:
            try:
                figure = crop(
                    page, frame, region, number=read.number, ordinal=len(made) + 1, folder=folder, limits=limits
                )
            except (pdfium.PdfiumError, ValueError, MemoryError, OSError) as error:
                log.debug("figure on page %d", read.number, exc_info=True)
                warnings.append(f"A figure on page {read.number} could not be rendered ({type(error).__name__}).")
                continue
            made.append(figure)
    finally:
        page.close()
    return made


def _finish(pages: list[ReadPage], body: BodyText) -> tuple[ParsedPage, ...]:
    """Pages as they leave the parser. Stem widths are believed unless they make running text bold."""
    return tuple(
        ParsedPage(
            number=page.number,
            width=round(page.width, 1),
            height=round(page.height, 1),
            raw=page.raw,
            status=page.status,
            lines=tuple(
                line.finish(order, trust_weight=not body.heavy) for order, line in enumerate(page.lines)
            ),
            label=page.label,
            hidden_share=page.hidden_share,
        )
        for page in pages
    )
