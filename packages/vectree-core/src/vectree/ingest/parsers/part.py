"""One document of a file that holds many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from vectree.ingest.parse import Parser


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
