"""Bounds a reading subprocess sets on itself."""

from __future__ import annotations

import contextlib
import faulthandler
import os
from pathlib import Path

from vectree.ingest.parse import ParseLimits
from vectree.ingest.parsers.pdfium.watch import SECONDS_PER_PAGE, START_SECONDS


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
