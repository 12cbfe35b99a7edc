"""Messages, both ways."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ContentBlock,
    ImageBlock,
    MessageRole,
    TextBlock,
)

from llama_index_vectree.convert.calls import from_calls, to_calls, with_ids
from vectree.errors import UsageError
from vectree.llm.chat import Image, Message, Reply, Role, Usage

_ROLES = {
    MessageRole.SYSTEM: Role.SYSTEM,
    MessageRole.DEVELOPER: Role.SYSTEM,
    MessageRole.USER: Role.USER,
    MessageRole.ASSISTANT: Role.ASSISTANT,
    MessageRole.CHATBOT: Role.ASSISTANT,
    MessageRole.MODEL: Role.ASSISTANT,
    MessageRole.TOOL: Role.TOOL,
    MessageRole.FUNCTION: Role.TOOL,
}


def image_block(image: Image) -> ImageBlock:
    """An image as a block.

    Args:
        image: The image.

    Returns:
        The block; LlamaIndex keeps its bytes as base64.
    """
    return ImageBlock(image=image.data, image_mimetype=image.media_type)


def text_of(message: ChatMessage) -> str:
    """What a message says, without images, calls and reasoning.

    Args:
        message: The message.

    Returns:
        Its text; may be empty.
    """
    return message.content or ""


def to_message(message: Message) -> ChatMessage:
    """A message of ours as LlamaIndex's.

    Args:
        message: The message.

    Returns:
        The same; images are blocks of the same message.
    """
    blocks: list[ContentBlock] = [TextBlock(text=message.text)] if message.text else []
    blocks += [image_block(image) for image in message.images]
    blocks += from_calls(message.tool_calls)
    if not blocks and not message.tool_calls:
        blocks = [TextBlock(text="")]
    extra: dict[str, Any] = {"tool_call_id": message.tool_call_id} if message.tool_call_id is not None else {}
    return ChatMessage(role=MessageRole(message.role.value), blocks=blocks, additional_kwargs=extra)


def from_message(message: ChatMessage, llm: object) -> Message:
    """A LlamaIndex message as ours.

    Args:
        message: The message.
        llm: The model that wrote it, if it is an assistant's; see `llama_index_vectree.convert.calls.to_calls`.

    Returns:
        The same. Images that are only referred to by path or address are left out: none is opened or fetched.

    Raises:
        UsageError: If nobody speaks in it that a conversation with tools knows.
    """
    role = _ROLES.get(message.role)
    if role is None:
        raise UsageError(f"A message of role {message.role!r} cannot be sent to this model.")
    calls = to_calls(with_ids(message), llm) if role is Role.ASSISTANT else ()
    call_id = str(message.additional_kwargs.get("tool_call_id", "")) if role is Role.TOOL else None
    return Message(
        role=role,
        text=text_of(message),
        images=tuple(_images(message)),
        tool_calls=calls,
        tool_call_id=call_id,
    )


def to_reply(response: ChatResponse, llm: object) -> Reply:
    """A model's response as a reply.

    Args:
        response: The response.
        llm: The model.

    Returns:
        Text, calls in order, usage; the price is unknown to LlamaIndex.
    """
    message = with_ids(response.message)
    return Reply(text=text_of(message), tool_calls=to_calls(message, llm), usage=to_usage(response))


def from_reply(reply: Reply) -> ChatResponse:
    """A reply as a model's response.

    Args:
        reply: The reply.

    Returns:
        The response; ``raw`` holds the usage.
    """
    blocks: list[ContentBlock] = [TextBlock(text=reply.text)] if reply.text or not reply.tool_calls else []
    blocks += from_calls(reply.tool_calls)
    usage = {
        "prompt_tokens": reply.usage.prompt_tokens,
        "completion_tokens": reply.usage.completion_tokens,
        "total_tokens": reply.usage.prompt_tokens + reply.usage.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": reply.usage.cached_tokens},
    }
    message = ChatMessage(role=MessageRole.ASSISTANT, blocks=blocks)
    return ChatResponse(message=message, raw={"usage": usage}, delta=reply.text)


def to_usage(response: ChatResponse) -> Usage:
    """Tokens of one model call.

    Args:
        response: A response; integrations leave the provider's numbers in ``raw`` or ``additional_kwargs``.

    Returns:
        What could be found, price unknown.
    """
    told: Any = _part(response.raw, "usage") or cast("Any", response).additional_kwargs
    prompt = _number(told, "prompt_tokens", "input_tokens")
    details: Any = _part(told, "prompt_tokens_details") or _part(told, "input_tokens_details") or told
    cached = _number(details, "cached_tokens", "cache_read_input_tokens")
    return Usage(
        prompt_tokens=prompt,
        completion_tokens=_number(told, "completion_tokens", "output_tokens"),
        cached_tokens=min(cached, prompt),
    )


def images_last(messages: Sequence[Message]) -> list[ChatMessage]:
    """Messages for services that accept images of users alone: images of tool results follow the results.

    All results of one turn must come directly after the calls, so that their images go into one user message
    behind the last of them.

    Args:
        messages: A conversation.

    Returns:
        The conversation with its images moved.
    """
    out: list[ChatMessage] = []
    pending: list[ContentBlock] = []
    for message in messages:
        if message.role is not Role.TOOL and pending:
            out.append(ChatMessage(role=MessageRole.USER, blocks=pending))
            pending = []
        if message.role is Role.TOOL and message.images:
            pending.append(TextBlock(text=f"Image of the result {message.tool_call_id}:"))
            pending += [image_block(image) for image in message.images]
            message = Message(role=Role.TOOL, text=message.text, tool_call_id=message.tool_call_id)
        out.append(to_message(message))
    return [*out, ChatMessage(role=MessageRole.USER, blocks=pending)] if pending else out


def _images(message: ChatMessage) -> Iterator[Image]:
    for block in message.blocks:
        if isinstance(block, ImageBlock) and isinstance(block.image, bytes):
            try:
                data = base64.b64decode(block.image, validate=True)
            except (binascii.Error, ValueError):
                continue
            yield Image(data=data, media_type=block.image_mimetype or "image/png")


def _part(value: Any, name: str) -> Any:
    """A member of a mapping or of an object, as providers' packages return the one or the other."""
    if isinstance(value, Mapping):
        return value.get(name)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    return getattr(value, name, None)


def _number(value: Any, *names: str) -> int:
    found = (_part(value, name) for name in names)
    return next((max(0, number) for number in found if isinstance(number, int)), 0)
