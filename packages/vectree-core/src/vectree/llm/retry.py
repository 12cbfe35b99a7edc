"""Trying again: after a growing, randomly shortened wait, or after the wait that the service asks for."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from vectree.llm.service_failure import FailureKind, ServiceFailure

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrySettings:
    """How often and how long a call is tried again.

    Attributes:
        retries: Tries after the first.
        retries_without_reply: Tries after one that was not answered in time, which costs the whole timeout,
            or answered with something that is no reply.
        first_wait: Seconds before the first retry; doubles each time.
        longest_wait: Most seconds between tries.
        longest_retry_after: A service that asks for a longer wait is not waited for.
    """

    retries: int = 4
    retries_without_reply: int = 1
    first_wait: float = 0.5
    longest_wait: float = 20.0
    longest_retry_after: float = 60.0


class Retrier:
    """Calls again after failures that may pass. One for all threads that call a service.

    When a service asks for a wait, every thread waits, not only the one that was told.

    Args:
        settings: How often and how long.
        sleep: Stands in for ``time.sleep`` in tests.
        clock: Stands in for ``time.monotonic`` in tests.
    """

    def __init__(
        self,
        settings: RetrySettings,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._sleep = sleep
        self._clock = clock
        self._lock = threading.Lock()
        self._not_before = 0.0

    def run(self, call: Callable[[], _Result]) -> _Result:
        """Call until it succeeds, or trying again is of no use.

        Args:
            call: Raises ``ServiceFailure`` where it fails.

        Returns:
            What it returned.

        Raises:
            ServiceFailure: The last one.
        """
        tried = 0
        while True:
            self._wait_for_service()
            try:
                return call()
            except ServiceFailure as failure:
                tried += 1
                wait = self._wait(failure, tried)
                if wait is None:
                    raise
                _log.info("trying again in %.1f s: %s", wait, failure.message)
            self._sleep(wait)

    def _wait(self, failure: ServiceFailure, tried: int) -> float | None:
        """Seconds before the next try; ``None`` if there is none."""
        settings = self._settings
        unanswered = failure.kind in (FailureKind.TIMEOUT, FailureKind.NO_REPLY)
        allowed = min(settings.retries, settings.retries_without_reply) if unanswered else settings.retries
        if not failure.retryable or tried > allowed:
            return None
        if failure.retry_after:
            if failure.retry_after > settings.longest_retry_after:
                return None
            self._hold(failure.retry_after)
            return 0.0
        wait = min(settings.longest_wait, settings.first_wait * 2 ** (tried - 1))
        return wait * random.uniform(0.5, 1.0)

    def _hold(self, seconds: float) -> None:
        with self._lock:
            self._not_before = max(self._not_before, self._clock() + seconds)

    def _wait_for_service(self) -> None:
        left = self._not_before - self._clock()
        if left > 0:
            self._sleep(left + random.uniform(0.0, 0.1) * left)
