"""The subprocess that reads one PDF with Marker: ``python -m vectree.ingest.parsers.marker.worker``.

It takes a request as JSON on stdin and leaves its result in the file the request names, as the PDF reader's
worker does. Whatever Marker or its models print or raise stays in here.
"""

from __future__ import annotations

import sys
from pathlib import Path

from vectree.errors import ParseError, VecTreeError
from vectree.ingest.parsers.marker.convert import convert
from vectree.ingest.parsers.pdfium.exchange import (
    MAX_REQUEST_BYTES,
    Failure,
    Outcome,
    Request,
    load_request,
    write_outcome,
)

OCR = "--ocr"


def main() -> int:
    """Serve one request.

    Returns:
        Exit code 0, also when the result is an error.
    """
    request = load_request(sys.stdin.buffer.read(MAX_REQUEST_BYTES))
    write_outcome(Path(request.result), serve(request, ocr=OCR in sys.argv[1:]))
    return 0


def serve(request: Request, *, ocr: bool) -> Outcome:
    """Read the document of a request.

    Args:
        request: What to read.
        ocr: Whether models may read text off page images.

    Returns:
        The document, or why it could not be read.
    """
    path = Path(request.path)
    try:
        return Outcome(document=convert(path, figures=Path(request.figures), limits=request.limits, ocr=ocr))
    except VecTreeError as error:
        return Outcome(failure=Failure(kind=type(error).__name__, message=error.message, hint=error.hint))
    except Exception as error:
        # Marker and its servers raise whatever went wrong: missing weights, a dead server, an odd page.
        first = next(iter(str(error).splitlines()), "")[:300]
        reason = f"Marker could not read {path.name!r}: {type(error).__name__}: {first}"
        hint = "Its models must be downloaded once, with a network; --parser pdfium needs none."
        return Outcome(failure=Failure(kind=ParseError.__name__, message=reason, hint=hint))


if __name__ == "__main__":
    sys.exit(main())
