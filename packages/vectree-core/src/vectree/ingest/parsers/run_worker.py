"""Running a reader of one document as a subprocess with a bound on its time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from vectree.errors import ParseError, ParseLimit
from vectree.ingest.parse import ParsedDocument, ParseLimits
from vectree.ingest.parsers.pdfium.exchange import Request, dump_request, read_outcome


def run_worker(
    command: Sequence[str],
    *,
    who: str,
    path: Path,
    figures: Path,
    limits: ParseLimits,
    environment: Mapping[str, str],
    seconds: float,
) -> ParsedDocument:
    """Have a document read by a module of this package in a process of its own.

    Args:
        command: The module and its arguments; it takes a request on stdin and leaves a result where that says.
        who: What runs in it, for errors; begins a sentence.
        path: The source file.
        figures: An existing empty folder that receives figure files.
        limits: Bounds on the document.
        environment: All the variables it gets.
        seconds: Time it has.

    Returns:
        The document.

    Raises:
        ParseLimit: If it took too long.
        ParseError: If the process died, or the error it reported.
    """
    with TemporaryDirectory(prefix="vectree-read-", ignore_cleanup_errors=True) as scratch:
        result = Path(scratch, "result.json")
        request = Request(
            path=str(path.absolute()), figures=str(figures.absolute()), result=str(result), limits=limits
        )
        try:
            done = subprocess.run(
                [sys.executable, "-P", "-X", "utf8", "-m", *command],
                input=dump_request(request),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=scratch,
                env=dict(environment),
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ParseLimit(
                f"{who} took more than {seconds:g} s for {path.name!r}.",
                hint="The file may be damaged or hostile.",
            ) from error
        if not result.exists():
            last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no words"]
            raise ParseError(f"{who} could not read {path.name!r}; its process died: {last[0][:200]}.")
        return read_outcome(result)
