"""Running the reader in a subprocess that can be killed.

A PDF can make a C library loop, crash or eat memory. In a process of its own that costs a page: the reader
is started again and passes over the page on which it died. The process is started afresh with this
interpreter (not by ``multiprocessing``), so that it works from an unguarded script, a notebook and several
threads at once.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from vectree.errors import ParseError, ParseLimit
from vectree.ingest.parse import ParsedDocument, ParseLimits
from vectree.ingest.parsers.pdfium.checking import check_file
from vectree.ingest.parsers.pdfium.exchange import Request, dump_request, read_outcome
from vectree.ingest.parsers.pdfium.watch import SECONDS_PER_PAGE, End, Progress, follow

log = logging.getLogger(__name__)

WORKER = "vectree.ingest.worker"
MOST_RESTARTS = 2
"""How often a reader that died is started again for the same document."""

FIGURE_FILES = "p*-*.png"
"""What a reader that died may have left in the figure folder."""

_PACKAGE_ROOT = Path(__file__).resolve().parents[4]
_LEAVE_SECONDS = 5.0
_STDERR_KEPT = 2_000
_INHERITED = frozenset(
    {
        *("PATH", "LANG", "LC_ALL", "LC_CTYPE", "HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"),
        *("SYSTEMROOT", "WINDIR", "TMP", "TEMP", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
        *("PYTHONHOME", "PYTHONPATH", "PYTHONPLATLIBDIR", "VIRTUAL_ENV"),
    }
)
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """How one reader ended: where it was, and why it left no result."""

    progress: Progress
    end: End
    code: int
    words: str

    @property
    def reason(self) -> str:
        """What happened, in words."""
        if self.end is not End.CLOSED:
            return "it took too long"
        return f"the reader died with signal {-self.code}" if self.code < 0 else f"exit code {self.code}"


def read_isolated(path: Path, *, figures: Path, password: str | None, limits: ParseLimits) -> ParsedDocument:
    """Read a document in a subprocess, within its time.

    Args:
        path: The source file.
        figures: An existing empty folder that receives figure files.
        password: For encrypted documents.
        limits: Bounds on the document.

    Returns:
        The document.
    """
    check_file(path, limits)
    with tempfile.TemporaryDirectory(prefix="vectree-read-", ignore_cleanup_errors=True) as scratch:
        request = Request(
            path=str(path.absolute()),
            figures=str(figures.absolute()),
            result=str(Path(scratch, "result.json")),
            limits=limits,
            password=password,
        )
        for restart in range(MOST_RESTARTS + 1):
            run = _run(request, Path(scratch))
            if Path(request.result).exists():
                break
            log.info("reading %s ended at %s: %s", path.name, run.progress, run.reason)
            again = _passing_over(request, run)
            if again is None or restart == MOST_RESTARTS:
                _fail(path, run, limits)
            request = again
            for orphan in figures.glob(FIGURE_FILES):
                orphan.unlink(missing_ok=True)
        return read_outcome(Path(request.result))


def _run(request: Request, scratch: Path) -> _Run:
    """Start a reader, follow it, and see it to its end."""
    progress = Progress()
    words = scratch / "stderr"
    with words.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-P", "-X", "utf8", "-m", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=scratch,
            env=worker_environment(),
        )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with suppress(BrokenPipeError):
            process.stdin.write(dump_request(request))
            process.stdin.close()
        end = follow(process.stdout, progress, request.limits)
        if end is End.CLOSED:
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=_LEAVE_SECONDS)
    finally:
        process.kill()
        code = process.wait()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                stream.close()
    last = words.read_bytes()[-_STDERR_KEPT:].decode("utf-8", "replace").strip()
    return _Run(progress=progress, end=end, code=code, words=last)


def _passing_over(request: Request, run: _Run) -> Request | None:
    """The same request without the page on which the reader died; ``None`` if no page is to blame."""
    page, skip = run.progress.page, request.skip
    if run.progress.stage == "read" and page not in skip.unread and run.end is not End.TOTAL_TIMEOUT:
        skip = replace(skip, unread={**skip.unread, page: run.reason})
    elif run.progress.stage == "crop" and page not in skip.uncropped:
        skip = replace(skip, uncropped={**skip.uncropped, page: run.reason})
    else:
        return None
    return replace(request, skip=skip)


def _fail(path: Path, run: _Run, limits: ParseLimits) -> NoReturn:
    """Raise the error for a document that could not be read."""
    where = f" at page {run.progress.page}" if run.progress.page else ""
    if run.end is End.TOTAL_TIMEOUT:
        raise ParseLimit(
            f"{path.name!r} was stopped{where}: it took more than {limits.total_seconds:g} s "
            f"and {SECONDS_PER_PAGE:g} s a page.",
            hint="Raise ParseLimits.total_seconds if the file can be trusted.",
        )
    if run.end is End.PAGE_TIMEOUT:
        raise ParseLimit(
            f"{path.name!r} was stopped{where}: nothing was finished within {limits.page_seconds:g} s.",
            hint="Raise ParseLimits.page_seconds if the file can be trusted.",
        )
    last = run.words.splitlines()[-1][:200] if run.words else ""
    raise ParseError(
        f"The process that read {path.name!r} died{where} ({run.reason}{': ' + last if last else ''}).",
        hint="The file may be damaged, hostile, or need more than ParseLimits.memory_bytes.",
    )


def worker_environment() -> dict[str, str]:
    """The few variables a reader needs: none of the caller's keys and tokens.

    Returns:
        The environment, in which this very package can be found.
    """
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    environment.update(dict.fromkeys(_ONE_THREAD, "1"))
    installed = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    if str(_PACKAGE_ROOT) not in installed:
        known = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([str(_PACKAGE_ROOT), *([known] if known else [])])
    return environment
