"""Requests in the words of the Chat Completions API."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from vectree.llm.chat import ChatRequest, Image, Message, Role, ToolCall, ToolSpec
from vectree.llm.dialect import Dialect, SchemaMode, ToolImages
from vectree.llm.openai_request import request_body

SCHEMA = {"type": "object", "properties": {"page": {"type": "integer", "default": 1}}}
IMAGE = Image(data=b"\x89PNG", media_type="image/png", name="p2-fig1.png")
URL = f"data:image/png;base64,{base64.b64encode(IMAGE.data).decode()}"
SYSTEM = Message(role=Role.SYSTEM, text="You read papers.")
USER = Message(role=Role.USER, text="What is an anode?")
CALLS = Message(
    role=Role.ASSISTANT,
    tool_calls=(
        ToolCall(id="a", name="get_page_image", arguments='{"image": "p2-fig1.png"}'),
        ToolCall(id="b", name="get_page_content", arguments='{"pages": "2"}'),
    ),
)
SHOWN = Message(role=Role.TOOL, text="Figure 1.", tool_call_id="a", images=(IMAGE,))
READ = Message(role=Role.TOOL, text="Page 2.", tool_call_id="b")
TOOL = ToolSpec(name="get_page_image", description="Show a figure.", parameters={"type": "object"})


def _body(*messages: Message, dialect: Dialect | None = None, **settings: Any) -> dict[str, Any]:
    return request_body(ChatRequest(messages=messages, **settings), model="m", dialect=dialect or Dialect())


def test_a_plain_request_holds_nothing_that_was_not_asked_for() -> None:
    assert _body(SYSTEM, USER) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "You read papers."},
            {"role": "user", "content": "What is an anode?"},
        ],
    }


def test_settings_go_under_the_names_that_the_service_knows() -> None:
    body = _body(USER, temperature=0.0, max_tokens=50)
    assert (body["temperature"], body["max_tokens"]) == (0.0, 50)
    modern = Dialect(limit="max_completion_tokens", temperature=False)
    body = _body(USER, temperature=0.0, max_tokens=50, dialect=modern)
    assert body["max_completion_tokens"] == 50
    assert not {"temperature", "max_tokens"} & set(body)


def test_tools_are_declared_and_their_use_is_left_to_the_model() -> None:
    body = _body(USER, tools=(TOOL,))
    function = {"name": "get_page_image", "description": "Show a figure.", "parameters": {"type": "object"}}
    assert body["tools"] == [{"type": "function", "function": function}]
    assert body["tool_choice"] == "auto"
    assert "parallel_tool_calls" not in body
    careful = _body(USER, tools=(TOOL,), dialect=Dialect(tool_choice=False, parallel_tool_calls=False))
    assert (careful.get("tool_choice"), careful["parallel_tool_calls"]) == (None, False)


def test_calls_and_their_results_are_linked_by_id() -> None:
    _, assistant, first, second = _body(USER, CALLS, replace(SHOWN, images=()), READ)["messages"]
    assert assistant["content"] is None
    assert [call["id"] for call in assistant["tool_calls"]] == ["a", "b"]
    assert (first["role"], first["tool_call_id"], first["content"]) == ("tool", "a", "Figure 1.")
    assert (second["role"], second["tool_call_id"], second["content"]) == ("tool", "b", "Page 2.")


@pytest.mark.parametrize("broken", ['{"image": "p2', "null", "[1]", "", "  ", '"x"', "[" * 99_999])
def test_c22_broken_arguments_go_back_as_a_json_object_that_keeps_them(broken: str) -> None:
    call = ToolCall(id="a", name="get_page_image", arguments=broken)
    (message,) = _body(Message(role=Role.ASSISTANT, tool_calls=(call,)))["messages"]
    sent = json.loads(message["tool_calls"][0]["function"]["arguments"])
    assert sent == ({"unreadable": broken} if broken.strip() else {})


def test_c21_images_of_tools_follow_the_last_tool_message_as_a_user_message() -> None:
    """Chat Completions refuses images in tool messages, and every call has to be answered first."""
    messages = _body(USER, CALLS, SHOWN, READ, Message(role=Role.ASSISTANT, text="An electrode."))["messages"]
    assert [message["role"] for message in messages] == [
        "user",
        "assistant",
        "tool",
        "tool",
        "user",
        "assistant",
    ]
    text, image = messages[4]["content"]
    assert "p2-fig1.png" in text["text"]
    assert image == {"type": "image_url", "image_url": {"url": URL}}
    assert [message["content"] for message in messages[2:4]] == ["Figure 1.", "Page 2."]


def test_messages_are_only_ever_appended_so_that_prefixes_stay_cached() -> None:
    shorter = _body(USER, CALLS, SHOWN, READ)["messages"]
    longer = _body(USER, CALLS, SHOWN, READ, replace(CALLS, text="More."), SHOWN, READ)["messages"]
    assert longer[: len(shorter)] == shorter


def test_images_of_tools_may_go_into_the_tool_message_where_a_service_takes_them() -> None:
    messages = _body(USER, CALLS, SHOWN, READ, dialect=Dialect(tool_images=ToolImages.TOOL))["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool"]
    assert messages[2]["content"] == [
        {"type": "text", "text": "Figure 1."},
        {"type": "image_url", "image_url": {"url": URL}},
    ]


def test_images_of_a_user_stand_beside_the_text() -> None:
    (message,) = _body(replace(USER, images=(IMAGE,)))["messages"]
    assert [part["type"] for part in message["content"]] == ["text", "image_url"]
    (message,) = _body(replace(USER, text="", images=(IMAGE,)))["messages"]
    assert [part["type"] for part in message["content"]] == ["image_url"]


@pytest.mark.parametrize("tool_images", list(ToolImages))
def test_c21_a_model_that_reads_text_only_gets_a_note_and_no_base64(tool_images: ToolImages) -> None:
    dialect = Dialect(images=False, tool_images=tool_images)
    messages = _body(replace(USER, images=(IMAGE,)), CALLS, SHOWN, READ, dialect=dialect)["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool"]
    assert "base64" not in json.dumps(messages)
    for message in (messages[0], messages[2]):
        assert "[image p2-fig1.png left out: this model reads text only]" in message["content"]


def test_a_form_is_enforced_where_the_service_can() -> None:
    body = _body(USER, schema=SCHEMA)
    form = body["response_format"]["json_schema"]
    assert (body["response_format"]["type"], form["strict"]) == ("json_schema", True)
    assert form["schema"]["additionalProperties"] is False
    assert body["messages"][-1]["content"] == "What is an anode?"


@pytest.mark.parametrize(
    ("mode", "form"),
    [
        (SchemaMode.OBJECT_SCHEMA, "json_object"),
        (SchemaMode.OBJECT, "json_object"),
        (SchemaMode.WORDS, None),
    ],
)
def test_a_form_that_is_not_enforced_is_said_in_words(mode: SchemaMode, form: str | None) -> None:
    body = _body(USER, schema=SCHEMA, dialect=Dialect(schema=mode))
    assert body.get("response_format", {}).get("type") == form
    said = body["messages"][-1]["content"]
    assert said.startswith("What is an anode?\n\n")
    assert json.dumps(SCHEMA) in said
    assert "JSON" in said  # OpenAI refuses json_object where no message says so


@pytest.mark.parametrize("last", [SYSTEM, READ, replace(USER, images=(IMAGE,))])
def test_the_words_come_last_whoever_spoke_last(last: Message) -> None:
    message = _body(USER, CALLS, last, schema=SCHEMA, dialect=Dialect(schema=SchemaMode.WORDS))["messages"][
        -1
    ]
    assert message["role"] == "user"
    assert "JSON schema" in json.dumps(message["content"])


def test_half_a_surrogate_pair_from_a_broken_pdf_can_be_sent() -> None:
    body = _body(replace(USER, text="a\ud800b"))
    json.dumps(body, ensure_ascii=False).encode()
    assert body["messages"][0]["content"] == "a\ufffdb"
