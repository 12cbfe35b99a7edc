"""Taking apart a file that holds many documents, each with a name, a hash and a reader of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from vectree.ingest.parsers.formats import Format
from vectree.ingest.parsers.part import BrokenPart, Part


def parts_of(path: Path, kind: Format) -> Iterator[Part | BrokenPart] | None:
    """Take a file apart.

    Args:
        path: A file.
        kind: Its format.

    Returns:
        Its documents in order; ``None`` for a format of which one file is one document. A file that cannot
        be taken apart raises a ``ParseError``.
    """
    if kind is not Format.QASPER:
        return None
    from vectree.ingest.parsers.qasper.parts import qasper_parts

    return qasper_parts(path)
