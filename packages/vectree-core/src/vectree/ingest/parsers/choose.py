"""Which parser reads which source."""

from __future__ import annotations

from pathlib import Path

from vectree.errors import ParseError, UsageError
from vectree.ingest.parse import ParsedDocument, ParseLimits, Parser
from vectree.ingest.parsers.converted.isolation import IsolatedConverter
from vectree.ingest.parsers.formats import READABLE, Format, format_of_named
from vectree.ingest.parsers.markdown.parser import MarkdownParser
from vectree.ingest.parsers.pdfium.parser import PdfiumParser
from vectree.ingest.parsers.plain_text import PlainTextParser
from vectree.ingest.parsers.rescue import RescuingParser

PDF_PARSERS = ("auto", "pdfium", "marker")
"""How PDFs may be read: PDFium, and Marker for documents without a usable text layer; one of both always."""

_DEFAULT_LIMITS = ParseLimits()


class SourceParser:
    """Reads a source of any format that is one document; implements ``ingest.parse.Parser``.

    Args:
        pdf: Reads PDFs.
        limits: Bounds on one document.
    """

    name = "source"

    def __init__(self, pdf: Parser, limits: ParseLimits = _DEFAULT_LIMITS) -> None:
        self._parsers: dict[Format, Parser] = {
            Format.PDF: pdf,
            Format.MARKDOWN: MarkdownParser(limits),
            Format.TEXT: PlainTextParser(limits),
            Format.HTML: IsolatedConverter(Format.HTML, limits),
            Format.DOCX: IsolatedConverter(Format.DOCX, limits),
        }

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        """Read a document with the parser of its format.

        Args:
            path: The source file.
            figures: An existing empty folder that receives figure files.
            password: For encrypted documents.

        Returns:
            All pages, figures and headings.

        Raises:
            ParseError: If no parser reads files of this kind, or the one that does cannot read this file.
        """
        try:
            kind = format_of_named(path)
        except OSError as error:
            raise ParseError(f"{path.name!r} cannot be read: {error.strerror or error}.") from error
        parser = self._parsers.get(kind) if kind is not None else None
        if parser is None:
            raise ParseError(f"{path.name!r} is of no kind that can be read.", hint=f"Add {READABLE}.")
        return parser.parse(path, figures=figures, password=password)


def resolve_parser(name: str = "auto", limits: ParseLimits = _DEFAULT_LIMITS) -> Parser:
    """The parser for all sources, by the name of the one for PDFs.

    Args:
        name: ``"pdfium"``; ``"marker"`` (needs the extra ``marker``); or ``"auto"``, which reads with PDFium
            and hands documents with many scanned or garbled pages to Marker where it is installed.
        limits: Bounds on one document.

    Returns:
        The parser. Asking for Marker where it is not installed raises `MissingExtra`.

    Raises:
        UsageError: If there is no parser of that name.
    """
    if name == "auto":
        return SourceParser(RescuingParser(PdfiumParser(limits), limits), limits)
    if name == "pdfium":
        return SourceParser(PdfiumParser(limits), limits)
    if name == "marker":
        from vectree.ingest.parsers.marker.parser import MarkerParser

        return SourceParser(MarkerParser(limits), limits)
    raise UsageError(f"There is no parser {name[:40]!r}.", hint=f"There are: {', '.join(PDF_PARSERS)}.")
