"""Where words go: results to standard output, everything else to standard error."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Generator
from typing import Any, TextIO

from vectree.errors import VecTreeError


def make_printable(stream: TextIO) -> None:
    """Keep a stream from failing on characters its encoding lacks; they are shown as escapes.

    Args:
        stream: Standard output or standard error.
    """
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


@contextlib.contextmanager
def results_only() -> Generator[TextIO]:
    """Keep standard output for results: what a library prints meanwhile goes to standard error.

    Yields:
        The real standard output.
    """
    real = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        yield real


def write(text: str, stream: TextIO) -> None:
    """Write a line; a reader that has gone away (``| head``) is no error.

    Args:
        text: What to write.
        stream: Where to.
    """
    try:
        stream.write(text + "\n")
        stream.flush()
    except BrokenPipeError:
        # Nobody reads any more: keep the interpreter from complaining again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def write_json(document: dict[str, Any], stream: TextIO) -> None:
    """Write one JSON document.

    Args:
        document: Plain JSON.
        stream: Where to; characters its encoding lacks are escaped the JSON way.
    """
    unicode = (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8"
    write(json.dumps(document, ensure_ascii=not unicode, indent=2), stream)


def write_error(error: VecTreeError) -> None:
    """Say in one line what went wrong and what to do.

    Args:
        error: What was raised.
    """
    write(f"error: {' '.join(str(error).split())}", sys.stderr)


def columns(rows: list[tuple[str, ...]], *, gap: str = "  ") -> list[str]:
    """Lay rows out in columns; the last column is not padded.

    Args:
        rows: Cells; every row has the same number.
        gap: What stands between columns.

    Returns:
        One line for each row.
    """
    if not rows:
        return []
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    return [
        gap.join([cell.ljust(w) for cell, w in zip(row, widths, strict=False)] + [row[-1]]) for row in rows
    ]


def clip(text: str, width: int) -> str:
    """Shorten a text to a width, on one line.

    Args:
        text: Any text.
        width: Characters at most.

    Returns:
        The text, with an ellipsis if something is missing.
    """
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def names(authors: tuple[str, ...], *, most: int = 1) -> str:
    """Name the first authors.

    Args:
        authors: All authors.
        most: How many to name.

    Returns:
        For example ``"Ghaffari +4"``; a dash for none.
    """
    if not authors:
        return "—"
    rest = len(authors) - most
    shown = ", ".join(authors[:most])
    return f"{shown} +{rest}" if rest > 0 else shown
