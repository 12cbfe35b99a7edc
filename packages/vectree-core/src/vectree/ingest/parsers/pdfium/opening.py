"""Opening a PDF: every way it can fail, as an error that says what to do."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

from vectree.errors import CorruptDocument, EncryptedDocument, ParseError, ParseLimit
from vectree.ingest.parse import ParseLimits
from vectree.ingest.parsers.pdfium.native import ERROR_PASSWORD, ERROR_SECURITY, pdfium

_HEADER = b"%PDF-"
_HEADER_WITHIN = 1024


def check_file(path: Path, limits: ParseLimits) -> None:
    """Refuse what cannot be a PDF within the limits, before any parser sees it.

    Args:
        path: The source file.
        limits: Bounds on the document.

    Raises:
        ParseError: If the path is no readable regular file.
        ParseLimit: If the file is too large.
        CorruptDocument: If it is empty or has no PDF header.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ParseError(f"{path.name!r} is not a regular file.")
        with path.open("rb") as stream:
            head = stream.read(_HEADER_WITHIN)
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        raise ParseError(f"{path.name!r} cannot be read: {reason}.", hint="Check the path and its permissions.") from error
    if status.st_size > limits.max_bytes:
        raise ParseLimit(
            f"{path.name!r} has {status.st_size:,} bytes; at most {limits.max_bytes:,} are read.",
            hint="Split the file or raise ParseLimits.max_bytes.",
        )
    if not head:
        raise CorruptDocument(f"{path.name!r} is empty (0 bytes).", hint="Fetch the file again.")
    if _HEADER not in head:
        raise CorruptDocument(
            f"{path.name!r} is not a PDF: {_HEADER.decode()!r} is missing from its first {_HEADER_WITHIN} bytes.",
            hint="It may be a web page or another format under the name .pdf; fetch the PDF itself.",
        )


def open_pdf(path: Path, *, password: str | None, limits: ParseLimits) -> Any:
    """Open a document; an empty user password is tried without asking.

    Args:
        path: The source file.
        password: For encrypted documents.
        limits: Bounds on the document.

    Returns:
        PDFium's document, to be closed by the caller.

    Raises:
        EncryptedDocument: If a password is needed or wrong.
        CorruptDocument: If PDFium cannot read it or it has no pages.
        ParseLimit: If it has too many pages.
    """
    try:
        document = pdfium.PdfDocument(path, password=password)
    except pdfium.PdfiumError as error:
        raise _open_error(path, error, password) from error
    count = len(document)
    if count > limits.max_pages:
        document.close()
        raise ParseLimit(
            f"{path.name!r} has {count:,} pages; at most {limits.max_pages:,} are read.",
            hint="Split the file or raise ParseLimits.max_pages.",
        )
    return document


def _open_error(path: Path, error: Any, password: str | None) -> ParseError:
    """Our error for PDFium's."""
    code = getattr(error, "err_code", None)
    if code == ERROR_PASSWORD:
        if password:
            return EncryptedDocument(
                f"{path.name!r} is encrypted and the password given does not open it.",
                hint="Give the right one with --password.",
            )
        return EncryptedDocument(
            f"{path.name!r} is encrypted and needs a password.", hint="Give it with --password."
        )
    if code == ERROR_SECURITY:
        return EncryptedDocument(
            f"{path.name!r} is protected by a security method that cannot be opened here.",
            hint="Save an unprotected copy with the program it was made for.",
        )
    if code == 0:
        return CorruptDocument(f"{path.name!r} has no pages.", hint="Fetch the file again.")
    return CorruptDocument(
        f"{path.name!r} is damaged: no page could be found in it.",
        hint="Fetch the file again, or repair it (for instance by printing it to a new PDF).",
    )
