"""Replies as services write them, the careless ones too."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.errors import ModelReplyError
from vectree.llm.chat import ChatRequest, Message, Reply, Role, Usage
from vectree.llm.openai_reply import error_in, reply_from
from vectree.llm.service_failure import FailureKind, ServiceFailure
from vectree.llm.usage import FREE, Price

REQUEST = ChatRequest(messages=(Message(role=Role.USER, text="x" * 40),))
COUNTED = {"prompt_tokens": 1000, "completion_tokens": 100}


def _reply(message: Any, *, price: Price | None = None, finish: str = "stop", **body: Any) -> Reply:
    body = {"choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": COUNTED, **body}
    return reply_from(json.dumps(body), REQUEST, price=price)


def _function(name: Any, arguments: Any, **call: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **call}


_KEYS = st.sampled_from(
    [
        "choices",
        "message",
        "content",
        "tool_calls",
        "function",
        "arguments",
        "id",
        "name",
        "usage",
        "error",
        "text",
        "prompt_tokens",
        "finish_reason",
        "code",
        "detail",
    ]
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=15,
)


@given(
    st.dictionaries(_KEYS, _JSON)
    | st.builds(lambda message: {"choices": [{"message": message}]}, _JSON)
    | _JSON
)
def test_no_answer_does_anything_but_give_a_reply_or_a_known_failure(answer: Any) -> None:
    written = json.dumps(answer)
    with contextlib.suppress(ServiceFailure, ModelReplyError):
        assert isinstance(reply_from(written, REQUEST, price=None), Reply)
    assert isinstance(error_in(written, status=400), ServiceFailure)


def test_text_may_come_in_parts() -> None:
    parts = [
        {"type": "text", "text": "An "},
        {"type": "thinking", "thinking": []},
        {"type": "text", "text": "anode."},
    ]
    assert _reply({"content": parts}).text == "An anode."


def test_thoughts_are_dropped_from_the_text() -> None:
    assert _reply({"content": "<think>hm</think>\n\nAn anode."}).text == "An anode."
    assert _reply({"content": "An anode.", "reasoning_content": "hm"}).text == "An anode."


def test_a_refusal_is_what_the_model_said() -> None:
    assert _reply({"content": None, "refusal": "I cannot help."}).text == "I cannot help."


@pytest.mark.parametrize("content", [None, "", []])
def test_an_empty_reply_is_a_reply(content: Any) -> None:
    assert _reply({"content": content}) == Reply(
        text="", usage=Usage(prompt_tokens=1000, completion_tokens=100)
    )


@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_silence_with_a_reason_is_an_error_that_names_it(finish: str) -> None:
    with pytest.raises(ModelReplyError) as caught:
        _reply({"content": ""}, finish=finish)
    assert {"length": "max_tokens", "content_filter": "another service"}[finish] in caught.value.hint
    assert _reply({"content": "An ano"}, finish=finish).text == "An ano"


def test_arguments_are_passed_on_as_written() -> None:
    written = ['{"word": "ano', "null", "", '{"a": 1}']
    message = {
        "content": None,
        "tool_calls": [_function("look_up", text, id=f"c{n}") for n, text in enumerate(written)],
    }
    assert [call.arguments for call in _reply(message).tool_calls] == written


def test_arguments_that_are_no_text_are_written_as_json() -> None:
    message = {
        "tool_calls": [_function("look_up", {"word": "β"}, id="c1"), _function("look_up", None, id="c2")]
    }
    assert [call.arguments for call in _reply(message).tool_calls] == ['{"word": "β"}', ""]


def test_calls_without_an_id_or_with_the_same_one_can_still_be_told_apart() -> None:
    message = {"tool_calls": [_function("a", "{}"), _function("b", "{}", id="0"), _function("c", "{}", id=0)]}
    calls = _reply(message).tool_calls
    assert [call.name for call in calls] == ["a", "b", "c"]
    assert len({call.id for call in calls}) == 3
    assert all(call.id for call in calls)


def test_a_call_without_a_name_or_function_is_still_a_call() -> None:
    calls = _reply({"tool_calls": [{"id": "c1"}, _function(None, "{}", id="c2")]}).tool_calls
    assert [(call.id, call.name) for call in calls] == [("c1", ""), ("c2", "")]


def test_the_older_form_of_a_call_is_read_only_where_the_newer_is_missing() -> None:
    old = {"name": "look_up", "arguments": "{}"}
    assert [call.name for call in _reply({"function_call": old}).tool_calls] == ["look_up"]
    both = {"function_call": {**old, "name": "look_up:"}, "tool_calls": [_function("look_up", "{}", id="c1")]}
    assert [call.name for call in _reply(both).tool_calls] == ["look_up"]


@pytest.mark.parametrize(
    ("usage", "cached"),
    [
        ({**COUNTED, "prompt_tokens_details": {"cached_tokens": 800}}, 800),
        ({**COUNTED, "prompt_cache_hit_tokens": 700, "prompt_cache_miss_tokens": 300}, 700),
        ({**COUNTED, "prompt_tokens_details": None}, 0),
        ({**COUNTED, "prompt_tokens_details": {"cached_tokens": "many"}}, 0),
        ({**COUNTED, "prompt_tokens_details": {"cached_tokens": 9999}}, 1000),
    ],
)
def test_cached_tokens_are_counted_whoever_counts_them(usage: dict[str, Any], cached: int) -> None:
    assert _reply({"content": "hi"}, usage=usage).usage.cached_tokens == cached


def test_a_price_makes_a_cost_and_cached_tokens_are_cheaper() -> None:
    usage = {**COUNTED, "prompt_tokens_details": {"cached_tokens": 500}}
    price = Price(prompt=2.0, completion=8.0, cached=1.0)
    assert _reply({"content": "hi"}, usage=usage, price=price).usage.cost == pytest.approx(0.0023)


def test_without_a_price_the_cost_is_what_the_service_states_or_unknown() -> None:
    assert _reply({"content": "hi"}).usage.cost is None
    assert _reply({"content": "hi"}, usage={**COUNTED, "cost": 0.0042}).usage.cost == 0.0042
    assert _reply({"content": "hi"}, usage={**COUNTED, "cost": "unknown"}).usage.cost is None


@pytest.mark.parametrize("usage", [None, {}, [], {"prompt_tokens": -1}, "none"])
def test_uncounted_tokens_are_estimated_and_their_cost_is_unknown(usage: Any) -> None:
    reply = _reply({"content": "y" * 8}, usage=usage, price=Price(prompt=1.0, completion=1.0))
    assert reply.usage == Usage(prompt_tokens=10, completion_tokens=2, cost=None)
    assert _reply({"content": "y"}, usage=usage, price=FREE).usage.cost == 0.0


@pytest.mark.parametrize(
    "body",
    [
        "",
        "   ",
        "<html>502</html>",
        "null",
        "[]",
        "3",
        "{}",
        '{"choices": []}',
        '{"choices": null}',
        '{"choices": [{}]}',
        '{"choices": [{"message": null}]}',
        '{"choices": "none"}',
        "[" * 99_999,
        '{"choices": [{"message": "hi"}]}',
    ],
)
def test_what_is_no_chat_completion_is_a_failure_without_a_reply(body: str) -> None:
    with pytest.raises(ServiceFailure) as caught:
        reply_from(body, REQUEST, price=None)
    assert caught.value.kind is FailureKind.NO_REPLY


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"error": {"message": "Provider busy", "code": 429}}, 429, "Provider busy"),
        ({"error": {"message": "boom"}, "choices": []}, 500, "boom"),
        ({"error": "boom"}, 500, "boom"),
        (
            {"choices": [{"error": {"message": "upstream died", "code": 502}, "message": {"content": ""}}]},
            502,
            "upstream died",
        ),
    ],
)
def test_an_error_sent_as_a_success_is_an_error(body: dict[str, Any], status: int, message: str) -> None:
    with pytest.raises(ServiceFailure) as caught:
        reply_from(json.dumps(body), REQUEST, price=None)
    assert (caught.value.status, caught.value.message, caught.value.retryable) == (status, message, True)


@pytest.mark.parametrize(
    ("body", "message", "code", "param"),
    [
        ('{"error": {"message": "no", "code": "bad_key", "param": "key"}}', "no", "bad_key", "key"),
        ('{"error": {"message": "no", "type": "invalid"}}', "no", "invalid", ""),
        ('{"error": "no"}', "no", "", ""),
        ('[{"error": {"message": "no"}}]', "no", "", ""),
        ('{"object": "error", "message": "no", "code": "x"}', "no", "x", ""),
        ('{"detail": "Not Found"}', "Not Found", "", ""),
        ('{"detail": [{"loc": ["body"], "msg": "bad"}]}', '[{"loc": ["body"], "msg": "bad"}]', "", ""),
        ("no route", "no route", "", ""),
        ("<!doctype html><html>", "", "", ""),
        ("", "", "", ""),
    ],
)
def test_errors_are_read_in_every_form_that_services_use(
    body: str, message: str, code: str, param: str
) -> None:
    failure = error_in(body, status=400, retry_after=2.0)
    assert (failure.status, failure.message, failure.code, failure.param) == (400, message, code, param)
    assert failure.retry_after == 2.0
