"""The default parser: PDFium, in a subprocess that can be killed."""

from __future__ import annotations

from pathlib import Path

from vectree.errors import UsageError
from vectree.ingest.parse import ParsedDocument, ParseLimits
from vectree.ingest.parsers.pdfium.isolation import read_isolated

_DEFAULT_LIMITS = ParseLimits()


class PdfiumParser:
    """Reads PDFs through pypdfium2; implements ``ingest.parse.Parser``.

    Args:
        limits: Bounds on one document.
        isolated: Whether to read in a subprocess. In this process a hostile file can crash or block the
            caller, time and memory are not bounded, and documents are read one at a time.
    """

    name = "pdfium"

    def __init__(self, limits: ParseLimits = _DEFAULT_LIMITS, *, isolated: bool = True) -> None:
        self.limits = limits
        self.isolated = isolated

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        """Read a document. Safe to call from several threads at once.

        Args:
            path: The source file.
            figures: An existing empty folder that receives figure files.
            password: For encrypted documents.

        Returns:
            All pages, figures and bookmarks.

        Raises:
            UsageError: If there is no folder for figures.
        """
        if not figures.is_dir():
            raise UsageError(f"{str(figures)!r} is no folder.", hint="Create the folder for figures first.")
        if self.isolated:
            return read_isolated(path, figures=figures, password=password, limits=self.limits)
        from vectree.ingest.parsers.pdfium.native import LOCK
        from vectree.ingest.parsers.pdfium.read import read_document

        with LOCK:
            return read_document(path, figures=figures, password=password, limits=self.limits)
