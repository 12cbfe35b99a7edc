"""PDFium's functions as one untyped object, and the few constants the reader needs.

PDFium is not thread-safe. Only the worker process, or a caller that holds ``LOCK``, may call into it.
Imported by the reading side alone: ``import vectree`` must not load PDFium.
"""

from __future__ import annotations

import threading
from typing import Any

import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
import pypdfium2.raw  # pyright: ignore[reportMissingTypeStubs]

pdfium: Any = pypdfium2
"""The helper layer: documents, pages, bitmaps."""

raw: Any = pypdfium2.raw
"""The C functions, for the loops where a helper object for every character would cost too much."""

LOCK = threading.Lock()
"""Held by in-process reading from opening a document until it is closed."""

ERROR_PASSWORD = 4
ERROR_SECURITY = 5

IMAGE = int(raw.FPDF_PAGEOBJ_IMAGE)
PATH = int(raw.FPDF_PAGEOBJ_PATH)
SHADING = int(raw.FPDF_PAGEOBJ_SHADING)
FORM = int(raw.FPDF_PAGEOBJ_FORM)
INVISIBLE = int(raw.FPDF_TEXTRENDERMODE_INVISIBLE)


def version() -> str:
    """Name and version of the library, for the report.

    Returns:
        Such as ``"pdfium 5.15.2"``.
    """
    return f"pdfium {pdfium.PYPDFIUM_INFO}"
