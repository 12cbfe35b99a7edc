"""The subprocess that reads one PDF: ``python -m vectree.ingest.worker``.

It takes a request as JSON on stdin, names every step on stdout before taking it, and leaves its result in the
file the request names. It bounds its own memory, and ends by itself if nobody is left to end it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from vectree.errors import ParseError
from vectree.ingest.parse import ParsedDocument
from vectree.ingest.parsers.confine import confine, silence_stderr
from vectree.ingest.parsers.pdfium.exchange import (
    MAX_REQUEST_BYTES,
    Failure,
    Outcome,
    Request,
    load_request,
    out_of_memory,
    write_outcome,
)


def main() -> int:
    """Serve one request.

    Returns:
        Exit code 0, also when the result is an error.
    """
    request = load_request(sys.stdin.buffer.read(MAX_REQUEST_BYTES))
    read_document = _reader()
    silence_stderr()
    confine(request.limits)
    write_outcome(Path(request.result), serve(request, read_document))
    return 0


def _reader() -> Callable[..., ParsedDocument]:
    """The reader, loaded before memory is bounded."""
    from vectree.ingest.parsers.pdfium.read import read_document

    return read_document


def serve(request: Request, read_document: Callable[..., ParsedDocument]) -> Outcome:
    """Read the document of a request.

    Args:
        request: What to read.
        read_document: Reads it.

    Returns:
        The document, or why it could not be read.
    """
    path = Path(request.path)
    try:
        document = read_document(
            path,
            figures=Path(request.figures),
            password=request.password,
            limits=request.limits,
            skip=request.skip,
            tell=tell,
        )
    except ParseError as error:
        return Outcome(failure=Failure(kind=type(error).__name__, message=error.message, hint=error.hint))
    except MemoryError:
        return out_of_memory(request)
    return Outcome(document=document)


def tell(stage: str, page: int, pages: int) -> None:
    """Say on stdout what is about to be done; the parent's clock starts anew.

    Args:
        stage: ``"read"``, ``"finish"`` or ``"crop"``.
        page: Physical page, from 1.
        pages: Number of pages.
    """
    os.write(1, f"{stage} {page} {pages}\n".encode("ascii"))


if __name__ == "__main__":
    sys.exit(main())
