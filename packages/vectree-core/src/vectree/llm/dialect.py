"""What a Chat Completions service understands; found out by what it refuses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from vectree.llm.chat import ChatRequest
from vectree.llm.service_failure import ServiceFailure


class SchemaMode(StrEnum):
    """How the form of a reply is asked for, from enforced to merely described."""

    STRICT = "json_schema"
    OBJECT_SCHEMA = "json_object with schema"
    OBJECT = "json_object"
    WORDS = "words"


class ToolImages(StrEnum):
    """Where the images of tool results go."""

    USER = "user"
    """In a user message after the tool messages: Chat Completions allows images there alone."""
    TOOL = "tool"
    """In the tool message itself, for services that accept them there."""


class Thoughts(StrEnum):
    """Whether the thoughts of a thinking model go back with its tool calls."""

    BACK = "as received"
    """DeepSeek and OpenRouter want them back."""
    ALWAYS = "as received, else empty"
    """DeepSeek insists on the member even where there were none, or where another model made the call."""
    NEVER = "never"
    """For services that refuse what they sent."""


THOUGHTS = ("reasoning_content", "reasoning", "reasoning_details")
"""Members of a message that hold thoughts, in the words of several services."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How requests are written for one service.

    Attributes:
        schema: How the form of a reply is asked for.
        limit: Name of the setting that bounds the reply.
        temperature: Whether a temperature may be set.
        tool_choice: Whether ``tool_choice`` may be set.
        parallel_tool_calls: Whether several calls a reply are asked for; ``None`` leaves it to the service.
        images: Whether the model reads images; if not, a note stands for each.
        tool_images: Where the images of tool results go.
        thoughts: Whether thoughts go back with tool calls.
        null_content: Whether an assistant message with calls and no text has null for its text, as the API
            has it; if not, the empty string.
    """

    schema: SchemaMode = SchemaMode.STRICT
    limit: str = "max_tokens"
    temperature: bool = True
    tool_choice: bool = True
    parallel_tool_calls: bool | None = None
    images: bool = True
    tool_images: ToolImages = ToolImages.USER
    thoughts: Thoughts = Thoughts.BACK
    null_content: bool = True


_REFUSALS = (400, 422)
_SCHEMA_MODES = tuple(SchemaMode)
_SCHEMA_WORDS = ("response_format", "json_schema", "json_object", "grammar")
_MISSED = ("missing", "must be passed", "required", "passed back")
_UNRELATED = ("image", "api key", "content_policy", "content policy")


def concede(dialect: Dialect, request: ChatRequest, failure: ServiceFailure) -> Dialect | None:
    """Give up the setting that a service refused.

    Every concession removes something, so that a request is written anew a few times at most.

    Args:
        dialect: How the request was written.
        request: The request.
        failure: The refusal.

    Returns:
        The dialect to try next; ``None`` if the refusal is about something else.
    """
    said = f"{failure.param} {failure.message}".lower()
    if dialect.null_content and _refuses_null(request, failure.status, said):
        return replace(dialect, null_content=False)
    if failure.status in _REFUSALS:
        for conceded in _named(dialect, request, said):
            return conceded
    if request.schema is None or dialect.schema is SchemaMode.WORDS:
        return None
    if not any(word in said for word in _SCHEMA_WORDS):
        elsewhere = failure.too_long or any(word in failure.says for word in _UNRELATED)
        if elsewhere or failure.status not in _REFUSALS:
            return None
    return replace(dialect, schema=_SCHEMA_MODES[_SCHEMA_MODES.index(dialect.schema) + 1])


def _named(dialect: Dialect, request: ChatRequest, said: str) -> list[Dialect]:
    """Dialects without a setting that the refusal names."""
    conceded: list[Dialect] = []
    if request.max_tokens is not None and dialect.limit == "max_tokens" and "max_completion_tokens" in said:
        conceded.append(replace(dialect, limit="max_completion_tokens"))
    if request.temperature is not None and dialect.temperature and "temperature" in said:
        conceded.append(replace(dialect, temperature=False))
    if request.tools and dialect.parallel_tool_calls is not None and "parallel_tool_calls" in said:
        conceded.append(replace(dialect, parallel_tool_calls=None))
    if request.tools and dialect.tool_choice and ("tool_choice" in said or "tool choice" in said):
        conceded.append(replace(dialect, tool_choice=False))
    if any(message.tool_calls for message in request.messages):
        conceded.extend(_about_thoughts(dialect, said.replace("reasoning_effort", "")))
    return conceded


def _refuses_null(request: ChatRequest, status: int, said: str) -> bool:
    """Whether a refusal may be about a message without text; llama-cpp-python's has a status of 500."""
    if not any(message.tool_calls and not message.text for message in request.messages):
        return False
    about_text = "content" in said and any(word in said for word in ("string", "null", "none", "empty"))
    return status in (*_REFUSALS, 500) and ("validation error" in said or about_text)


def _about_thoughts(dialect: Dialect, said: str) -> list[Dialect]:
    """Thoughts that are missed are sent, empty where there are none; thoughts that are refused are not."""
    if not any(name in said for name in THOUGHTS):
        return []
    missed = any(word in said for word in _MISSED)
    if missed and dialect.thoughts is Thoughts.BACK:
        return [replace(dialect, thoughts=Thoughts.ALWAYS)]
    if not missed and dialect.thoughts is not Thoughts.NEVER:
        return [replace(dialect, thoughts=Thoughts.NEVER)]
    return []
