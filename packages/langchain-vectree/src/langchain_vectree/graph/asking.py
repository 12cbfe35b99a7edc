"""The nodes ``prepare`` and ``agent``: rules are pinned, the model is asked, calls are counted at once."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import asdict
from typing import Any, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime
from langgraph.types import Send

from langchain_vectree.chat_models import openai_tools
from langchain_vectree.convert.calls import issued_calls, with_ids
from langchain_vectree.convert.messages import text_of, to_usage
from langchain_vectree.graph.state import (
    LAYER_NODES,
    LayerTask,
    Progress,
    RunSettings,
    VecTreeContext,
    VecTreeState,
    loop_state,
    policy_of,
    read_context,
)
from langchain_vectree.images import attach, placement
from vectree.agent.images import load_image
from vectree.agent.library import Library, LibraryStats
from vectree.agent.policy import Next
from vectree.agent.prompt import system_prompt
from vectree.agent.results import ImageRef
from vectree.agent.tools import TOOLS, find_tool
from vectree.agent.trajectory import add_usage
from vectree.errors import UsageError
from vectree.evidence import RunUsage
from vectree.llm.chat import Image

log = logging.getLogger(__name__)

_FIXED_STEPS = 3
"""Steps of a run that are no rounds: ``prepare``, ``finalize``, and the one LangGraph keeps in hand."""

_STEPS_A_ROUND = 2
"""``agent`` and the layers."""

_STEPS_LEFT = 4
"""Steps in which a run can take another round and end: ``agent``, the layers, ``finalize``, one in hand."""

_KEPT_FIGURES = 8


class Asking:
    """Asks the model; safe to use by several runs at once.

    Args:
        library: The corpus.
        model: The chat model.
        prompt: Takes the place of VecTree's system prompt, if given.
        defaults: Settings of runs that are started without.
    """

    def __init__(
        self, library: Library, model: BaseChatModel, *, prompt: str | None, defaults: VecTreeContext
    ) -> None:
        self._library = library
        self._model = model
        self._prompt = prompt
        self._defaults = defaults
        self._bound = model.bind_tools(openai_tools([tool.spec for tool in TOOLS]))
        self._figures: OrderedDict[ImageRef, Image] = OrderedDict()

    def prepare(self, state: VecTreeState, config: RunnableConfig, runtime: Runtime[Any]) -> dict[str, Any]:
        """Start a run: nothing is counted yet, and its settings are kept in the state.

        Args:
            state: Messages, the question last.
            config: Of the run.
            runtime: Of the run; its context holds settings.

        Returns:
            An update of the state.
        """
        chosen = read_context(runtime.context, self._defaults)
        if chosen.max_rounds < 1:
            raise UsageError(f"max_rounds={chosen.max_rounds}; it must be at least 1.")
        _warn_if_short(chosen.max_rounds, config.get("recursion_limit"))
        settings = RunSettings(
            max_rounds=chosen.max_rounds,
            reminder_from=chosen.reminder_from,
            images=placement(self._model, chosen.image_delivery),
            library=asdict(self._library.stats()),
        )
        progress = Progress(
            rounds=0,
            calls=0,
            nudges=0,
            last_text="",
            then="",
            since=len(state["messages"]),
            usage=asdict(RunUsage()),
        )
        return {"vectree_settings": settings, "vectree_progress": progress, "vectree_answer": None}

    def ask(self, state: VecTreeState, config: RunnableConfig) -> dict[str, Any]:
        """One round: ask the model.

        Args:
            state: Where the run stands.
            config: Passed on, so that callbacks and streams reach the model.

        Returns:
            An update of the state.
        """
        return self._advanced(state, self._bound.invoke(self._conversation(state), config))

    async def aask(self, state: VecTreeState, config: RunnableConfig) -> dict[str, Any]:
        """`ask` without blocking the event loop; figures are read in a thread.

        Args:
            state: Where the run stands.
            config: Passed on.

        Returns:
            An update of the state.
        """
        conversation = await asyncio.to_thread(self._conversation, state)
        return self._advanced(state, await self._bound.ainvoke(conversation, config))

    def _conversation(self, state: VecTreeState) -> list[BaseMessage]:
        settings = _settings(state)
        prompt = self._prompt or system_prompt(LibraryStats(**settings["library"]))
        return [SystemMessage(prompt), *attach(state["messages"], self._load, settings["images"])]

    def _load(self, figure: ImageRef) -> Image:
        """A figure, ready to send; the last ones are kept, as every round sends all of a run again."""
        image = self._figures.get(figure)
        if image is None:
            image = self._figures[figure] = load_image(self._library, figure)
            while len(self._figures) > _KEPT_FIGURES:
                self._figures.pop(next(iter(self._figures)), None)
        return image

    def _advanced(self, state: VecTreeState, message: Any) -> dict[str, Any]:
        reply = with_ids(cast("AIMessage", message))
        before = progress_of(state)
        policy = policy_of(_settings(state))
        calls = len(reply.tool_calls) + len(reply.invalid_tool_calls)
        after, then = policy.advance(loop_state(before), text=text_of(reply), calls=calls)
        usage = add_usage(RunUsage(**before["usage"]), to_usage(reply.usage_metadata))
        progress = Progress(**asdict(after), then=then.value, since=before["since"], usage=asdict(usage))
        messages: list[BaseMessage] = []
        if then in (Next.ACT, Next.FINISH):
            messages = [reply]
        elif then is Next.NUDGE:
            # As in the core, the empty reply is not repeated to the model: several services refuse one.
            messages = [HumanMessage(policy.nudge(), additional_kwargs={"vectree_nudge": True})]
        return {"messages": messages, "vectree_progress": progress}


def after_agent(state: VecTreeState) -> list[Send] | str:
    """Where a reply leads: each call to the node of its layer, an answer to ``finalize``.

    Args:
        state: Where the run stands.

    Returns:
        One `Send` for each call, in the order of issue, or the name of the next node.
    """
    progress = progress_of(state)
    if progress["then"] == Next.NUDGE:
        return "agent" if _steps_left(state) >= _STEPS_LEFT else "finalize"
    if progress["then"] != Next.ACT:
        return "finalize"
    calls = issued_calls(cast("AIMessage", state["messages"][-1]))
    first = progress["calls"] - len(calls) + 1
    return [
        Send(
            _node_of(call["name"], call["arguments"]),
            LayerTask(call=call, round=progress["rounds"], ordinal=ordinal, settings=_settings(state)),
        )
        for ordinal, call in enumerate(calls, start=first)
    ]


def after_layers(state: VecTreeState) -> str:
    """What follows the calls of a round.

    Args:
        state: Where the run stands.

    Returns:
        ``agent``; ``finalize`` once all rounds are used, or the step limit leaves no room for another.
    """
    more = policy_of(_settings(state)).may_ask(loop_state(progress_of(state)))
    return "agent" if more and _steps_left(state) >= _STEPS_LEFT else "finalize"


def progress_of(state: VecTreeState) -> Progress:
    """Where a run stands.

    Args:
        state: The state.

    Returns:
        Its progress; ``prepare`` has written it.
    """
    progress = state.get("vectree_progress")
    if progress is None:
        raise UsageError("The run was not prepared; enter the graph at its start.")
    return progress


def _settings(state: VecTreeState) -> RunSettings:
    settings = state.get("vectree_settings")
    if settings is None:
        raise UsageError("The run was not prepared; enter the graph at its start.")
    return settings


def _steps_left(state: VecTreeState) -> int:
    return state.get("remaining_steps", _STEPS_LEFT)


def _node_of(name: str, arguments: dict[str, Any] | str) -> str:
    tool = find_tool(name)
    return LAYER_NODES[tool.layer] if tool and isinstance(arguments, dict) else "reject"


def _warn_if_short(rounds: int, limit: int | None) -> None:
    needed = _STEPS_A_ROUND * rounds + _FIXED_STEPS
    if limit is not None and limit < needed:
        log.warning(
            "recursion_limit=%d leaves room for about %d of %d rounds; pass %d or more for all of them.",
            limit,
            max(0, (limit - _FIXED_STEPS) // _STEPS_A_ROUND),
            rounds,
            needed,
        )
