"""Tool calls that a server left in the text of a reply, because it has no parser for the model's own marks."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Container

from vectree.llm.chat import ToolCall

_BLOCK = re.compile(r"<tool_call>\s*(\{.{0,20000}?\})\s*</tool_call>", re.DOTALL)
_MOST = 16


def calls_in_text(text: str, offered: Container[str]) -> tuple[str, tuple[ToolCall, ...]]:
    """Take ``<tool_call>{"name": …, "arguments": …}</tool_call>`` out of a text.

    Args:
        text: What the model said.
        offered: Names of the tools it may call; what names another one is left in the text.

    Returns:
        The text without the calls, and the calls.
    """
    calls: list[ToolCall] = []

    def take(match: re.Match[str]) -> str:
        call = _call(match[1], offered) if len(calls) < _MOST else None
        if call is None:
            return match[0]
        calls.append(call)
        return ""

    rest = _BLOCK.sub(take, text)
    return (rest.strip(), tuple(calls)) if calls else (text, ())


def _call(written: str, offered: Container[str]) -> ToolCall | None:
    try:
        name, arguments = _read(json.loads(written))
    except (ValueError, RecursionError, KeyError, TypeError):
        return None
    if not isinstance(name, str) or name not in offered:
        return None
    said = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ToolCall(id=f"call_{uuid.uuid4().hex[:16]}", name=name, arguments=said)


def _read(call: dict[str, object]) -> tuple[object, object]:
    return call["name"], call.get("arguments", call.get("parameters", {}))
