"""The rules of Algorithm 1 for those who already run ``langchain.agents.create_agent``.

Needs the package ``langchain`` (extra ``agents``). Where every layer should be a node of its own, use
`langchain_vectree.graph`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any, NotRequired, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from langchain_vectree.convert.calls import issued_calls, with_ids
from langchain_vectree.convert.messages import text_of
from langchain_vectree.images import ImageDelivery, attach, placement
from langchain_vectree.library import as_library
from langchain_vectree.tools import VecTreeToolkit
from vectree.agent.images import load_image
from vectree.agent.library import Library
from vectree.agent.policy import LoopPolicy, LoopState, Next, Stopped
from vectree.agent.tools import run_tool
from vectree.corpus.facade import Corpus
from vectree.errors import MissingExtra

try:
    from langchain.agents.middleware import (
        AgentMiddleware,
        AgentState,
        ModelRequest,
        ModelResponse,
        hook_config,
    )
    from langchain.agents.middleware.types import ToolCallRequest
except ImportError as error:  # pragma: no cover - needs an environment without langchain
    missing = MissingExtra("langchain", extra="agents")
    missing.hint = 'Install it with: pip install "langchain-vectree[agents]"'
    raise missing from error

PAPER_POLICY = LoopPolicy()
"""Thirty rounds, the reminder from the tenth call."""


class VecTreeAgentState(AgentState[Any]):
    """The agent's state, and where the run stands: `vectree.agent.policy.LoopState` as plain JSON."""

    vectree_loop: NotRequired[dict[str, Any]]


class VecTreeMiddleware(AgentMiddleware[VecTreeAgentState, Any, Any]):
    """Gives an agent the seven tools and the paper's rules.

    Every issued call is counted when it is issued, malformed ones too; the result of the tenth and of every
    later call carries the reminder to answer; after ``max_rounds`` model calls the last non-empty text is the
    answer, else `vectree.errors.NoAnswer` is raised; figures go into the model's request and not into the
    state. Counters are kept in the state, so that a resumed run goes on counting.

    Example:
        .. code-block:: python

            from langchain.agents import create_agent
            from langchain_vectree.middleware import VecTreeMiddleware

            agent = create_agent("openai:gpt-4.1", middleware=[VecTreeMiddleware(corpus)])

    Args:
        corpus: Where the tools read.
        policy: The counting rules.
        image_delivery: Where figures go; ``"auto"`` decides by the model's profile.
        layers: Layers whose tools are handed out.
    """

    state_schema = VecTreeAgentState

    def __init__(
        self,
        corpus: Corpus | Library,
        *,
        policy: LoopPolicy = PAPER_POLICY,
        image_delivery: ImageDelivery = "auto",
        layers: tuple[int, ...] = (0, 1, 2),
    ) -> None:
        super().__init__()
        self._library = as_library(corpus)
        self._policy = policy
        self._delivery: ImageDelivery = image_delivery
        self.tools = VecTreeToolkit(
            corpus=self._library, layers=layers, images="reference", keep_data=False
        ).get_tools()

    def before_agent(self, state: VecTreeAgentState, runtime: Any) -> dict[str, Any]:
        """Start counting anew for each question.

        Args:
            state: Of the agent.
            runtime: Of the run; unused.

        Returns:
            An update of the state.
        """
        del state, runtime
        return {"vectree_loop": asdict(LoopState())}

    @hook_config(can_jump_to=["end"])
    def before_model(self, state: VecTreeAgentState, runtime: Any) -> dict[str, Any] | None:
        """End with the last text once all rounds are used.

        Args:
            state: Of the agent.
            runtime: Of the run; unused.

        Returns:
            An update that ends the run, or ``None``.
        """
        del runtime
        loop = _loop(state)
        return None if self._policy.may_ask(loop) else self._ended(loop, Stopped.ROUND_LIMIT)

    @hook_config(can_jump_to=["model", "end"])
    def after_model(self, state: VecTreeAgentState, runtime: Any) -> dict[str, Any] | None:
        """Count the calls of a reply; answer those that nobody else would.

        ``create_agent`` ends a run whose reply holds malformed calls alone, and leaves malformed calls beside
        good ones without the answer that providers insist on.

        Args:
            state: Of the agent.
            runtime: Of the run; unused.

        Returns:
            An update of the state.
        """
        del runtime
        reply = _last_reply(state["messages"])
        calls = issued_calls(reply)
        loop, then = self._policy.advance(_loop(state), text=text_of(reply), calls=len(calls))
        update: dict[str, Any] = {"vectree_loop": asdict(loop)}
        if then is Next.NUDGE:
            nudge = HumanMessage(self._policy.nudge(), additional_kwargs={"vectree_nudge": True})
            return update | {"messages": [nudge], "jump_to": "model"}
        if then is Next.STOP:
            return update | self._ended(loop, Stopped.EMPTY_REPLY)
        first = loop.calls - len(calls) + 1
        broken = {call.get("id") for call in reply.invalid_tool_calls}
        answers = [
            self._answered(call["id"], call["name"], call["arguments"], ordinal)
            for ordinal, call in enumerate(calls, start=first)
            if call["id"] in broken
        ]
        if answers:
            update["messages"] = answers
            if not reply.tool_calls:
                update["jump_to"] = "model"
        return update

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Put figures into the request; give every call of the reply an id that can be answered.

        Args:
            request: What is to be sent.
            handler: Sends it.

        Returns:
            The response.
        """
        return _answerable(handler(self._with_figures(request)))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """`wrap_model_call` without blocking the event loop.

        Args:
            request: What is to be sent.
            handler: Sends it.

        Returns:
            The response.
        """
        return _answerable(await handler(await asyncio.to_thread(self._with_figures, request)))

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        """Append the reminder to the result of the tenth and every later call.

        Args:
            request: The call.
            handler: Runs it.

        Returns:
            The tool message.
        """
        return self._reminded(request, handler(request))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """`wrap_tool_call` for event loops.

        Args:
            request: The call.
            handler: Runs it.

        Returns:
            The tool message.
        """
        return self._reminded(request, await handler(request))

    def _ended(self, loop: LoopState, reason: Stopped) -> dict[str, Any]:
        text = self._policy.ending(loop, reason)
        last = AIMessage(text, additional_kwargs={"vectree_stopped": reason.value})
        return {"jump_to": "end", "messages": [last]}

    def _answered(self, identity: str, name: str, arguments: Any, ordinal: int) -> ToolMessage:
        text = run_tool(self._library, name, arguments).text
        if reminder := self._policy.reminder(ordinal):
            text += f"\n\n{reminder}"
        return ToolMessage(text, tool_call_id=identity, name=name or "unknown", status="error")

    def _with_figures(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        where = placement(request.model, self._delivery)
        messages = attach(request.messages, lambda ref: load_image(self._library, ref), where)
        return request.override(messages=cast("Any", messages))

    def _reminded(self, request: ToolCallRequest, message: Any) -> Any:
        if not isinstance(message, ToolMessage):
            return message  # a Command of another tool
        state = cast("VecTreeAgentState", request.state)
        calls = issued_calls(_last_reply(state["messages"]))
        place = next((n for n, call in enumerate(calls) if call["id"] == request.tool_call["id"]), 0)
        reminder = self._policy.reminder(_loop(state).calls - len(calls) + place + 1)
        if not reminder:
            return message
        if isinstance(message.content, str):
            return message.model_copy(update={"content": f"{message.content}\n\n{reminder}"})
        return message.model_copy(update={"content": [*message.content, {"type": "text", "text": reminder}]})


def _loop(state: VecTreeAgentState) -> LoopState:
    return LoopState(**state.get("vectree_loop", {}))


def _last_reply(messages: list[Any]) -> AIMessage:
    return next(message for message in reversed(messages) if isinstance(message, AIMessage))


def _answerable(response: ModelResponse[Any]) -> ModelResponse[Any]:
    messages: list[BaseMessage] = [
        with_ids(message) if isinstance(message, AIMessage) else message for message in response.result
    ]
    response.result = messages
    return response
