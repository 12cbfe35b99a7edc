"""Requests in the words of the Chat Completions API."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from typing import Any

from vectree.llm.chat import ChatRequest, Image, Message, Role, ToolCall, ToolSpec
from vectree.llm.dialect import THOUGHTS, Dialect, SchemaMode, Thoughts, ToolImages
from vectree.llm.json_schema import strict_schema
from vectree.prompts import fill

Wire = dict[str, Any]

_SCHEMA_NAME = "reply"
_BROKEN = "unreadable"
_SURROGATE = re.compile("[\ud800-\udfff]")


def request_body(request: ChatRequest, *, model: str, dialect: Dialect) -> Wire:
    """Write a request as a service wants it.

    Args:
        request: The request.
        model: Name of the model at the service.
        dialect: What the service understands.

    Returns:
        The body of the call, plain JSON.
    """
    body: Wire = {"model": model, "messages": list(_messages(request.messages, dialect))}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
        if dialect.tool_choice:
            body["tool_choice"] = "auto"
        if dialect.parallel_tool_calls is not None:
            body["parallel_tool_calls"] = dialect.parallel_tool_calls
    if request.schema is not None:
        _ask_for_schema(body, request.schema, dialect.schema)
    if request.temperature is not None and dialect.temperature:
        body["temperature"] = request.temperature
    if request.max_tokens is not None:
        body[dialect.limit] = request.max_tokens
    return body


def _ask_for_schema(body: Wire, schema: Wire, mode: SchemaMode) -> None:
    match mode:
        case SchemaMode.STRICT:
            form = {"name": _SCHEMA_NAME, "schema": strict_schema(schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        case SchemaMode.OBJECT_SCHEMA:
            body["response_format"] = {"type": "json_object", "schema": strict_schema(schema)}
        case SchemaMode.OBJECT:
            body["response_format"] = {"type": "json_object"}
        case SchemaMode.WORDS:
            pass
    if mode is not SchemaMode.STRICT:
        _append_text(body["messages"], fill("follow_schema", schema=json.dumps(schema, ensure_ascii=False)))


def _append_text(messages: list[Wire], text: str) -> None:
    """Say something more at the end: within the last message if the user speaks there, else in a new one."""
    last = messages[-1] if messages else {}
    if last.get("role") == "user" and isinstance(last["content"], str):
        last["content"] = f"{last['content']}\n\n{text}"
    elif last.get("role") == "user":
        last["content"] = [*last["content"], {"type": "text", "text": text}]
    else:
        messages.append({"role": "user", "content": text})


def _messages(messages: tuple[Message, ...], dialect: Dialect) -> Iterator[Wire]:
    """Messages on the wire; images of tool results follow the last of the tool messages they came with."""
    waiting: list[Image] = []
    for message in messages:
        if waiting and message.role is not Role.TOOL:
            yield _images_of_tools(waiting)
            waiting = []
        if message.role is Role.TOOL and dialect.images and dialect.tool_images is ToolImages.USER:
            waiting.extend(message.images)
            yield _message(message, (), dialect)
        else:
            yield _message(message, message.images, dialect)
    if waiting:
        yield _images_of_tools(waiting)


def _images_of_tools(images: list[Image]) -> Wire:
    names = ", ".join(image.name for image in images if image.name)
    said = f"Images returned by the tools: {names}" if names else "Images returned by the tools:"
    return {"role": "user", "content": [_text(said), *map(_image, images)]}


def _message(message: Message, images: tuple[Image, ...], dialect: Dialect) -> Wire:
    text = _sendable(message.text)
    if not dialect.images:
        text = "\n".join(
            [text, *(f"[image {image.name} left out: this model reads text only]" for image in images)]
        )
        images = ()
    wire: Wire = {"role": message.role.value, "content": text}
    if images:
        wire["content"] = [*([_text(text)] if text else []), *map(_image, images)]
    if message.tool_calls:
        wire["tool_calls"] = [_call(call) for call in message.tool_calls]
        wire["content"] = wire["content"] or (None if dialect.null_content else "")
        wire |= _thoughts(message, dialect)
    if message.role is Role.TOOL:
        wire["tool_call_id"] = message.tool_call_id or ""
    return wire


def _thoughts(message: Message, dialect: Dialect) -> Wire:
    match dialect.thoughts:
        case Thoughts.NEVER:
            return {}
        case Thoughts.ALWAYS:
            return {THOUGHTS[0]: "", **message.echo}
        case Thoughts.BACK:
            return dict(message.echo)


def _sendable(text: str) -> str:
    """Half a surrogate pair, which broken PDFs yield, cannot be sent as UTF-8."""
    return _SURROGATE.sub("\ufffd", text)


def _text(text: str) -> Wire:
    return {"type": "text", "text": text}


def _image(image: Image) -> Wire:
    data = base64.b64encode(image.data).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{data}"}}


def _tool(tool: ToolSpec) -> Wire:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _call(call: ToolCall) -> Wire:
    """A call as it was issued; services want a JSON object of arguments, so one is put around others."""
    arguments = _sendable(call.arguments)
    try:
        readable = isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        readable = False
    if not readable:
        arguments = json.dumps({_BROKEN: arguments}) if arguments.strip() else "{}"
    function = {"name": call.name, "arguments": arguments}
    return {"id": call.id, "type": "function", "function": function, **call.echo}
