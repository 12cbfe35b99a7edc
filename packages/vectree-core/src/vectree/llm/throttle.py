"""A bound on how many requests are under way, and on how many start in a minute."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from vectree.errors import UsageError
from vectree.llm.chat import ChatModel, ChatRequest, Reply
from vectree.llm.wrapper import ModelWrapper

CONCURRENCY = 4
"""Requests under way at once: the semaphore of §3.2, whose size the paper leaves open."""


class ThrottledModel(ModelWrapper):
    """Lets a bounded number of requests through to a model, whatever the number of threads.

    Args:
        inner: The model that answers.
        concurrency: Requests under way at once; at least 1.
        per_minute: Requests started in a minute, evenly spread; ``None`` sets no bound.
        sleep: Stands in for ``time.sleep`` in tests.
        clock: Stands in for ``time.monotonic`` in tests.

    Raises:
        UsageError: If nothing could pass.
    """

    def __init__(
        self,
        inner: ChatModel,
        *,
        concurrency: int = CONCURRENCY,
        per_minute: float | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(inner)
        if concurrency < 1 or (per_minute is not None and not per_minute > 0):
            raise UsageError(
                f"At least one request has to pass: concurrency {concurrency}, per minute {per_minute}."
            )
        self._slots = threading.BoundedSemaphore(concurrency)
        self._spacing = 60.0 / per_minute if per_minute else 0.0
        self._sleep = sleep
        self._clock = clock
        self._lock = threading.Lock()
        self._next_start = 0.0

    def complete(self, request: ChatRequest) -> Reply:
        """Answer one request when its turn has come.

        Args:
            request: Passed on.

        Returns:
            The reply; errors of the model pass through, and free the slot.
        """
        with self._slots:
            wait = self._turn()
            if wait > 0:
                self._sleep(wait)
            return self._inner.complete(request)

    def _turn(self) -> float:
        """Take the next start; seconds until then."""
        with self._lock:
            now = self._clock()
            start = max(now, self._next_start)
            self._next_start = start + self._spacing
            return start - now
