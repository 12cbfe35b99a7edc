"""The subprocess that reads one PDF: ``python -m vectree.ingest.worker``.

It takes a request as JSON on stdin, tells of every finished page on stdout, and leaves its result in the file
the request names. It bounds its own memory, drops a core dump never, and ends by itself if it outlives its time.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import sys

from vectree.errors import ParseError
from vectree.ingest.parse import ParseLimits
from vectree.ingest.parsers.pdfium.exchange import Failure, Outcome, Request, load_request, write_outcome

MAX_REQUEST_BYTES = 1 << 20


def main() -> int:
    """Serve one request.

    Returns:
        Exit code 0, also when the result is an error.
    """
    request = load_request(sys.stdin.buffer.read(MAX_REQUEST_BYTES))
    silence_stderr()
    confine(request.limits)
    write_outcome(request.result, serve(request))
    return 0


def serve(request: Request) -> Outcome:
    """Read the document of a request.

    Args:
        request: What to read.

    Returns:
        The document, or why it could not be read.
    """
    from vectree.ingest.parsers.pdfium.read import read_document

    try:
        document = read_document(
            request.path,
            figures=request.figures,
            password=request.password,
            limits=request.limits,
            progress=tell,
        )
    except ParseError as error:
        return Outcome(failure=Failure(kind=type(error).__name__, message=error.message, hint=error.hint))
    except MemoryError:
        return Outcome(
            failure=Failure(
                kind="ParseLimit",
                message=f"{request.path.name!r} needs more than {request.limits.memory_bytes:,} bytes of memory.",
                hint="Raise ParseLimits.memory_bytes if the file can be trusted.",
            )
        )
    return Outcome(document=document)


def tell(stage: str, page: int, pages: int) -> None:
    """Say on stdout that a page is done; the parent's clock starts anew.

    Args:
        stage: What was done to the page.
        page: Physical page, from 1.
        pages: Number of pages.
    """
    if stage == "read" and page == 1:
        os.write(1, b"pages %d\n" % pages)
    os.write(1, f"{stage} {page}\n".encode("ascii"))


def silence_stderr() -> None:
    """Send what C code prints to nowhere; our own errors travel in the result."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 2)
    os.close(sink)


def confine(limits: ParseLimits) -> None:
    """Bound this process from within, as far as the system can.

    Args:
        limits: Bounds on the document.
    """
    longest = limits.total_seconds + 0.5 * limits.max_pages
    faulthandler.dump_traceback_later(longest, exit=True)
    try:
        import resource
    except ImportError:
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError, OSError):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        bound = limits.memory_bytes if hard == resource.RLIM_INFINITY else min(limits.memory_bytes, hard)
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))


if __name__ == "__main__":
    sys.exit(main())
