"""Tool calls: as LlamaIndex's models issue them, and as VecTree reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, ToolCallBlock
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection

from vectree.agent.tool import read_arguments
from vectree.agent.tools import find_tool
from vectree.errors import InvalidArguments
from vectree.llm.chat import ToolCall

UNREADABLE = "unreadable"
"""Name under which arguments that are no JSON object travel to the tool, which answers in VecTree's words.

LlamaIndex mends or empties them, and the model would be told that an argument is missing that it had written
(C22).
"""


def with_ids(message: ChatMessage) -> ChatMessage:
    """A message whose calls can all be answered; providers refuse a conversation with an open call (C22).

    Args:
        message: The model's message; a call without an id, or with the id of another call, is given one.

    Returns:
        The message itself if nothing was missing.
    """
    ids = [block.tool_call_id for block in message.blocks if isinstance(block, ToolCallBlock)]
    if all(ids) and len(set(ids)) == len(ids):
        return message
    taken: set[str] = set()
    blocks = [
        block.model_copy(update={"tool_call_id": _fresh(block.tool_call_id, taken)})
        if isinstance(block, ToolCallBlock)
        else block
        for block in message.blocks
    ]
    return message.model_copy(update={"blocks": blocks})


def to_calls(message: ChatMessage, llm: object) -> tuple[ToolCall, ...]:
    """The calls of a model's message.

    Args:
        message: The message; see `with_ids`.
        llm: The model. It is asked where it keeps its calls if they are not in the message's blocks.

    Returns:
        The calls in the order of issue, arguments as the model wrote them if the message has them so.
    """
    blocks = [block for block in message.blocks if isinstance(block, ToolCallBlock)]
    if blocks:
        return tuple(
            ToolCall(id=block.tool_call_id or "", name=block.tool_name, arguments=as_text(block.tool_kwargs))
            for block in blocks
        )
    if not isinstance(llm, FunctionCallingLLM):
        return ()
    selected = llm.get_tool_calls_from_response(ChatResponse(message=message), error_on_no_tool_call=False)
    return tuple(
        ToolCall(id=one.tool_id, name=one.tool_name, arguments=as_text(one.tool_kwargs)) for one in selected
    )


def from_calls(calls: Iterable[ToolCall]) -> list[ToolCallBlock]:
    """Calls as blocks of a message.

    Args:
        calls: Calls as a model issued them.

    Returns:
        The blocks; arguments that are no JSON object stay text.
    """
    return [
        ToolCallBlock(tool_call_id=call.id, tool_name=call.name, tool_kwargs=_mapping_or_text(call.arguments))
        for call in calls
    ]


def to_selection(call: ToolCall) -> ToolSelection:
    """A call as LlamaIndex's agents run it.

    Args:
        call: The call.

    Returns:
        The same; white space around the name of a VecTree tool is removed, unreadable arguments are marked.
    """
    try:
        arguments = read_arguments(call.arguments)
    except InvalidArguments:
        arguments = {UNREADABLE: call.arguments}
    tool = find_tool(call.name)
    return ToolSelection(tool_id=call.id, tool_name=tool.name if tool else call.name, tool_kwargs=arguments)


def given_arguments(arguments: dict[str, Any]) -> str | dict[str, Any]:
    """What a tool was given, with unreadable arguments as the text they were.

    Args:
        arguments: Keyword arguments of a call.

    Returns:
        The arguments for `vectree.agent.tools.run_tool`.
    """
    text = arguments.get(UNREADABLE)
    return text if isinstance(text, str) and len(arguments) == 1 else arguments


def as_text(arguments: dict[str, Any] | str) -> str:
    """Arguments as a model writes them.

    Args:
        arguments: A mapping, or a text, which is returned as it is.

    Returns:
        JSON text.
    """
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, default=str)


def _mapping_or_text(arguments: str) -> dict[str, Any] | str:
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    return value if isinstance(value, dict) else arguments  # pyright: ignore[reportUnknownVariableType]


def _fresh(identity: str | None, taken: set[str]) -> str:
    number = len(taken) + 1
    chosen = identity or f"call-{number}"
    while chosen in taken:
        number += 1
        chosen = f"{identity or 'call'}-{number}"
    taken.add(chosen)
    return chosen
