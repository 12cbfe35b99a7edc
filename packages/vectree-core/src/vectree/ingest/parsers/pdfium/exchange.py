"""What the parent and the reading subprocess say to one another.

The request goes in as JSON on stdin, so that a password never shows in a list of processes. Progress comes
back as lines on stdout. The result is one JSON file in a folder the parent made: a document or an error,
validated by the parent, since the writer has handled hostile bytes.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NoReturn

from pydantic import TypeAdapter, ValidationError

from vectree.errors import CorruptDocument, EncryptedDocument, ParseError, ParseLimit
from vectree.ingest.parse import ParsedDocument, ParseLimits

MAX_REQUEST_BYTES = 1 << 20
MAX_RESULT_BYTES = 1 << 30
"""A larger result is refused unread."""

_ERRORS: dict[str, type[ParseError]] = {
    cls.__name__: cls for cls in (ParseError, EncryptedDocument, CorruptDocument, ParseLimit)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """Pages on which an earlier reader died.

    Attributes:
        unread: Pages to leave empty, with the reason.
        uncropped: Pages whose figures to leave out, with the reason.
    """

    unread: dict[int, str] = field(default_factory=lambda: dict[int, str]())
    uncropped: dict[int, str] = field(default_factory=lambda: dict[int, str]())


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to read.

    Attributes:
        path: The source file; bytes that are no text are kept as surrogates.
        figures: Folder for figure files.
        result: File the result goes to.
        limits: Bounds on the document.
        password: For encrypted documents.
        skip: Pages to pass over.
    """

    path: str
    figures: str
    result: str
    limits: ParseLimits
    password: str | None = None
    skip: Skip = Skip()


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

    def throw(self) -> NoReturn:
        """Raise the error of the class named, or a plain ``ParseError``."""
        raise _ERRORS.get(self.kind, ParseError)(self.message, hint=self.hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result: one of the two is there.

    Attributes:
        document: The document as read.
        failure: Or why not.
    """

    document: ParsedDocument | None = None
    failure: Failure | None = None


def out_of_memory(request: Request) -> Outcome:
    """The result where the bound on memory was met.

    Args:
        request: What was read.

    Returns:
        A failure that names the bound.
    """
    failure = Failure(
        kind=ParseLimit.__name__,
        message=f"{Path(request.path).name!r} needs more than {request.limits.memory_bytes:,} bytes of memory.",
        hint="Raise ParseLimits.memory_bytes if the file can be trusted.",
    )
    return Outcome(failure=failure)


_REQUEST = TypeAdapter(Request)
_OUTCOME = TypeAdapter(Outcome)


def dump_request(request: Request) -> bytes:
    """The request as JSON.

    Args:
        request: What to read.

    Returns:
        ASCII, so that file names that are no valid text survive.
    """
    return json.dumps(asdict(request)).encode("ascii")


def load_request(data: bytes) -> Request:
    """Read a request.

    Args:
        data: What ``dump_request`` gave.

    Returns:
        The request.
    """
    return _REQUEST.validate_python(json.loads(data))


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
        ParseError: If the result cannot be used; or the error the reader reported.
        ParseLimit: If the result is too large.
    """
    try:
        if path.stat().st_size > MAX_RESULT_BYTES:
            raise ParseLimit(f"The text of the document takes more than {MAX_RESULT_BYTES:,} bytes.")
        outcome = _OUTCOME.validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise ParseError("The reading process left no usable result.") from error
    if outcome.failure is not None:
        outcome.failure.throw()
    if outcome.document is None:
        raise ParseError("The reading process left no usable result.")
    return outcome.document
