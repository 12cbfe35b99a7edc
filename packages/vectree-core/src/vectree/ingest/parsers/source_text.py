"""Reading a source that is text: bounded in size, whatever its encoding."""

from __future__ import annotations

import codecs
import stat
from pathlib import Path

from vectree.errors import CorruptDocument, ParseError, ParseLimit

MAX_TEXT_BYTES = 64 * 1024 * 1024
"""Bytes of a text, Markdown, HTML or DOCX file; a thousand pages of prose take three million."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = {code: None for code in range(32) if chr(code) not in "\t\n\f"} | {0x7F: None}
_MOST_BINARY = 0.02


def read_bytes(path: Path, *, limit: int = MAX_TEXT_BYTES) -> bytes:
    """Read a regular file.

    Args:
        path: The file.
        limit: Bytes at most.

    Returns:
        Its bytes.

    Raises:
        ParseError: If it cannot be read or is no regular file.
        ParseLimit: If it is larger than ``limit``.
        CorruptDocument: If it is empty.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise ParseError(f"{path.name!r} is not a regular file.")
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be opened"
        raise ParseError(
            f"{path.name!r} cannot be read: {reason}.", hint="Check the path and its permissions."
        ) from error
    if len(data) > limit:
        raise ParseLimit(f"{path.name!r} has more than {limit:,} bytes.", hint="Split the file.")
    if not data.strip():
        raise CorruptDocument(f"{path.name!r} is empty.", hint="Fetch the file again.")
    return data


def decode(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Turn bytes into text with plain line feeds and without control characters.

    UTF-8, or UTF-16 with a byte order mark; anything else is read as Windows-1252, which is said.

    Args:
        data: The bytes of a file.
        name: Its name, for the error.

    Returns:
        The text without a byte order mark, and warnings.

    Raises:
        CorruptDocument: If the bytes are no text.
    """
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    warnings: tuple[str, ...] = ()
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
        warnings = ("The text is not UTF-8 and was read as Windows-1252; some characters may be wrong.",)
    plain = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
    if text.count("\0") + text.count("\ufffd") > _MOST_BINARY * len(text):
        raise CorruptDocument(f"{name!r} is not text.", hint="It may be another format under this name.")
    return plain, warnings
