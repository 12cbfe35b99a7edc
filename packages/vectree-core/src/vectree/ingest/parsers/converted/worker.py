"""The subprocess that converts one document: ``python -m vectree.ingest.parsers.converted.worker FORMAT``.

It takes a request as JSON on stdin and leaves its result in the file the request names, as the PDF reader's
worker does.
"""

from __future__ import annotations

import sys
from pathlib import Path

from vectree.errors import ParseError
from vectree.ingest.parse import Parser
from vectree.ingest.parsers.confine import confine
from vectree.ingest.parsers.converted.docx import DocxParser
from vectree.ingest.parsers.converted.html import HtmlParser
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
    parser = DocxParser(request.limits) if DocxParser.name in sys.argv[1:] else HtmlParser(request.limits)
    confine(request.limits)
    write_outcome(Path(request.result), serve(request, parser))
    return 0


def serve(request: Request, parser: Parser) -> Outcome:
    """Convert the document of a request.

    Args:
        request: What to read.
        parser: Reads it.

    Returns:
        The document, or why it could not be read.
    """
    try:
        return Outcome(document=parser.parse(Path(request.path), figures=Path(request.figures)))
    except ParseError as error:
        return Outcome(failure=Failure(kind=type(error).__name__, message=error.message, hint=error.hint))
    except MemoryError:
        pass  # what was built is held by this exception, and let go with it
    return out_of_memory(request)


if __name__ == "__main__":
    sys.exit(main())
