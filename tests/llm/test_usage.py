"""Tokens and money are added up honestly."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from vectree.errors import ModelUnavailable, UsageError
from vectree.llm.chat import ChatRequest, Message, Reply, Role, Usage
from vectree.llm.scripted import FunctionModel
from vectree.llm.usage import FREE, MeteredModel, Price, total

REQUEST = ChatRequest(messages=(Message(role=Role.USER, text="hello"),))


def test_a_price_is_dollars_per_million_tokens() -> None:
    price = Price(prompt=2.0, completion=8.0, cached=0.5)
    assert price.cost(prompt_tokens=1_000_000, completion_tokens=0) == 2.0
    assert price.cost(
        prompt_tokens=1_000_000, completion_tokens=500_000, cached_tokens=400_000
    ) == pytest.approx(5.4)


def test_without_a_price_for_cached_tokens_they_cost_like_the_others() -> None:
    assert Price(prompt=2.0, completion=8.0).cost(
        prompt_tokens=1_000_000, completion_tokens=0, cached_tokens=900_000
    ) == pytest.approx(2.0)


def test_more_cached_than_sent_is_not_credited() -> None:
    assert (
        Price(prompt=1.0, completion=1.0, cached=0.0).cost(
            prompt_tokens=10, completion_tokens=0, cached_tokens=99
        )
        == 0.0
    )


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf")])
def test_what_is_no_price_is_refused(wrong: float) -> None:
    with pytest.raises(UsageError):
        Price(prompt=wrong, completion=1.0)
    with pytest.raises(UsageError):
        Price(prompt=1.0, completion=1.0, cached=wrong)


def test_a_sum_is_unknown_as_soon_as_one_part_is() -> None:
    known, unknown = Usage(prompt_tokens=1, cost=0.5), Usage(prompt_tokens=2)
    assert total([known, known]) == Usage(prompt_tokens=2, cost=1.0)
    assert total([known, unknown]) == Usage(prompt_tokens=3, cost=None)
    assert total([]) == Usage(cost=0.0)
    assert FREE.cost(prompt_tokens=10**9, completion_tokens=10**9) == 0.0


def test_a_meter_counts_over_threads_and_leaves_failures_out() -> None:
    def answer(request: ChatRequest) -> Reply:
        if request.max_tokens == 1:
            raise ModelUnavailable("busy")
        return Reply(text="hi", usage=Usage(prompt_tokens=10, completion_tokens=1, cost=0.25))

    model = MeteredModel(FunctionModel(answer, name="m", context_window=99))
    with ThreadPoolExecutor(max_workers=8) as pool:
        list(pool.map(model.complete, [REQUEST] * 200))
    with pytest.raises(ModelUnavailable):
        model.complete(ChatRequest(messages=REQUEST.messages, max_tokens=1))
    assert (model.name, model.context_window, model.calls) == ("m", 99, 200)
    assert model.usage == Usage(prompt_tokens=2000, completion_tokens=200, cost=50.0)
