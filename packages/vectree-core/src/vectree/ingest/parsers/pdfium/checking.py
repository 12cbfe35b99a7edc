"""Refusing what cannot be a PDF before any parser sees it."""

from __future__ import annotations

import stat
from pathlib import Path

from vectree.errors import CorruptDocument, ParseError, ParseLimit
from vectree.ingest.parse import ParseLimits

_HEADER = b"%PDF-"
_HEADER_WITHIN = 1024


def check_file(path: Path, limits: ParseLimits) -> None:
    """Look at a file's kind, size and first bytes; what is no readable regular file is a ``ParseError``.

    Args:
        path: The source file.
        limits: Bounds on the document.

    Raises:
        ParseLimit: If the file is too large.
        CorruptDocument: If it is empty or has no PDF header.
    """
    size, head = _look(path)
    if size > limits.max_bytes:
        raise ParseLimit(
            f"{path.name!r} has {size:,} bytes; at most {limits.max_bytes:,} are read.",
            hint="Split the file or raise ParseLimits.max_bytes.",
        )
    if not head:
        raise CorruptDocument(f"{path.name!r} is empty (0 bytes).", hint="Fetch the file again.")
    if _HEADER not in head:
        raise CorruptDocument(
            f"{path.name!r} is not a PDF: its first {_HEADER_WITHIN} bytes do not contain '%PDF-'.",
            hint="It may be a web page or another format under the name .pdf; fetch the PDF itself.",
        )


def _look(path: Path) -> tuple[int, bytes]:
    """Size and first bytes of a regular file; a pipe or device is not opened at all."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ParseError(f"{path.name!r} is not a regular file.")
        with path.open("rb") as stream:
            return status.st_size, stream.read(_HEADER_WITHIN)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be opened"
        raise ParseError(
            f"{path.name!r} cannot be read: {reason}.", hint="Check the path and its permissions."
        ) from error
