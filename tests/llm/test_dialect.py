"""Which setting is given up after which refusal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vectree.llm.chat import ChatRequest, Message, Role, ToolCall, ToolSpec
from vectree.llm.dialect import Dialect, SchemaMode, Thoughts, concede
from vectree.llm.service_failure import FailureKind, ServiceFailure

TOOL = ToolSpec(name="look_up", description="Look a word up.", parameters={"type": "object"})
REQUEST = ChatRequest(messages=(), tools=(TOOL,), schema={"type": "object"}, temperature=0.0, max_tokens=10)
DIALECT = Dialect(parallel_tool_calls=True)


def _refused(status: int, message: str, **details: str) -> ServiceFailure:
    return ServiceFailure(FailureKind.REFUSED, message, status=status, **details)


@pytest.mark.parametrize(
    ("failure", "conceded"),
    [
        (
            _refused(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
            replace(DIALECT, limit="max_completion_tokens"),
        ),
        (
            _refused(400, "Unsupported value: only the default (1) is supported", param="temperature"),
            replace(DIALECT, temperature=False),
        ),
        (_refused(400, "unknown field parallel_tool_calls"), replace(DIALECT, parallel_tool_calls=None)),
        (_refused(422, "tool_choice is not supported"), replace(DIALECT, tool_choice=False)),
        (
            _refused(400, "This response_format type is unavailable now"),
            replace(DIALECT, schema=SchemaMode.OBJECT_SCHEMA),
        ),
        (
            _refused(500, "Input should be 'text' or 'json_object'"),
            replace(DIALECT, schema=SchemaMode.OBJECT_SCHEMA),
        ),
        (_refused(400, "Invalid request"), replace(DIALECT, schema=SchemaMode.OBJECT_SCHEMA)),
        (_refused(401, "response_format needs a key"), replace(DIALECT, schema=SchemaMode.OBJECT_SCHEMA)),
        (_refused(400, "too many tokens", code="context_length_exceeded"), None),
        (_refused(400, "this model does not read image_url"), None),
        (_refused(401, "Incorrect API key"), None),
        (_refused(404, "no such model"), None),
        (_refused(429, "slow down"), None),
        (_refused(500, "out of memory"), None),
        (ServiceFailure(FailureKind.TIMEOUT, "nothing came"), None),
    ],
)
def test_what_a_refusal_names_is_given_up_and_nothing_else(
    failure: ServiceFailure, conceded: Dialect | None
) -> None:
    assert concede(DIALECT, REQUEST, failure) == conceded


def test_a_setting_that_was_not_sent_is_not_given_up() -> None:
    plain = ChatRequest(messages=())
    assert (
        concede(DIALECT, plain, _refused(400, "temperature max_completion_tokens tool_choice json_schema"))
        is None
    )


def test_the_form_of_a_reply_is_given_up_in_three_steps_and_then_no_more() -> None:
    dialect, steps = DIALECT, []
    while (conceded := concede(dialect, REQUEST, _refused(400, "response_format"))) is not None:
        dialect = conceded
        steps.append(dialect.schema)
    assert steps == [SchemaMode.OBJECT_SCHEMA, SchemaMode.OBJECT, SchemaMode.WORDS]


def test_conceding_ends_whatever_a_service_says() -> None:
    everything = _refused(
        400, "temperature max_completion_tokens parallel_tool_calls tool_choice response_format"
    )
    dialect: Dialect | None = DIALECT
    for _ in range(8):
        assert dialect is not None
        dialect = concede(dialect, REQUEST, everything)
    assert dialect is None


CALLED = ChatRequest(
    messages=(Message(role=Role.ASSISTANT, tool_calls=(ToolCall(id="1", name="look_up", arguments="{}"),)),),
    tools=(TOOL,),
)


@pytest.mark.parametrize(
    ("thoughts", "message", "then"),
    [
        (Thoughts.BACK, "Missing `reasoning_content` field in the assistant message", Thoughts.ALWAYS),
        (Thoughts.BACK, "The reasoning_content in the thinking mode must be passed back", Thoughts.ALWAYS),
        (Thoughts.BACK, "messages.2: property 'reasoning_details' is unsupported", Thoughts.NEVER),
        (Thoughts.ALWAYS, "unknown field reasoning_content", Thoughts.NEVER),
        (Thoughts.ALWAYS, "Missing `reasoning_content` field", None),
        (Thoughts.NEVER, "unknown field reasoning_content", None),
        (Thoughts.BACK, "reasoning_effort is not supported", None),
    ],
)
def test_thoughts_that_are_missed_are_sent_and_thoughts_that_are_refused_are_not(
    thoughts: Thoughts, message: str, then: Thoughts | None
) -> None:
    conceded = concede(Dialect(thoughts=thoughts), CALLED, _refused(400, message))
    assert conceded == (Dialect(thoughts=then) if then else None)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (500, "7 validation errors: ('body', 'messages', 2, 'role') Input should be 'system'"),
        (422, "messages.2.content: Input should be a valid string"),
        (400, "Invalid type for messages[2].content: expected a string, got null"),
    ],
)
def test_a_refused_null_becomes_an_empty_text_once(status: int, message: str) -> None:
    dialect = concede(Dialect(), CALLED, _refused(status, message))
    assert dialect == Dialect(null_content=False)
    assert concede(dialect, CALLED, _refused(status, message)) is None


def test_without_calls_thoughts_are_no_matter() -> None:
    asked = ChatRequest(messages=(Message(role=Role.USER, text="q"),), tools=(TOOL,))
    assert concede(Dialect(), asked, _refused(400, "Missing `reasoning_content` field")) is None
