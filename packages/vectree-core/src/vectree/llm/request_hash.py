"""The identity of a request: what decides whether two requests may share a reply."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from vectree.llm.chat import ChatRequest, Image, Message, ToolCall

_VERSION = 1


def request_view(model: str, request: ChatRequest) -> dict[str, Any]:
    """Write a request as plain JSON.

    Args:
        model: Name of the model.
        request: The request.

    Returns:
        Everything that may change the reply; images stand as their sha256 and media type.
    """
    return {
        "version": _VERSION,
        "model": model,
        "messages": [_message(message) for message in request.messages],
        "tools": [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
            for tool in request.tools
        ],
        "schema": request.schema,
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
    }


def request_hash(model: str, request: ChatRequest) -> str:
    """Hash a request together with the name of the model it goes to.

    Args:
        model: Name of the model.
        request: The request.

    Returns:
        64 hexadecimal digits; any change of a message, tool, schema, setting or image changes them.
    """
    written = json.dumps(request_view(model, request), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode("ascii")).hexdigest()


def _message(message: Message) -> dict[str, Any]:
    written = {
        "role": message.role.value,
        "text": message.text,
        "images": [_image(image) for image in message.images],
        "tool_calls": [_call(call) for call in message.tool_calls],
        "tool_call_id": message.tool_call_id,
    }
    return {**written, "echo": message.echo} if message.echo else written


def _image(image: Image) -> dict[str, str]:
    return {
        "sha256": hashlib.sha256(image.data).hexdigest(),
        "media_type": image.media_type,
        "name": image.name,
    }


def _call(call: ToolCall) -> dict[str, Any]:
    written = {"id": call.id, "name": call.name, "arguments": call.arguments}
    return {**written, "echo": call.echo} if call.echo else written
