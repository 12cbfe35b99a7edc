"""A file that holds many documents, each with a name, a hash and a reader of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from vectree.ingest.parse import Parser
from vectree.ingest.parsers.formats import Format


class Part(Protocol):
    """One document of a file."""

    @property
    def key(self) -> str:
        """Its name within the file, on one line."""
        ...

    @property
    def sha256(self) -> str:
        """Hash of its own contents: the document's identity. 64 hexadecimal digits."""
        ...

    @property
    def parser(self) -> Parser:
        """Reads it; the path and the password it is given do not matter."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenPart:
    """A document of a file that cannot be read, though others can.

    Attributes:
        key: Its name within the file.
        reason: Why, in a sentence.
    """

    key: str
    reason: str


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
