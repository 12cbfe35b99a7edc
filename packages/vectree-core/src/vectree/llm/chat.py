"""The seam to a chat model: one method, values in and out, no provider's vocabulary."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable


class Role(StrEnum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image handed to a model.

    Attributes:
        data: Encoded bytes.
        media_type: From the bytes, e.g. ``"image/png"``.
        name: Name it is known under.
    """

    data: bytes
    media_type: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool call as the model issued it.

    Attributes:
        id: Identifier that the answering message repeats.
        name: As written; may name no tool.
        arguments: The arguments as the model wrote them: JSON text that may be broken.
        echo: What the service wants back with the call, unread, such as a signature of its thoughts.
    """

    id: str
    name: str
    arguments: str
    echo: dict[str, Any] = field(default_factory=lambda: dict[str, Any](), hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation.

    Attributes:
        role: Who speaks.
        text: What is said; may be empty when there are tool calls.
        images: Images that go with it.
        tool_calls: Calls issued by an assistant message.
        tool_call_id: For a tool message, the call it answers.
        echo: For an assistant message with calls, ``Reply.echo``.
    """

    role: Role
    text: str = ""
    images: tuple[Image, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    echo: dict[str, Any] = field(default_factory=lambda: dict[str, Any](), hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as a model sees it.

    Attributes:
        name: Name to call it by.
        description: What it does, for the model.
        parameters: JSON schema of its arguments.
    """

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """Everything a model needs for one reply.

    Attributes:
        messages: The conversation so far.
        tools: Tools the model may call.
        schema: JSON schema the reply must follow, if any.
        temperature: Sampling temperature; ``None`` leaves the service's default.
        max_tokens: Bound on the reply; ``None`` leaves the service's default.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    schema: dict[str, Any] | None = None
    temperature: float | None = None
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one or more model calls, and their price.

    Attributes:
        prompt_tokens: Tokens sent.
        completion_tokens: Tokens generated.
        cached_tokens: Part of the prompt tokens served from a prefix cache.
        cost: US dollars; ``None`` where the price is unknown.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A model's reply.

    Attributes:
        text: What it said; may be empty.
        tool_calls: Calls it issued, in order.
        usage: What it cost.
        echo: What the service wants back with its calls, unread: the thoughts of a thinking model.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    echo: dict[str, Any] = field(default_factory=lambda: dict[str, Any](), hash=False)


@runtime_checkable
class ChatModel(Protocol):
    """A chat model.

    Implementations are safe to call from several threads. ``context_window`` is in tokens of the model's
    own tokenizer, ``None`` if unknown.
    """

    @property
    def name(self) -> str:
        """Name shown in outputs and used in cache keys."""
        ...

    @property
    def context_window(self) -> int | None:
        """Tokens a request and its reply may have together."""
        ...

    def complete(self, request: ChatRequest) -> Reply:
        """Answer one request.

        Args:
            request: Messages, tools and settings.

        Returns:
            The reply.

        Raises:
            ModelRequestError: If the service cannot be reached or refuses.
            ModelReplyError: If what came back is no reply.
        """
        ...
