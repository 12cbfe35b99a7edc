"""A whole document, read in this process: pages first, then what only the whole shows, then crops."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from vectree.ingest.parse import ParsedDocument, ParsedPage, ParseLimits
from vectree.ingest.parsers.pdfium.body import BodyText
from vectree.ingest.parsers.pdfium.checking import check_file
from vectree.ingest.parsers.pdfium.exchange import Skip
from vectree.ingest.parsers.pdfium.figures import Cropper
from vectree.ingest.parsers.pdfium.layout import lay_out
from vectree.ingest.parsers.pdfium.native import version
from vectree.ingest.parsers.pdfium.opening import open_pdf
from vectree.ingest.parsers.pdfium.outline import read_bookmarks, read_info, read_label
from vectree.ingest.parsers.pdfium.page import EMPTY_FRAME, ReadPage, read_page
from vectree.ingest.parsers.pdfium.report import document_warnings, unread_warning

log = logging.getLogger(__name__)

Tell: TypeAlias = Callable[[str, int, int], None]
"""Called before each step with its stage (``"read"``, ``"finish"``, ``"crop"``), page and number of pages."""


def read_document(
    path: Path,
    *,
    figures: Path | None,
    password: str | None = None,
    limits: ParseLimits | None = None,
    skip: Skip | None = None,
    tell: Tell | None = None,
) -> ParsedDocument:
    """Read a PDF in this process. The caller sees to it that nobody else uses PDFium meanwhile.

    Args:
        path: The source file.
        figures: Folder for figure files; ``None`` to leave figures out.
        password: For encrypted documents.
        limits: Bounds on the document.
        skip: Pages to pass over.
        tell: Told of every step.

    Returns:
        All pages, figures and bookmarks.
    """
    limits, skip, tell = limits or ParseLimits(), skip or Skip(), tell or _ignore
    check_file(path, limits)
    document = open_pdf(path, password=password, limits=limits)
    try:
        reading = Reading(document, limits, skip, tell)
        pages = reading.pages(figures=figures is not None)
        tell("finish", len(pages), len(pages))
        body = lay_out(pages)
        cropper = Cropper(document, limits, skip, tell)
        crops = cropper.crop(pages, figures) if figures is not None else ()
        tell("finish", len(pages), len(pages))
        return ParsedDocument(
            pages=finish(pages, body),
            figures=crops,
            bookmarks=read_bookmarks(document, len(pages)),
            info=read_info(document),
            warnings=(*reading.warnings, *cropper.warnings, *document_warnings(pages)),
            parser=version(),
        )
    finally:
        document.close()


def _ignore(stage: str, page: int, pages: int) -> None:
    """No progress wanted."""


class Reading:
    """Reads the pages of an open document; a page that fails costs that page only.

    Args:
        document: PDFium's document.
        limits: Bounds.
        skip: Pages to pass over.
        tell: Told of every page.

    Attributes:
        warnings: A sentence for each page that could not be read.
    """

    def __init__(self, document: Any, limits: ParseLimits, skip: Skip, tell: Tell) -> None:
        self._document = document
        self._limits = limits
        self._skip = skip
        self._tell = tell
        self.warnings: list[str] = []

    def pages(self, *, figures: bool) -> list[ReadPage]:
        """Read all pages.

        Args:
            figures: Whether to look for figures.

        Returns:
            Every physical page, blank and unreadable ones too.
        """
        count = len(self._document)
        pages: list[ReadPage] = []
        for number in range(1, count + 1):
            self._tell("read", number, count)
            page = self._page(number, figures=figures)
            page.label = read_label(self._document, number)
            pages.append(page)
        return pages

    def _page(self, number: int, *, figures: bool) -> ReadPage:
        """One page, or an empty one and a warning."""
        reason = self._skip.unread.get(number)
        if reason is None:
            try:
                page = self._document[number - 1]
                try:
                    return read_page(page, number, self._limits, figures=figures)
                finally:
                    page.close()
            except Exception as error:  # whatever a hostile page brings about ends with the page
                log.debug("page %d", number, exc_info=True)
                reason = str(error) or type(error).__name__
        self.warnings.append(unread_warning(number, reason))
        return ReadPage(number=number, frame=EMPTY_FRAME)


def finish(pages: list[ReadPage], body: BodyText) -> tuple[ParsedPage, ...]:
    """Pages as they leave the parser.

    Args:
        pages: All pages, laid out.
        body: What running text looks like; stem widths are not believed if they make it bold.

    Returns:
        Frozen pages.
    """
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
