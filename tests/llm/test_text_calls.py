"""Calls that a server left in the text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.llm.text_calls import calls_in_text

OFFERED = {"search_documents"}
CALL = '<tool_call>\n{"name": "search_documents", "arguments": {"query": "garnet {x}"}}\n</tool_call>'


def test_a_call_in_the_text_is_a_call() -> None:
    rest, (call,) = calls_in_text(f"Let me look.\n{CALL}", OFFERED)
    assert rest == "Let me look."
    assert (call.name, json.loads(call.arguments)) == ("search_documents", {"query": "garnet {x}"})


def test_several_calls_have_ids_of_their_own() -> None:
    rest, calls = calls_in_text(CALL + CALL, OFFERED)
    assert rest == ""
    assert len({call.id for call in calls}) == 2


def test_arguments_may_be_called_parameters_or_be_text() -> None:
    written = '<tool_call>{"name": "search_documents", "parameters": "{\\"query\\": 1}"}</tool_call>'
    assert calls_in_text(written, OFFERED)[1][0].arguments == '{"query": 1}'


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        '<tool_call>{"name": "other"}</tool_call>',
        "<tool_call>{broken}</tool_call>",
        '<tool_call>{"arguments": {}}</tool_call>',
        '<tool_call>{"name": ["search_documents"]}</tool_call>',
        '{"name": "search_documents", "arguments": {}}',
    ],
)
def test_anything_else_stays_text(text: str) -> None:
    assert calls_in_text(text, OFFERED) == (text, ())


@given(st.text(max_size=500))
def test_any_text_can_be_read(text: str) -> None:
    calls_in_text(f"<tool_call>{text}</tool_call>", OFFERED)
