"""What the agent streams beside LlamaIndex's own events."""

from __future__ import annotations

from typing import Any

from llama_index.core.workflow import Event

from vectree.evidence import Step


class VecTreeStep(Event):
    """Streamed after each call: what was asked, in which layer, what it cost and what was read.

    Attributes:
        agent: Name of the agent.
        round: Round of the loop, from 1.
        call: Ordinal of the call in the run, from 1.
        tool: Name as issued.
        layer: Disclosure layer; ``None`` for a tool that is none of the seven.
        arguments: As validated, or as written if they could not be.
        tokens: Size of the payload.
        sources: ``[doc_id, page]`` pairs whose text or figure it returned.
        error: What went wrong; empty if nothing.
    """

    agent: str
    round: int
    call: int
    tool: str
    layer: int | None
    arguments: dict[str, Any]
    tokens: int
    sources: list[list[Any]]
    error: str


def to_event(agent: str, step: Step) -> VecTreeStep:
    """A step as an event.

    Args:
        agent: Name of the agent.
        step: The step.

    Returns:
        The event.
    """
    return VecTreeStep(
        agent=agent,
        round=step.round,
        call=step.call,
        tool=step.tool,
        layer=step.layer,
        arguments=step.arguments,
        tokens=step.tokens,
        sources=[list(source) for source in step.sources],
        error=step.error,
    )
