"""Where a run stands: plain JSON between steps, so that a context can be saved and restored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from llama_index.core.base.llms.types import ChatMessage

from vectree.agent.policy import LoopState
from vectree.agent.results import ImageRef
from vectree.agent.trajectory import step_data
from vectree.evidence import RunUsage, Step
from vectree.llm.chat import ToolCall

if TYPE_CHECKING:
    # Older versions hand over a Context, which is one too.
    from llama_index.core.agent.workflow.agent_context import AgentContext

_FIGURES = "vectree_figures"
_ITERATIONS = "num_iterations"
"""LlamaIndex's count of the steps of a run; it begins at 0 with every question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run while it lasts.

    Attributes:
        question: The last thing the user said before it.
        prompt: The system prompt; its numbers of the corpus stay the same during a run, so that services can cache
            it.
        loop: Where the loop stands.
        usage: What the model calls cost so far.
        steps: Answered calls in the order of issue.
        issued: The calls that are being answered, as the model wrote them, in the order of issue.
    """

    question: str
    prompt: str
    loop: LoopState = field(default_factory=LoopState)
    usage: RunUsage = field(default_factory=RunUsage)
    steps: tuple[Step, ...] = ()
    issued: tuple[ToolCall, ...] = ()


class RunStore:
    """Keeps the run of one agent, what was said in it, and the figures of a conversation, in a workflow's context.

    Args:
        ctx: The context.
        agent: Name of the agent; several may share a context.
        scratchpad: Where LlamaIndex keeps the messages of a run until it ends.
    """

    def __init__(self, ctx: AgentContext, agent: str, scratchpad: str) -> None:
        self._store = ctx.store
        self._key = "vectree_run_" + agent.replace(".", "_")  # a full stop would be a path to LlamaIndex
        self._scratchpad = scratchpad

    async def load(self) -> Run | None:
        """Read the run.

        Returns:
            The run; ``None`` if none is under way. What an interrupted run left behind is cleared away.
        """
        kept: dict[str, Any] | None = await self._store.get(self._key, default=None)
        said = await self.said()
        if said and await self._store.get(_ITERATIONS, default=0) == 0:
            await self.clear()
            return None
        if not kept or not said:
            return None
        return Run(
            question=kept["question"],
            prompt=kept["prompt"],
            loop=LoopState(**kept["loop"]),
            usage=RunUsage(**kept["usage"]),
            steps=tuple(_step(step) for step in kept["steps"]),
            issued=tuple(ToolCall(**call) for call in kept["issued"]),
        )

    async def save(self, run: Run) -> None:
        """Write the run.

        Args:
            run: The run.
        """
        kept = {
            "question": run.question,
            "prompt": run.prompt,
            "loop": asdict(run.loop),
            "usage": asdict(run.usage),
            "steps": [step_data(step) for step in run.steps],
            "issued": [asdict(call) for call in run.issued],
        }
        await self._store.set(self._key, kept)

    async def said(self) -> list[ChatMessage]:
        """What was said in the run.

        Returns:
            Messages in order.
        """
        return await self._store.get(self._scratchpad, default=[])

    async def say(self, message: ChatMessage) -> None:
        """Add to what was said.

        Args:
            message: The message.
        """
        await self._store.set(self._scratchpad, [*await self.said(), message])

    async def forget(self) -> None:
        """End the run; what was said stays for LlamaIndex to put into its memory."""
        await self._store.set(self._key, None)

    async def clear(self) -> None:
        """Leave nothing behind that the next question would go on from."""
        await self.forget()
        await self._store.set(self._scratchpad, [])

    async def has_room(self, steps: int) -> bool:
        """Whether the workflow's own limit leaves room for more steps.

        Args:
            steps: How many, the one at hand included.

        Returns:
            Whether it does; LlamaIndex fails a run *at* its limit.
        """
        limit: int | None = await self._store.get("max_iterations", default=None)
        return limit is None or await self._store.get(_ITERATIONS, default=0) + steps < limit

    async def figures(self) -> dict[str, tuple[ImageRef, ...]]:
        """The figures of the conversation.

        Returns:
            Id of a tool call to what its result refers to.
        """
        kept: dict[str, list[dict[str, Any]]] = await self._store.get(_FIGURES, default=None) or {}
        return {call_id: tuple(ImageRef(**ref) for ref in refs) for call_id, refs in kept.items()}

    async def add_figures(self, found: Mapping[str, tuple[ImageRef, ...]]) -> None:
        """Remember figures.

        Args:
            found: Id of a tool call to what its result refers to.
        """
        if found:
            known = await self.figures() | dict(found)
            plain = {call_id: [asdict(ref) for ref in refs] for call_id, refs in known.items()}
            await self._store.set(_FIGURES, plain)


def _step(kept: Mapping[str, Any]) -> Step:
    fields: dict[str, Any] = dict(kept)
    fields["sources"] = tuple((str(doc_id), int(page)) for doc_id, page in kept["sources"])
    return Step(**fields)
