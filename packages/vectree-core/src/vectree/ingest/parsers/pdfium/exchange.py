"""What the parent and the reading subprocess say to one another.

The request goes in as JSON on stdin, so that a password never shows in a list of processes. Progress comes
back as lines on stdout. The result is one JSON file in a folder the parent made: a document or an error,
validated by the parent, since the writer has handled hostile bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from vectree.errors import CorruptDocument, EncryptedDocument, ParseError, ParseLimit
from vectree.ingest.parse import ParsedDocument, ParseLimits

MAX_RESULT_BYTES = 1 << 30
"""A larger result is refused unread."""

_ERRORS: dict[str, type[ParseError]] = {
    cls.__name__: cls for cls in (ParseError, EncryptedDocument, CorruptDocument, ParseLimit)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to read.

    Attributes:
        path: The source file.
        figures: Folder for figure files.
        result: File the result goes to.
        limits: Bounds on the document.
        password: For encrypted documents.
    """

    path: Path
    figures: Path
    result: Path
    limits: ParseLimits
    password: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a document could not be read.

    Attributes:
        kind: Name of the error class.
        message: What was seen and what is allowed.
        hint: What to do next.
    """

    kind: str
    message: str
    hint: str = ""

    def error(self) -> ParseError:
        """The error to raise.

        Returns:
            Of the class named, or ``ParseError``.
        """
        return _ERRORS.get(self.kind, ParseError)(self.message, hint=self.hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result: one of the two is there.

    Attributes:
        document: The document as read.
        failure: Or why not.
    """

    document: ParsedDocument | None = None
    failure: Failure | None = None


_REQUEST = TypeAdapter(Request)
_OUTCOME = TypeAdapter(Outcome)


def dump_request(request: Request) -> bytes:
    """The request as JSON.

    Args:
        request: What to read.

    Returns:
        UTF-8.
    """
    return _REQUEST.dump_json(request)


def load_request(data: bytes) -> Request:
    """Read a request.

    Args:
        data: UTF-8 JSON.

    Returns:
        The request.
    """
    return _REQUEST.validate_json(data)


def write_outcome(path: Path, outcome: Outcome) -> None:
    """Write the result; it appears under its name only when it is complete.

    Args:
        path: Where to.
        outcome: The result.
    """
    partial = path.with_suffix(".part")
    partial.write_bytes(_OUTCOME.dump_json(outcome))
    partial.replace(path)


def read_outcome(path: Path) -> ParsedDocument:
    """Read the result.

    Args:
        path: Where it was written.

    Returns:
        The document.

    Raises:
        ParseError: The error the reader reported, or that its result cannot be used.
    """
    try:
        if path.stat().st_size > MAX_RESULT_BYTES:
            raise ParseLimit(f"The text of the document takes more than {MAX_RESULT_BYTES:,} bytes.")
        outcome = _OUTCOME.validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise ParseError("The reading process left no usable result.") from error
    if outcome.failure is not None:
        raise outcome.failure.error()
    if outcome.document is None:
        raise ParseError("The reading process left no usable result.")
    return outcome.document
