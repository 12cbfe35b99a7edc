"""Messages, both ways."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.messages.ai import UsageMetadata

from langchain_vectree.convert.calls import from_calls, to_calls
from vectree.errors import UsageError
from vectree.llm.chat import Image, Message, Reply, Role, Usage

Block = dict[str, Any]


def image_block(image: Image) -> Block:
    """An image as LangChain's standard content block, which every provider package translates.

    Args:
        image: The image.

    Returns:
        The block.
    """
    return {
        "type": "image",
        "base64": base64.b64encode(image.data).decode("ascii"),
        "mime_type": image.media_type,
    }


def text_block(text: str) -> Block:
    """A text as a content block.

    Args:
        text: The text.

    Returns:
        The block.
    """
    return {"type": "text", "text": text}


def text_of(message: BaseMessage) -> str:
    """What a message says, without images, calls and reasoning.

    Args:
        message: The message.

    Returns:
        Its text; may be empty.
    """
    return str(message.text)


def to_message(message: Message) -> BaseMessage:
    """A message of ours as LangChain's; images become content blocks of the same message.

    Args:
        message: The message.

    Returns:
        The same for a LangChain model.
    """
    content: Any = message.text
    if message.images:
        content = [text_block(message.text)] if message.text else []
        content += [image_block(image) for image in message.images]
    match message.role:
        case Role.SYSTEM:
            return SystemMessage(content)
        case Role.USER:
            return HumanMessage(content)
        case Role.ASSISTANT:
            return AIMessage(content, **from_calls(message.tool_calls))
        case Role.TOOL:
            return ToolMessage(content, tool_call_id=message.tool_call_id or "")


def from_message(message: BaseMessage) -> Message:
    """A LangChain message as ours.

    Args:
        message: The message.

    Returns:
        The same for a core model.

    Raises:
        UsageError: If it is of a kind that a conversation with tools does not have.
    """
    text, images = text_of(message), tuple(_images(message))
    match message:
        case SystemMessage():
            return Message(role=Role.SYSTEM, text=text)
        case HumanMessage():
            return Message(role=Role.USER, text=text, images=images)
        case AIMessage():
            return Message(role=Role.ASSISTANT, text=text, tool_calls=to_calls(message))
        case ToolMessage():
            return Message(role=Role.TOOL, text=text, images=images, tool_call_id=message.tool_call_id)
        case ChatMessage(role="user" | "assistant" | "system"):
            return Message(role=Role(message.role), text=text)
        case _:
            raise UsageError(f"A message of type {message.type!r} cannot be sent to this model.")


def to_reply(message: AIMessage) -> Reply:
    """A model's message as a reply.

    Args:
        message: The message.

    Returns:
        Text, calls in order, usage; the price is unknown to LangChain.
    """
    return Reply(text=text_of(message), tool_calls=to_calls(message), usage=to_usage(message.usage_metadata))


def from_reply(reply: Reply) -> AIMessage:
    """A reply as a model's message.

    Args:
        reply: The reply.

    Returns:
        The message.
    """
    usage = reply.usage
    metadata = UsageMetadata(
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.completion_tokens,
        total_tokens=usage.prompt_tokens + usage.completion_tokens,
        input_token_details={"cache_read": usage.cached_tokens},
    )
    return AIMessage(reply.text, usage_metadata=metadata, **from_calls(reply.tool_calls))


def to_usage(usage: UsageMetadata | None) -> Usage:
    """Tokens of one model call.

    Args:
        usage: As LangChain counts them, if the provider told.

    Returns:
        The same as ours, price unknown.
    """
    if usage is None:
        return Usage()
    prompt = max(0, usage.get("input_tokens", 0))
    cached = (usage.get("input_token_details") or {}).get("cache_read") or 0
    return Usage(
        prompt_tokens=prompt,
        completion_tokens=max(0, usage.get("output_tokens", 0)),
        cached_tokens=min(max(0, cached), prompt),
    )


def user_messages_last(messages: Sequence[Message]) -> list[BaseMessage]:
    """Messages for services that accept images of users alone: images of tool results follow the results.

    All results of one turn must come directly after the calls, so that their images go into one user message
    behind the last of them.

    Args:
        messages: A conversation.

    Returns:
        The conversation with its images moved.
    """
    out: list[BaseMessage] = []
    pending: list[Block] = []
    for message in messages:
        if message.role is not Role.TOOL and pending:
            out.append(HumanMessage(cast("Any", pending)))
            pending = []
        if message.role is Role.TOOL and message.images:
            pending.append(text_block(f"Image of the result {message.tool_call_id}:"))
            pending += [image_block(image) for image in message.images]
            message = Message(role=Role.TOOL, text=message.text, tool_call_id=message.tool_call_id)
        out.append(to_message(message))
    if pending:
        out.append(HumanMessage(cast("Any", pending)))
    return out


def _images(message: BaseMessage) -> Iterable[Image]:
    """Images that are in the message itself; addresses of images are not fetched."""
    if isinstance(message.content, str):
        return
    for block in message.content:
        image = _image(cast("dict[str, Any]", block)) if isinstance(block, dict) else None
        if image is not None:
            yield image


def _image(block: Mapping[str, Any]) -> Image | None:
    if block.get("type") == "image_url":
        address = block.get("image_url")
        url = address.get("url") if isinstance(address, dict) else address  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        head, _, data = str(url).partition(";base64,")  # pyright: ignore[reportUnknownArgumentType]
        return _decoded(data, head.removeprefix("data:")) if head.startswith("data:") else None
    if block.get("type") == "image":
        data = block.get("base64") or block.get("data")
        return _decoded(str(data), str(block.get("mime_type", "image/png"))) if data else None
    return None


def _decoded(data: str, media_type: str) -> Image | None:
    try:
        return Image(data=base64.b64decode(data, validate=True), media_type=media_type)
    except (binascii.Error, ValueError):
        return None
