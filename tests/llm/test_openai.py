"""The client against a real HTTP service on the loopback interface."""

from __future__ import annotations

import json
import logging
import socket
import sys
import time
import traceback
from typing import Any

import pytest

from vectree.errors import MissingExtra, ModelReplyError, ModelRequestError, ModelUnavailable, UsageError
from vectree.llm.chat import ChatRequest, Image, Message, Reply, Role, ToolCall, ToolSpec, Usage
from vectree.llm.openai import OpenAICompatibleModel, ServiceSettings
from vectree.llm.retry import RetrySettings
from vectree.llm.usage import Price

pytestmark = pytest.mark.network

KEY = "sk-very-secret-0123456789"
QUICK = RetrySettings(retries=2, first_wait=0.01, longest_wait=0.02, longest_retry_after=2.0)
HELLO = ChatRequest(messages=(Message(role=Role.USER, text="hello"),))
TOOL = ToolSpec(
    name="look_up", description="Look a word up.", parameters={"type": "object", "properties": {}}
)
SCHEMA = {"type": "object", "properties": {"page": {"type": "integer"}}, "required": ["page"]}


def _model(
    server: Any, *, retry: RetrySettings = QUICK, timeout: float = 10.0, **options: Any
) -> OpenAICompatibleModel:
    settings = ServiceSettings(retry=retry, timeout=timeout, **options.pop("service", {}))
    return OpenAICompatibleModel("tiny", base_url=server.url, api_key=KEY, settings=settings, **options)


def _failing(server: Any, **options: Any) -> ModelRequestError | ModelReplyError:
    with pytest.raises((ModelRequestError, ModelReplyError)) as caught:
        _model(server, **options).complete(HELLO)
    error = caught.value
    assert "\n" not in str(error)
    assert len(str(error)) < 400
    assert error.hint
    assert KEY not in "".join(traceback.format_exception(error))
    assert error.__cause__ is None
    return error


def test_one_request_is_one_post_with_key_model_and_messages(chat_server: Any) -> None:
    chat_server.say("hi")
    service = {"headers": {"X-Title": "VecTree"}, "body": {"reasoning_effort": "low"}}
    assert _model(chat_server, service=service).complete(HELLO).text == "hi"
    (received,) = chat_server.received
    assert received.path == "/v1/chat/completions"
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.headers["x-title"] == "VecTree"
    assert received.body == {
        "model": "tiny",
        "messages": [{"role": "user", "content": "hello"}],
        "reasoning_effort": "low",
    }


def test_without_a_key_a_service_on_this_machine_is_called_all_the_same(chat_server: Any) -> None:
    chat_server.say("hi")
    assert OpenAICompatibleModel("tiny", base_url=chat_server.url).complete(HELLO).text == "hi"


def test_several_tool_calls_come_back_with_usage_and_cost(chat_server: Any) -> None:
    calls = (
        ToolCall(id="a", name="look_up", arguments='{"w": 1}'),
        ToolCall(id="b", name="look_up", arguments="{"),
    )
    usage = {"prompt_tokens": 900, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 400}}
    chat_server.say(Reply(text="Looking.", tool_calls=calls), usage=usage)
    model = _model(chat_server, price=Price(prompt=1.0, completion=2.0, cached=0.5))
    reply = model.complete(ChatRequest(messages=HELLO.messages, tools=(TOOL,)))
    assert (reply.text, reply.tool_calls) == ("Looking.", calls)
    assert reply.usage == Usage(
        prompt_tokens=900, completion_tokens=50, cached_tokens=400, cost=pytest.approx(0.0008)
    )


def test_an_image_travels_as_base64_in_a_user_message(chat_server: Any) -> None:
    chat_server.say("A curve.")
    image = Image(data=b"\x89PNG" + bytes(3000), media_type="image/png", name="fig.png")
    messages = (
        Message(role=Role.USER, text="Show figure 1."),
        Message(role=Role.ASSISTANT, tool_calls=(ToolCall(id="a", name="look_up", arguments="{}"),)),
        Message(role=Role.TOOL, text="Figure 1.", tool_call_id="a", images=(image,)),
    )
    _model(chat_server).complete(ChatRequest(messages=messages, tools=(TOOL,)))
    sent = chat_server.received[0].body["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "tool", "user"]
    assert sent[2]["content"] == "Figure 1."
    assert sent[3]["content"][1]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")


# A service that understands less --------------------------------------------------------------------------


def test_a_refused_schema_is_asked_for_in_weaker_ways_and_the_way_is_remembered(
    chat_server: Any,
) -> None:
    def respond(received: Any) -> Any:
        form = received.body.get("response_format", {})
        if form.get("type") == "json_schema":
            return chat_server.refusing(400, "This response_format type is unavailable now")
        if "schema" in form:
            return chat_server.refusing(422, "Unknown parameter: 'response_format.schema'")
        return chat_server.saying('{"page": 3}')

    chat_server.respond = respond
    model = _model(chat_server)
    request = ChatRequest(messages=HELLO.messages, schema=SCHEMA)
    assert [model.complete(request).text for _ in range(2)] == ['{"page": 3}'] * 2
    forms = [received.body.get("response_format", {}).get("type") for received in chat_server.received]
    assert forms == ["json_schema", "json_object", "json_object", "json_object"]
    assert "JSON schema" in chat_server.received[-1].body["messages"][-1]["content"]


def test_a_schema_refused_as_a_server_error_is_not_waited_for(chat_server: Any) -> None:
    """llama.cpp's Python server answers 500 to a form it does not know."""
    chat_server.refuse(
        500, "1 validation error: response_format type: Input should be 'text' or 'json_object'"
    )
    chat_server.say('{"page": 3}')
    started = time.monotonic()
    model = _model(chat_server, retry=RetrySettings(first_wait=30.0, longest_wait=30.0))
    assert model.complete(ChatRequest(messages=HELLO.messages, schema=SCHEMA)).text == '{"page": 3}'
    assert time.monotonic() - started < 10


def test_settings_that_newer_models_refuse_are_left_out(chat_server: Any) -> None:
    def respond(received: Any) -> Any:
        if "max_tokens" in received.body:
            return chat_server.refusing(
                400, "Unsupported parameter: 'max_tokens'; use 'max_completion_tokens'."
            )
        if "temperature" in received.body:
            return chat_server.refusing(400, "Only the default (1) value is supported.", param="temperature")
        return chat_server.saying("hi")

    chat_server.respond = respond
    model = _model(chat_server)
    request = ChatRequest(messages=HELLO.messages, temperature=0.0, max_tokens=20)
    assert [model.complete(request).text for _ in range(2)] == ["hi", "hi"]
    assert len(chat_server.received) == 4
    assert chat_server.received[-1].body["max_completion_tokens"] == 20


def test_a_request_refused_for_another_reason_fails_with_that_reason(chat_server: Any) -> None:
    chat_server.respond = lambda _: chat_server.refusing(400, "messages must not be empty")
    request = ChatRequest(messages=HELLO.messages, schema=SCHEMA)
    with pytest.raises(ModelRequestError, match="messages must not be empty"):
        _model(chat_server).complete(request)
    chat_server.respond = lambda _: chat_server.saying("{}")
    model = _model(chat_server)
    model.complete(request)
    assert chat_server.received[-1].body["response_format"]["type"] == "json_schema"


# What goes wrong ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "message", "says"),
    [
        (401, f"Incorrect API key provided: {KEY}.", "refused the API key (401)"),
        (403, "Forbidden", "refused the API key (403)"),
        (404, "The model 'tiny' does not exist", "has no model 'tiny'"),
        (400, "This model's maximum context length is 8192 tokens", "too long for tiny"),
        (400, "tiny does not support tools", "takes no tool calls"),
        (429, "You exceeded your current quota (insufficient_quota)", "has no credit"),
    ],
)
def test_a_refusal_is_one_line_after_one_try(chat_server: Any, status: int, message: str, says: str) -> None:
    chat_server.refuse(status, message)
    error = _failing(chat_server)
    assert type(error) is ModelRequestError
    assert says in str(error)
    assert "127.0.0.1" in str(error)
    assert error.status == status
    assert len(chat_server.received) == 1


def test_a_page_of_html_is_not_shown(chat_server: Any) -> None:
    chat_server.answer(404, "<html><body>" + "nothing here " * 500, headers={"Content-Type": "text/html"})
    assert "<" not in str(_failing(chat_server))


def test_a_busy_service_is_tried_again_and_answers(chat_server: Any) -> None:
    chat_server.refuse(503, "overloaded")
    chat_server.refuse(429, "slow down")
    chat_server.say("hi")
    assert _model(chat_server).complete(HELLO).text == "hi"
    assert len(chat_server.received) == 3


def test_retry_after_is_kept(chat_server: Any) -> None:
    chat_server.refuse(429, "slow down", headers={"Retry-After": "0.4"})
    chat_server.say("hi")
    assert _model(chat_server).complete(HELLO).text == "hi"
    first, second = chat_server.received
    assert second.at - first.at >= 0.4


@pytest.mark.parametrize(("status", "says"), [(429, "limits the rate of requests"), (500, "failed (500)")])
def test_a_service_that_stays_busy_fails_after_bounded_tries(
    chat_server: Any, status: int, says: str
) -> None:
    chat_server.respond = lambda _: chat_server.refusing(status, "not now")
    error = _failing(chat_server)
    assert isinstance(error, ModelUnavailable)
    assert error.retryable
    assert says in str(error)
    assert len(chat_server.received) == 1 + QUICK.retries


def test_a_service_that_asks_for_an_hour_is_not_waited_for(chat_server: Any) -> None:
    chat_server.refuse(429, "come back later", headers={"Retry-After": "3600"})
    assert "come back later" in str(_failing(chat_server))
    assert len(chat_server.received) == 1


def test_a_service_that_does_not_answer_in_time_is_tried_twice(chat_server: Any) -> None:
    chat_server.respond = lambda _: type(chat_server.saying("late"))(200, "{}", delay=1.0)
    error = _failing(chat_server, timeout=0.1)
    assert isinstance(error, ModelUnavailable)
    assert "did not answer: nothing came for 0.1 s" in str(error)
    assert len(chat_server.received) == 2


def test_nobody_there_is_said_so() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    model = OpenAICompatibleModel(
        "tiny", base_url=f"http://127.0.0.1:{port}/v1", settings=ServiceSettings(retry=QUICK)
    )
    with pytest.raises(
        ModelUnavailable, match=f"Cannot reach the model service at 127.0.0.1:{port}: "
    ) as caught:
        model.complete(HELLO)
    assert "base URL" in caught.value.hint


def test_a_connection_that_breaks_is_tried_again(chat_server: Any) -> None:
    answers = [type(chat_server.saying(""))(hang_up=True), chat_server.saying("hi")]
    chat_server.respond = lambda _: answers.pop(0)
    assert _model(chat_server).complete(HELLO).text == "hi"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<html>Welcome to nginx!</html>", "text/html"),
        ("{not json", "application/json"),
        (b"\xff\xfe\x00garbage", "application/octet-stream"),
        ("", "application/json"),
        ('{"id": "x", "choices": []}', "application/json"),
        ('{"choices": [{"message": null}]}', "application/json"),
        ("data: {}\n\n", "text/event-stream"),
    ],
)
def test_garbage_is_one_line_after_two_tries(chat_server: Any, body: str | bytes, content_type: str) -> None:
    for _ in range(2):
        chat_server.answer(200, body, headers={"Content-Type": content_type})
    error = _failing(chat_server)
    assert isinstance(error, ModelReplyError)
    assert "no chat completion" in str(error)
    assert "/v1" in error.hint
    assert len(chat_server.received) == 2


def test_no_choices_once_is_forgiven(chat_server: Any) -> None:
    chat_server.answer(200, json.dumps({"choices": []}))
    chat_server.say("hi")
    assert _model(chat_server).complete(HELLO).text == "hi"


def test_a_reply_cut_before_its_first_word_says_what_to_raise(chat_server: Any) -> None:
    chat_server.say("", finish_reason="length")
    error = _failing(chat_server)
    assert isinstance(error, ModelReplyError)
    assert "max_tokens" in error.hint


def test_neither_the_key_nor_retries_are_printed(
    chat_server: Any, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    chat_server.respond = lambda _: chat_server.refusing(500, f"boom {KEY}")
    _failing(chat_server)
    assert capfd.readouterr() == ("", "")
    assert KEY not in " ".join(
        record.getMessage() for record in caplog.records if record.name.startswith("vectree")
    )
    assert KEY not in repr(_model(chat_server))


def test_a_missing_key_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(UsageError, match="asks for an API key, and none is set"):
        OpenAICompatibleModel("tiny", base_url="https://api.example.org/v1")


def test_without_the_extra_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtra, match=r'pip install "vectree-core\[openai\]"'):
        OpenAICompatibleModel("tiny", base_url="http://localhost:1/v1")
