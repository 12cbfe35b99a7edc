"""Tool calls: as LangChain sorts them, and in the order in which the model issued them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypedDict, cast

from langchain_core.messages import AIMessage

from vectree.llm.chat import ToolCall

_ORDER = "vectree_calls"
"""Response metadata: ids of all calls in the order of issue."""

_CALL_BLOCKS = frozenset({"tool_use", "tool_call", "invalid_tool_call", "function_call"})


class IssuedCall(TypedDict):
    """A tool call as plain JSON, as it travels through a graph.

    ``arguments`` is a mapping where LangChain could read it, else the text as the model wrote it.
    """

    id: str
    name: str
    arguments: dict[str, Any] | str


def issued_calls(message: AIMessage) -> list[IssuedCall]:
    """Every call a model issued, malformed ones too.

    LangChain keeps calls with readable arguments and the others in two lists. The order of issue is restored
    from what the provider left in the message; where it left nothing, malformed calls come last.

    Args:
        message: The model's message.

    Returns:
        The calls in order.
    """
    calls = [
        IssuedCall(id=call.get("id") or "", name=call["name"], arguments=call["args"])
        for call in message.tool_calls
    ]
    calls += [
        IssuedCall(id=call.get("id") or "", name=call.get("name") or "", arguments=call.get("args") or "")
        for call in message.invalid_tool_calls
    ]
    place = {identity: number for number, identity in enumerate(_order(message))}
    return sorted(calls, key=lambda call: place.get(call["id"], len(place)))


def with_ids(message: AIMessage) -> AIMessage:
    """A message whose calls can all be answered; providers refuse a conversation with an open call (C22).

    Args:
        message: The model's message; a call without an id, or with the id of another call, is given one.

    Returns:
        The message itself if nothing was missing.
    """
    ids = [call.get("id") for call in (*message.tool_calls, *message.invalid_tool_calls)]
    if all(ids) and len(set(ids)) == len(ids):
        return message
    taken: set[str] = set()
    # mypy and pyright cannot know that a TypedDict with another id is still of its type.
    valid = [cast("Any", {**call, "id": _fresh(call.get("id"), taken)}) for call in message.tool_calls]
    broken = [
        cast("Any", {**call, "id": _fresh(call.get("id"), taken)}) for call in message.invalid_tool_calls
    ]
    return message.model_copy(update={"tool_calls": valid, "invalid_tool_calls": broken})


def to_calls(message: AIMessage) -> tuple[ToolCall, ...]:
    """The calls of a message as VecTree has them.

    Args:
        message: The model's message.

    Returns:
        The calls in order, arguments as JSON text.
    """
    return tuple(
        ToolCall(id=call["id"], name=call["name"], arguments=as_text(call["arguments"]))
        for call in issued_calls(with_ids(message))
    )


def from_calls(calls: Iterable[ToolCall]) -> dict[str, Any]:
    """The fields of an `AIMessage` that hold tool calls.

    Args:
        calls: Calls as a model issued them.

    Returns:
        ``tool_calls``, ``invalid_tool_calls`` and ``response_metadata``.
    """
    valid: list[dict[str, Any]] = []
    broken: list[dict[str, Any]] = []
    order: list[str] = []
    for call in calls:
        order.append(call.id)
        arguments = _mapping(call.arguments)
        if arguments is None:
            error = "the arguments are not one JSON object"
            broken.append(
                {"type": "invalid_tool_call", "id": call.id, "name": call.name, "args": call.arguments}
                | {"error": error}
            )
        else:
            valid.append({"type": "tool_call", "id": call.id, "name": call.name, "args": arguments})
    metadata: dict[str, Any] = {_ORDER: order} if order else {}
    return {"tool_calls": valid, "invalid_tool_calls": broken, "response_metadata": metadata}


def _fresh(identity: str | None, taken: set[str]) -> str:
    number = len(taken) + 1
    chosen = identity or f"call-{number}"
    while chosen in taken:
        number += 1
        chosen = f"{identity or 'call'}-{number}"
    taken.add(chosen)
    return chosen


def _order(message: AIMessage) -> list[str]:
    """Ids in the order of issue: ours, else OpenAI's raw calls, else blocks as Anthropic writes them."""
    own: list[str] = message.response_metadata.get(_ORDER, [])
    if own:
        return own
    raw: list[Any] = message.additional_kwargs.get("tool_calls", [])
    if raw:
        return [str(call.get("id")) for call in raw]
    blocks: list[Any] = message.content if isinstance(message.content, list) else []
    mappings = [cast("dict[str, Any]", block) for block in blocks if isinstance(block, dict)]
    return [
        str(block.get("call_id") or block.get("id"))
        for block in mappings
        if block.get("type") in _CALL_BLOCKS
    ]


def as_text(arguments: dict[str, Any] | str) -> str:
    """Arguments as a model writes them.

    Args:
        arguments: A mapping, or a text, which is returned as it is.

    Returns:
        JSON text.
    """
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _mapping(arguments: str) -> dict[str, Any] | None:
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
