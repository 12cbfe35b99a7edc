"""Two requests share a reply only if nothing that may change it differs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from vectree.llm.chat import ChatRequest, Image, Message, Role, ToolCall, ToolSpec
from vectree.llm.request_hash import request_hash, request_view

IMAGE = Image(data=b"\x89PNG1", media_type="image/png", name="fig1.png")
CALL = ToolCall(id="c1", name="look_up", arguments='{"word": "anode"}')
TOOL = ToolSpec(
    name="look_up", description="Look a word up.", parameters={"type": "object", "properties": {}}
)
MESSAGE = Message(role=Role.USER, text="What is an anode?", images=(IMAGE,))
ISSUED = Message(role=Role.ASSISTANT, tool_calls=(CALL,))
RESULT = Message(role=Role.TOOL, text="An electrode.", tool_call_id="c1")
REQUEST = ChatRequest(
    messages=(MESSAGE, ISSUED, RESULT),
    tools=(TOOL,),
    schema={"type": "object"},
    temperature=0.0,
    max_tokens=10,
)


def _with(*messages: Message) -> ChatRequest:
    return replace(REQUEST, messages=messages)


CHANGED = {
    "text": _with(replace(MESSAGE, text="What is an anode? "), ISSUED, RESULT),
    "role": _with(replace(MESSAGE, role=Role.SYSTEM), ISSUED, RESULT),
    "image bytes": _with(replace(MESSAGE, images=(replace(IMAGE, data=b"\x89PNG2"),)), ISSUED, RESULT),
    "image type": _with(replace(MESSAGE, images=(replace(IMAGE, media_type="image/jpeg"),)), ISSUED, RESULT),
    "image name": _with(replace(MESSAGE, images=(replace(IMAGE, name="fig2.png"),)), ISSUED, RESULT),
    "no image": _with(replace(MESSAGE, images=()), ISSUED, RESULT),
    "call": _with(MESSAGE, replace(ISSUED, tool_calls=(replace(CALL, arguments="{}"),)), RESULT),
    "call id": _with(MESSAGE, ISSUED, replace(RESULT, tool_call_id="c2")),
    "order": _with(ISSUED, MESSAGE, RESULT),
    "fewer messages": _with(MESSAGE, ISSUED),
    "tool": replace(REQUEST, tools=(replace(TOOL, description="Look it up."),)),
    "no tool": replace(REQUEST, tools=()),
    "schema": replace(REQUEST, schema={"type": "array"}),
    "no schema": replace(REQUEST, schema=None),
    "temperature": replace(REQUEST, temperature=0.5),
    "default temperature": replace(REQUEST, temperature=None),
    "bound": replace(REQUEST, max_tokens=11),
}


@pytest.mark.parametrize("change", CHANGED)
def test_any_change_changes_the_hash(change: str) -> None:
    assert request_hash("m", CHANGED[change]) != request_hash("m", REQUEST)


def test_the_model_belongs_to_the_hash() -> None:
    assert request_hash("m", REQUEST) != request_hash("n", REQUEST)


def test_equal_requests_have_equal_hashes_whatever_the_order_of_schema_keys() -> None:
    one = replace(REQUEST, schema={"type": "object", "title": "T"})
    two = replace(REQUEST, schema={"title": "T", "type": "object"})
    assert request_hash("m", one) == request_hash("m", two)


def test_the_hash_is_stable_between_versions() -> None:
    """A change of this value throws every kept reply away; it may not happen by accident."""
    digest = request_hash("m", ChatRequest(messages=(Message(role=Role.USER, text="β"),)))
    assert digest == "6bc2b051319f6a9b0874ce91c20454088bcaee89365fa9b6777814c10c25361f"


def test_the_view_holds_no_image_bytes_and_is_plain_json() -> None:
    written = json.dumps(request_view("m", REQUEST))
    assert "sha256" in written
    assert "PNG" not in written


def test_half_a_surrogate_pair_can_be_hashed() -> None:
    assert len(request_hash("m", ChatRequest(messages=(Message(role=Role.USER, text="\ud800"),)))) == 64
