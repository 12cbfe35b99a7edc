"""Following a reader's progress: what it is doing, and whether it still has time."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass
from enum import Enum
from typing import IO

from vectree.ingest.parse import ParseLimits

START_SECONDS = 30.0
"""Time a reader may take to start on a busy machine, before its first word."""

SECONDS_PER_PAGE = 0.5
"""Added to the time for the whole document, for each page."""

FINISH_SECONDS_PER_PAGE = 0.05
"""Added, for each page, to the time in which the finished document must be laid out and written."""

_LINE_BYTES = 200


class End(Enum):
    """How following a reader ended."""

    CLOSED = "closed"
    PAGE_TIMEOUT = "page timeout"
    TOTAL_TIMEOUT = "total timeout"


@dataclass(slots=True, kw_only=True)
class Progress:
    """Where a reader is.

    Attributes:
        stage: ``"start"``, ``"read"``, ``"crop"`` or ``"finish"``.
        page: The page it is at, from 1; 0 before the first.
        pages: Number of pages; 0 until known.
    """

    stage: str = "start"
    page: int = 0
    pages: int = 0

    def update(self, line: bytes) -> None:
        """Take in a line such as ``read 3 120``; anything else is passed over.

        Args:
            line: What the reader wrote.
        """
        words = line.decode("ascii", "replace").split()
        if len(words) == 3 and words[1].isdecimal() and words[2].isdecimal():
            self.stage, self.page, self.pages = words[0], int(words[1]), int(words[2])


def follow(stdout: IO[bytes], progress: Progress, limits: ParseLimits) -> End:
    """Read a reader's progress until it closes its output or runs out of time.

    Args:
        stdout: The reader's output.
        progress: Kept up to date.
        limits: Bounds on the document.

    Returns:
        How it ended; the reader may still be running.
    """
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_pump, args=(stdout, lines), daemon=True).start()
    started = time.monotonic()
    while True:
        left = started + _total_seconds(progress, limits) - time.monotonic()
        try:
            line = lines.get(timeout=max(min(_patience(progress, limits), left), 0.01))
        except queue.Empty:
            spent = time.monotonic() - started >= _total_seconds(progress, limits)
            return End.TOTAL_TIMEOUT if spent else End.PAGE_TIMEOUT
        if not line:
            return End.CLOSED
        progress.update(line)


def _total_seconds(progress: Progress, limits: ParseLimits) -> float:
    """Time for the whole document."""
    return START_SECONDS + limits.total_seconds + SECONDS_PER_PAGE * progress.pages


def _patience(progress: Progress, limits: ParseLimits) -> float:
    """Time until the next line."""
    extra = {"start": START_SECONDS, "finish": FINISH_SECONDS_PER_PAGE * progress.pages}
    return limits.page_seconds + extra.get(progress.stage, 0.0)


def _pump(stdout: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    """Move lines from the pipe to the queue; an empty one says that there are no more."""
    try:
        for line in iter(lambda: stdout.readline(_LINE_BYTES), b""):
            lines.put(line)
    except (OSError, ValueError):
        pass
    lines.put(b"")
