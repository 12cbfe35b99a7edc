"""What the extractive model knows: the question, and the observations since it was asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from vectree.llm.chat import Message, Role, ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One answered tool call.

    Attributes:
        tool: Name of the tool.
        arguments: As they were issued.
        text: What came back.
    """

    tool: str
    arguments: dict[str, Any]
    text: str

    @property
    def doc_id(self) -> str:
        """The document the call was about; empty if it was about none."""
        return str(self.arguments.get("doc_id", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A conversation, as far as it matters.

    Attributes:
        question: The last thing the user said.
        observations: Answered tool calls since then, in order.
    """

    question: str
    observations: tuple[Observation, ...] = field(default=())

    def of(self, tool: str, doc_id: str = "") -> tuple[Observation, ...]:
        """The observations of one tool.

        Args:
            tool: Its name.
            doc_id: Only those about this document.

        Returns:
            Observations in order.
        """
        return tuple(
            seen for seen in self.observations if seen.tool == tool and (not doc_id or seen.doc_id == doc_id)
        )


def read_transcript(messages: Sequence[Message]) -> Transcript:
    """Read a conversation.

    Args:
        messages: The messages of a request.

    Returns:
        The current question and what has been seen since.
    """
    asked = max((place for place, message in enumerate(messages) if message.role is Role.USER), default=-1)
    question = messages[asked].text if asked >= 0 else ""
    issued: dict[str, ToolCall] = {}
    seen: list[Observation] = []
    for message in messages[asked + 1 :]:
        issued.update((call.id, call) for call in message.tool_calls)
        call = issued.get(message.tool_call_id or "")
        if message.role is Role.TOOL and call is not None:
            seen.append(Observation(tool=call.name, arguments=json.loads(call.arguments), text=message.text))
    return Transcript(question=question, observations=tuple(seen))
