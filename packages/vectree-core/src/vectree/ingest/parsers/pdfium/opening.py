"""Opening a PDF: every way it can fail, as an error that says what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

from vectree.errors import CorruptDocument, EncryptedDocument, ParseLimit
from vectree.ingest.parse import ParseLimits
from vectree.ingest.parsers.pdfium.native import ERROR_PASSWORD, ERROR_SECURITY, pdfium, raw


def open_pdf(path: Path, *, password: str | None, limits: ParseLimits) -> Any:
    """Open a document; an empty user password is tried without asking.

    An ``EncryptedDocument`` if a password is needed or wrong, a ``CorruptDocument`` if PDFium finds no pages.

    Args:
        path: The source file.
        password: For encrypted documents.
        limits: Bounds on the document.

    Returns:
        PDFium's document, to be closed by the caller.

    Raises:
        ParseLimit: If it has too many pages.
    """
    _forget_last_error()
    try:
        document = pdfium.PdfDocument(path, password=password)
    except pdfium.PdfiumError as error:
        _refuse(path, error, password)
    count = len(document)
    if count > limits.max_pages:
        document.close()
        raise ParseLimit(
            f"{path.name!r} has {count:,} pages; at most {limits.max_pages:,} are read.",
            hint="Split the file or raise ParseLimits.max_pages.",
        )
    return document


def _forget_last_error() -> None:
    """Make PDFium's last error a harmless one.

    A document without pages opens without an error of its own, and would be refused for whatever was wrong
    with the document before it.
    """
    raw.FPDF_LoadMemDocument64(b"", 0, None)


def _refuse(path: Path, error: Any, password: str | None) -> NoReturn:
    """Raise our error for PDFium's."""
    code = getattr(error, "err_code", None)
    if code == ERROR_PASSWORD:
        if password:
            raise EncryptedDocument(
                f"{path.name!r} is encrypted and the password given does not open it.",
                hint="Give the right one with --password.",
            )
        raise EncryptedDocument(
            f"{path.name!r} is encrypted and needs a password.", hint="Give it with --password."
        )
    if code == ERROR_SECURITY:
        raise EncryptedDocument(
            f"{path.name!r} is protected by a security method that cannot be opened here.",
            hint="Save an unprotected copy with the program it was made for.",
        )
    raise CorruptDocument(
        f"{path.name!r} is damaged: no page could be found in it.",
        hint="Fetch the file again, or repair it (for instance by printing it to a new PDF).",
    )
