"""Taking old page texts out of a conversation, for runs that would not fit or would cost too much.

Off by default. Algorithm 1 only ever appends (line 26), so that services can cache the prefix of a run; this is
a departure for long runs (§5 names context compaction as a way to reduce computation). It happens in steps,
each of which costs the cached prefix once: nothing is taken out until page texts fill their room, and then all
of them but the newest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vectree.agent.layers import Layer
from vectree.agent.tools import find_tool
from vectree.llm.chat import Message, Role, ToolCall
from vectree.prompts import fill, template
from vectree.tokens import count_tokens

PAGE_TOKENS = 12_000
"""Tokens of page text that may stand in the conversation: about eight pages."""

_MAX_ARGUMENTS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """When old page texts are taken out.

    Attributes:
        page_tokens: Tokens of page text that may stand in the conversation; once they are exceeded, the texts
            of all rounds but the newest are taken out, figures with them.
    """

    page_tokens: int = PAGE_TOKENS


def compaction_note() -> str:
    """What the system prompt says where texts may be taken out.

    Returns:
        A request to note findings with their citations in time.
    """
    return template("compaction")


def compact(messages: Sequence[Message], settings: Compaction) -> tuple[tuple[Message, ...], int]:
    """Take out old page texts if they fill more than their room.

    Every tool call keeps an answer, and what was read stays read: the trajectory does not change.

    Args:
        messages: The conversation.
        settings: When to do so.

    Returns:
        The conversation, the same one if nothing was taken out, and the tokens by which it became shorter.
    """
    asked = [place for place, message in enumerate(messages) if message.role is Role.ASSISTANT]
    newest = asked[-1] if asked else len(messages)
    calls = {call.id: call for message in messages for call in message.tool_calls}
    texts = {
        place: call
        for place, message in enumerate(messages)
        if (call := calls.get(message.tool_call_id or "")) and _discloses_text(call)
    }
    if sum(count_tokens(messages[place].text) for place in texts) <= settings.page_tokens:
        return tuple(messages), 0
    shorter = list(messages)
    saved = 0
    for place, call in texts.items():
        message = messages[place]
        note = fill("compacted", call=f"{call.name}({call.arguments[:_MAX_ARGUMENTS]})")
        if place < newest and count_tokens(note) < count_tokens(message.text):
            shorter[place] = replace(message, text=note, images=())
            saved += count_tokens(message.text) - count_tokens(note)
    return tuple(shorter), saved


def _discloses_text(call: ToolCall) -> bool:
    tool = find_tool(call.name)
    return tool is not None and tool.layer is Layer.TEXT
