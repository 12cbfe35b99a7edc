"""When and how long a failed call waits for its next try."""

from __future__ import annotations

import threading

import pytest

from vectree.llm.retry import Retrier, RetrySettings
from vectree.llm.service_failure import FailureKind, ServiceFailure

SETTINGS = RetrySettings(retries=4, first_wait=1.0, longest_wait=5.0, longest_retry_after=60.0)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def retrier(self, settings: RetrySettings = SETTINGS) -> Retrier:
        return Retrier(settings, sleep=self.sleep, clock=lambda: self.now)


def _busy(retry_after: float | None = None) -> ServiceFailure:
    return ServiceFailure(FailureKind.REFUSED, "busy", status=429, retry_after=retry_after)


class Calls:
    def __init__(self, *outcomes: ServiceFailure | str) -> None:
        self.outcomes = list(outcomes)
        self.count = 0

    def __call__(self) -> str:
        self.count += 1
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, ServiceFailure):
            raise outcome
        return outcome


def test_success_waits_for_nothing() -> None:
    clock = Clock()
    assert clock.retrier().run(Calls("ok")) == "ok"
    assert clock.slept == []


def test_waits_double_up_to_a_bound_and_are_shortened_at_random() -> None:
    clock, calls = Clock(), Calls(_busy(), _busy(), _busy(), _busy(), "ok")
    assert clock.retrier().run(calls) == "ok"
    for slept, longest in zip(clock.slept, [1.0, 2.0, 4.0, 5.0], strict=True):
        assert longest / 2 <= slept <= longest


def test_tries_are_bounded_and_the_last_failure_is_raised() -> None:
    calls = Calls(*[_busy() for _ in range(9)])
    last = calls.outcomes[4]
    with pytest.raises(ServiceFailure) as caught:
        Clock().retrier().run(calls)
    assert (calls.count, caught.value) == (5, last)


def test_what_will_not_pass_is_not_tried_again() -> None:
    calls = Calls(ServiceFailure(FailureKind.REFUSED, "bad key", status=401), "ok")
    with pytest.raises(ServiceFailure):
        Clock().retrier().run(calls)
    assert calls.count == 1


@pytest.mark.parametrize("kind", [FailureKind.TIMEOUT, FailureKind.NO_REPLY])
def test_a_call_without_a_reply_is_tried_once_more(kind: FailureKind) -> None:
    calls = Calls(*[ServiceFailure(kind, "nothing") for _ in range(5)])
    with pytest.raises(ServiceFailure):
        Clock().retrier().run(calls)
    assert calls.count == 2


def test_no_retries_means_none() -> None:
    calls = Calls(ServiceFailure(FailureKind.TIMEOUT, "nothing"), "ok")
    with pytest.raises(ServiceFailure):
        Clock().retrier(RetrySettings(retries=0)).run(calls)
    assert calls.count == 1


def test_the_wait_that_the_service_asks_for_is_kept() -> None:
    clock = Clock()
    assert clock.retrier().run(Calls(_busy(retry_after=30.0), "ok")) == "ok"
    assert 30.0 <= sum(clock.slept) <= 33.0


def test_a_service_that_asks_for_too_long_a_wait_is_not_waited_for() -> None:
    clock, calls = Clock(), Calls(_busy(retry_after=3600.0), "ok")
    with pytest.raises(ServiceFailure):
        clock.retrier().run(calls)
    assert (calls.count, clock.slept) == (1, [])


def test_a_wait_of_nothing_does_not_become_a_storm() -> None:
    clock = Clock()
    clock.retrier().run(Calls(_busy(retry_after=0.0), _busy(retry_after=0.0), "ok"))
    assert clock.slept[0] >= 0.5
    assert clock.slept[1] >= 1.0


def test_when_one_thread_is_told_to_wait_all_wait() -> None:
    clock = Clock()
    retrier = clock.retrier()
    told = threading.Event()

    def first() -> str:
        if not told.is_set():
            told.set()
            raise _busy(retry_after=20.0)
        return "ok"

    thread = threading.Thread(target=lambda: retrier.run(first))
    original, held = clock.sleep, threading.Event()
    release = threading.Event()

    def sleep(seconds: float) -> None:
        held.set()
        release.wait(5)
        original(seconds)

    retrier._sleep = sleep
    thread.start()
    assert held.wait(5)
    retrier._sleep = original
    assert retrier.run(Calls("ok")) == "ok"
    assert clock.slept[0] >= 20.0
    release.set()
    thread.join(5)
