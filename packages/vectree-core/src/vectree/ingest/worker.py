"""The subprocess that reads one PDF: ``python -m vectree.ingest.worker``.

It takes a request as JSON on stdin, names every step on stdout before taking it, and leaves its result in the
file the request names. It bounds its own memory, and ends by itself if nobody is left to end it.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import sys
from collections.abc import Callable
from pathlib import Path

from vectree.errors import ParseError
from vectree.ingest.parse import ParsedDocument, ParseLimits
from vectree.ingest.parsers.pdfium.exchange import Failure, Outcome, Request, load_request, write_outcome
from vectree.ingest.parsers.pdfium.watch import SECONDS_PER_PAGE, START_SECONDS

MAX_REQUEST_BYTES = 1 << 20


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
        return Outcome(
            failure=Failure(
                kind="ParseLimit",
                message=f"{path.name!r} needs more than {request.limits.memory_bytes:,} bytes of memory.",
                hint="Raise ParseLimits.memory_bytes if the file can be trusted.",
            )
        )
    return Outcome(document=document)


def tell(stage: str, page: int, pages: int) -> None:
    """Say on stdout what is about to be done; the parent's clock starts anew.

    Args:
        stage: ``"read"``, ``"finish"`` or ``"crop"``.
        page: Physical page, from 1.
        pages: Number of pages.
    """
    os.write(1, f"{stage} {page} {pages}\n".encode("ascii"))


def silence_stderr() -> None:
    """Send what C code prints to nowhere; our own errors travel in the result."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 2)
    os.close(sink)


def confine(limits: ParseLimits) -> None:
    """Bound this process from within, as far as the system can.

    Args:
        limits: Bounds on the document; memory counts from what is in use now.
    """
    longest = START_SECONDS + limits.total_seconds + SECONDS_PER_PAGE * limits.max_pages
    faulthandler.dump_traceback_later(longest, exit=True)
    try:
        import resource
    except ImportError:
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError, OSError):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        bound = limits.memory_bytes + _address_space()
        resource.setrlimit(
            resource.RLIMIT_AS, (bound if hard == resource.RLIM_INFINITY else min(bound, hard), hard)
        )


def _address_space() -> int:
    """Address space in use, in bytes; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    sys.exit(main())
