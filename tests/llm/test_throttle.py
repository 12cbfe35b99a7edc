"""A bound on requests under way, and on starts in a minute."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from vectree.errors import ModelUnavailable, UsageError
from vectree.llm.chat import ChatRequest
from vectree.llm.scripted import FunctionModel
from vectree.llm.throttle import ThrottledModel

REQUEST = ChatRequest(messages=())


def test_never_more_are_under_way_than_allowed() -> None:
    """An indexer without a bound had 34 requests under way at once and was refused for it."""
    lock, under_way, peak = threading.Lock(), 0, 0

    def answer(_: ChatRequest) -> str:
        nonlocal under_way, peak
        with lock:
            under_way += 1
            peak = max(peak, under_way)
        time.sleep(0.005)
        with lock:
            under_way -= 1
        return "hi"

    model = ThrottledModel(FunctionModel(answer), concurrency=3)
    with ThreadPoolExecutor(max_workers=12) as pool:
        list(pool.map(model.complete, [REQUEST] * 30))
    assert peak == 3


def test_a_failure_frees_its_slot() -> None:
    def fail(_: ChatRequest) -> str:
        raise ModelUnavailable("busy")

    model = ThrottledModel(FunctionModel(fail), concurrency=1)
    for _ in range(3):
        with pytest.raises(ModelUnavailable):
            model.complete(REQUEST)


def test_starts_are_spread_evenly_over_a_minute() -> None:
    now, starts = 100.0, []

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    def answer(_: ChatRequest) -> str:
        starts.append(now)
        return "hi"

    model = ThrottledModel(FunctionModel(answer), per_minute=30, sleep=sleep, clock=lambda: now)
    for _ in range(4):
        model.complete(REQUEST)
    assert starts == [100.0, 102.0, 104.0, 106.0]
    now += 60
    model.complete(REQUEST)
    assert starts[-1] == 166.0


@pytest.mark.parametrize(("concurrency", "per_minute"), [(0, None), (1, 0.0), (1, -1.0)])
def test_a_bound_that_lets_nothing_through_is_refused(concurrency: int, per_minute: float | None) -> None:
    with pytest.raises(UsageError):
        ThrottledModel(FunctionModel(lambda _: ""), concurrency=concurrency, per_minute=per_minute)
