"""Sync work for async callers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def in_thread(work: Callable[[Callable[[], bool]], T]) -> T:
    """Run work in a thread, so that the event loop goes on.

    Args:
        work: Is given a function that says whether the caller was cancelled; a thread cannot be ended, so the
            work has to ask it between its steps.

    Returns:
        What the work returned.
    """
    import asyncio  # takes a tenth of the time in which this package must be imported

    cancelled = threading.Event()
    try:
        return await asyncio.to_thread(work, cancelled.is_set)
    finally:
        cancelled.set()
