"""The figures of a whole document as files, within its limits."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vectree.document import Figure
from vectree.ingest.parse import ParseLimits
from vectree.ingest.parsers.pdfium.crops import crop
from vectree.ingest.parsers.pdfium.exchange import Skip
from vectree.ingest.parsers.pdfium.native import pdfium
from vectree.ingest.parsers.pdfium.page import DECLARED_FACTOR, ReadPage
from vectree.ingest.parsers.pdfium.report import page_list

log = logging.getLogger(__name__)

MAX_BYTES = 1 << 30
"""Size of all figure files of a document; noise compresses badly."""


class Cropper:
    """Renders figures page by page; one that fails costs that figure only.

    Args:
        document: PDFium's document.
        limits: Bounds.
        skip: Pages to pass over.
        tell: Told of every page.

    Attributes:
        warnings: A sentence for each page whose figures are missing.
    """

    def __init__(
        self, document: Any, limits: ParseLimits, skip: Skip, tell: Callable[[str, int, int], None]
    ) -> None:
        self._document = document
        self._limits = limits
        self._skip = skip
        self._tell = tell
        self._bytes = 0
        self.warnings: list[str] = []

    def crop(self, pages: list[ReadPage], folder: Path) -> tuple[Figure, ...]:
        """Render the figures of all pages.

        Args:
            pages: All pages, laid out.
            folder: Receives the files.

        Returns:
            Figures in page order, each with its file.
        """
        made: list[Figure] = []
        for page in pages:
            if not page.regions or not self._may_crop(page):
                continue
            room = self._limits.max_figures - len(made)
            if room <= 0 or self._bytes > MAX_BYTES:
                bound = (
                    f"{self._limits.max_figures:,} figures"
                    if room <= 0
                    else f"{MAX_BYTES:,} bytes of figures"
                )
                self.warnings.append(f"More than {bound}; those from page {page.number} on were left out.")
                break
            self._tell("crop", page.number, len(pages))
            made += self._page(page, folder, room)
        return tuple(made)

    def _may_crop(self, page: ReadPage) -> bool:
        """Whether a page is safe to render; says so if not."""
        reason = self._skip.uncropped.get(page.number)
        if page.oversized:
            reason = (
                f"an image is declared as {page.oversized:,} pixels, "
                f"at most {DECLARED_FACTOR * self._limits.max_pixels:,} are rendered"
            )
        if reason is not None:
            self.warnings.append(f"Figures of {page_list([page.number])} were left out: {reason}.")
        return reason is None

    def _page(self, read: ReadPage, folder: Path, room: int) -> list[Figure]:
        """The figures of one page."""
        made: list[Figure] = []
        try:
            page = self._document[read.number - 1]
        except pdfium.PdfiumError as error:
            self.warnings.append(f"Figures of {page_list([read.number])} were left out: {error}")
            return made
        try:
            for region in read.regions[:room]:
                name = figure_name(read.number, len(made) + 1)
                try:
                    figure = crop(
                        page, read.frame, region, read.number, folder / name, self._limits.max_pixels
                    )
                    self._bytes += (folder / name).stat().st_size
                    made.append(figure)
                except (pdfium.PdfiumError, ValueError, OSError, MemoryError) as error:
                    log.debug("figure on page %d", read.number, exc_info=True)
                    self.warnings.append(f"A figure on page {read.number} could not be rendered: {error}")
        finally:
            page.close()
        return made


def figure_name(page: int, ordinal: int) -> str:
    """The file name of a figure, never taken from the source.

    Args:
        page: Physical page, from 1.
        ordinal: Which figure of the page, from 1.

    Returns:
        Such as ``"p003-1.png"``.
    """
    return f"p{page:03d}-{ordinal}.png"
