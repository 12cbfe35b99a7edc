"""``parser="auto"``: PDFium first; documents without a usable text layer go to Marker, if it is there."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from vectree.document import TextStatus
from vectree.errors import VecTreeError
from vectree.ingest.parse import ParsedDocument, ParseLimits, Parser
from vectree.ingest.parsers.marker.available import marker_installed

log = logging.getLogger(__name__)

RESCUE_SHARE = 0.2
"""A document goes to Marker if more than this share of its pages is scanned or garbled."""

_DEFAULT_LIMITS = ParseLimits()
_POOR = frozenset({TextStatus.SCAN, TextStatus.GARBLED})


class RescuingParser:
    """Reads a PDF, and reads it again with OCR if that promises more; implements ``ingest.parse.Parser``.

    Where Marker is not installed, or fails, the first reading stays: every page is there, those without text
    as an image, and a warning says what would help.

    Args:
        first: Reads every document.
        limits: Bounds on one document.
        rescuer: Makes the second parser; Marker with OCR by default.
        available: Whether there is a second parser.
    """

    name = "auto"

    def __init__(
        self,
        first: Parser,
        limits: ParseLimits = _DEFAULT_LIMITS,
        *,
        rescuer: Callable[[ParseLimits], Parser] | None = None,
        available: Callable[[], bool] = marker_installed,
    ) -> None:
        self._first = first
        self._limits = limits
        self._rescuer = rescuer or _marker
        self._available = available

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        """Read a document.

        Args:
            path: The source file.
            figures: An existing empty folder that receives figure files.
            password: For encrypted documents; Marker cannot use one.

        Returns:
            The better reading.
        """
        document = self._first.parse(path, figures=figures, password=password)
        poor = sum(page.status in _POOR for page in document.pages)
        if poor <= RESCUE_SHARE * len(document.pages):
            return document
        if not self._available():
            return _with_warning(
                document,
                f"{poor} of {len(document.pages)} pages are scanned or garbled. Marker could read them, "
                'but it is not there: pip install "vectree-core[marker]".',
            )
        with TemporaryDirectory(dir=figures.parent, prefix="marker-") as folder:
            try:
                better = self._rescuer(self._limits).parse(path, figures=Path(folder), password=password)
            except (VecTreeError, OSError) as error:
                log.info("Marker could not read %s: %s", path.name, error)
                return _with_warning(
                    document, f"Marker could not read it, scanned pages stay images: {error}"
                )
            if len(better.pages) != len(document.pages):
                return _with_warning(
                    document, "Marker found another number of pages; its reading was not used."
                )
            _exchange(figures, Path(folder))
        return replace(
            better,
            bookmarks=better.bookmarks or document.bookmarks,
            info=better.info or document.info,
            warnings=(*better.warnings, f"Read by Marker: {poor} pages are scanned or garbled."),
        )


def _marker(limits: ParseLimits) -> Parser:
    from vectree.ingest.parsers.marker.parser import MarkerParser

    return MarkerParser(limits, ocr=True)


def _exchange(figures: Path, rescued: Path) -> None:
    for path in figures.iterdir():
        path.unlink()
    for path in rescued.iterdir():
        path.replace(figures / path.name)


def _with_warning(document: ParsedDocument, warning: str) -> ParsedDocument:
    return replace(document, warnings=(*document.warnings, warning))
