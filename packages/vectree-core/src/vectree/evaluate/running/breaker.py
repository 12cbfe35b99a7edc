"""Ending a run that only fails."""

from __future__ import annotations

import threading
from collections.abc import Callable

from vectree.errors import ModelRequestError


class Breaker:
    """Counts failures in a row, from any number of threads.

    Only failures of the service count: a question that a system cannot answer says nothing about the next
    one.

    Args:
        limit: Failures in a row that end the run.
        cancelled: Asked each time; ends the run when it returns True.
    """

    def __init__(self, limit: int, cancelled: Callable[[], bool]) -> None:
        self._limit = limit
        self._cancelled = cancelled
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._reason = ""

    @property
    def open(self) -> bool:
        """Whether the run should end."""
        if not self._reason and self._cancelled():
            self.stop("cancelled")
        return bool(self._reason)

    @property
    def reason(self) -> str:
        """Why it should; empty if it should not."""
        return self._reason

    def stop(self, reason: str) -> None:
        """End the run.

        Args:
            reason: Why.
        """
        with self._lock:
            self._reason = self._reason or reason

    def success(self) -> None:
        """Something worked."""
        with self._lock:
            self._in_a_row = 0

    def failure(self, error: Exception) -> None:
        """Something failed.

        Args:
            error: What was raised.
        """
        if not isinstance(error, ModelRequestError):
            return
        with self._lock:
            self._in_a_row += 1
            enough = self._in_a_row >= self._limit
        if enough:
            self.stop(f"{self._limit} requests in a row failed; the last: {error}")
