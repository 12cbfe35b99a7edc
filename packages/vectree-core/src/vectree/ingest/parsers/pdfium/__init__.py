"""The default PDF parser, on pypdfium2 alone: fonts and boxes, reading order, figures, text status."""

from vectree.ingest.parsers.pdfium.parser import PdfiumParser

__all__ = ["PdfiumParser"]
