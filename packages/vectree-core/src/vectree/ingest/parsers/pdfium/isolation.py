"""Running the reader in a subprocess that can be killed.

A PDF can make a C library loop, crash or eat memory. In a process of its own that costs one document. The
process is started afresh with this interpreter (not by ``multiprocessing``), so that it works from an
unguarded script, a notebook and from several threads at once.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from pathlib import Path
from typing import IO

from vectree.errors import ParseError, ParseLimit
from vectree.ingest.parse import ParsedDocument, ParseLimits
from vectree.ingest.parsers.pdfium.exchange import Request, dump_request, read_outcome

WORKER = "vectree.ingest.worker"
START_SECONDS = 30.0
"""Time a worker may take to start on a busy machine, before its first word."""

SECONDS_PER_PAGE = 0.5
_PACKAGE_ROOT = Path(__file__).resolve().parents[4]

_INHERITED = (
    "PATH LANG LC_ALL LC_CTYPE HOME USERPROFILE APPDATA LOCALAPPDATA SYSTEMROOT WINDIR TMP TEMP TMPDIR "
    "LD_LIBRARY_PATH DYLD_LIBRARY_PATH PYTHONHOME PYTHONPATH PYTHONPLATLIBDIR VIRTUAL_ENV"
).split()


def read_isolated(path: Path, *, figures: Path, password: str | None, limits: ParseLimits) -> ParsedDocument:
    """Read a document in a subprocess, within its time.

    Args:
        path: The source file.
        figures: An existing empty folder that receives figure files.
        password: For encrypted documents.
        limits: Bounds on the document.

    Returns:
        The document.

    Raises:
        ParseError: If the document cannot be read, or the process died.
    """
    with tempfile.TemporaryDirectory(prefix="vectree-read-", ignore_cleanup_errors=True) as scratch:
        result = Path(scratch, "result.json")
        request = Request(
            path=path.absolute(), figures=figures.absolute(), result=result, limits=limits, password=password
        )
        code = _run(request, Path(scratch))
        if code != 0 and not result.exists():
            raise ParseError(
                f"The process that read {path.name!r} died ({_death(code)}); the file may be damaged or hostile.",
                hint="Other documents are not affected.",
            )
        return read_outcome(result)


def _run(request: Request, scratch: Path) -> int:
    """Start the worker, watch it, and return its exit code."""
    with Path(scratch, "stderr").open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-P", "-X", "utf8", "-m", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=scratch,
            env=worker_environment(),
        )
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(dump_request(request))
            process.stdin.close()
        except BrokenPipeError:
            pass
        _watch(process.stdout, request)
        return process.wait(timeout=request.limits.page_seconds)
    except subprocess.TimeoutExpired:
        return process.poll() or -9
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


def _watch(stdout: IO[bytes], request: Request) -> None:
    """Follow the worker's progress until it closes its output; raise if it runs out of time."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_pump, args=(stdout, lines), daemon=True).start()
    limits = request.limits
    started = time.monotonic()
    deadline = started + START_SECONDS + limits.total_seconds
    patience = START_SECONDS + limits.page_seconds
    done = ""
    while True:
        now = time.monotonic()
        try:
            line = lines.get(timeout=max(min(patience, deadline - now), 0.01))
        except queue.Empty:
            raise _timeout(request, done, total=time.monotonic() >= deadline) from None
        if not line:
            return
        patience = limits.page_seconds
        word, _, rest = line.decode("ascii", "replace").strip().partition(" ")
        if word == "pages" and rest.isdigit():
            deadline = time.monotonic() + limits.total_seconds + SECONDS_PER_PAGE * int(rest)
        else:
            done = rest


def _pump(stdout: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    """Move lines from the pipe to the queue; an empty one says that the worker is done."""
    try:
        for line in iter(lambda: stdout.readline(200), b""):
            lines.put(line)
    except (OSError, ValueError):
        pass
    lines.put(b"")


def _timeout(request: Request, done: str, *, total: bool) -> ParseLimit:
    """The error for a worker that took too long."""
    limits = request.limits
    where = f" after page {done}" if done else ""
    if total:
        return ParseLimit(
            f"{request.path.name!r} took more than {limits.total_seconds:g} s "
            f"and {SECONDS_PER_PAGE:g} s a page to read; stopped{where}.",
            hint="Raise ParseLimits.total_seconds if the file can be trusted.",
        )
    return ParseLimit(
        f"{request.path.name!r} was stopped{where}: no page was finished within {limits.page_seconds:g} s.",
        hint="Raise ParseLimits.page_seconds if the file can be trusted.",
    )


def worker_environment() -> dict[str, str]:
    """The few variables the worker needs: none of the caller's keys and tokens.

    Returns:
        The environment, in which this very package can be found.
    """
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    root = str(_PACKAGE_ROOT)
    installed = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    if root not in installed:
        known = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([root, known] if known else [root])
    return environment


def _death(code: int) -> str:
    """How a process ended, in words."""
    return f"signal {-code}" if code < 0 else f"exit code {code}"
