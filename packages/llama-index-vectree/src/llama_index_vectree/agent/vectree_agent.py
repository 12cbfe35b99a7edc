"""``VecTreeAgent``: Algorithm 1 inside LlamaIndex's workflows.

LlamaIndex runs the loop: it asks the agent for a step, runs the calls side by side, and hands their results back.
The agent decides by VecTree's rules what a step is, and overrides nothing but the methods LlamaIndex leaves open.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.agent.workflow.agent_context import AgentContext
from llama_index.core.agent.workflow.workflow_events import AgentInput, AgentOutput, ToolCallResult
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.llms import LLM
from llama_index.core.memory import BaseMemory
from llama_index.core.tools import AsyncBaseTool, BaseTool
from llama_index.core.workflow import Context, Event

from llama_index_vectree.agent.answer import AnswerData, checked_answer
from llama_index_vectree.agent.observing import Observed, observe
from llama_index_vectree.agent.run import Run, RunStore
from llama_index_vectree.convert.calls import to_calls, to_selection, with_ids
from llama_index_vectree.convert.messages import text_of, to_usage
from llama_index_vectree.images import ImageDelivery, attach, placement
from llama_index_vectree.library import as_library
from llama_index_vectree.llm import as_llm
from llama_index_vectree.tools import ALL_LAYERS, VecTreeToolSpec
from vectree.agent.images import load_image
from vectree.agent.library import Library
from vectree.agent.policy import LoopPolicy, Next, Stopped
from vectree.agent.prompt import system_prompt
from vectree.agent.trajectory import add_usage
from vectree.corpus.facade import Corpus
from vectree.errors import NoAnswer, ToolError, VecTreeError
from vectree.llm.chat import ChatModel, ToolCall

log = logging.getLogger(__name__)

PAPER_POLICY = LoopPolicy()
"""Thirty rounds, the reminder from the tenth call."""

_STEPS_BESIDE_ROUNDS = 2
"""LlamaIndex ends a run *at* its limit, and the answer after the last round is a step of its own."""


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


class VecTreeAgent(FunctionAgent):
    """Answers questions from a corpus by the paper's rules; use it alone or in an `AgentWorkflow`.

    Every call counts when it is issued, malformed and unknown ones too; the tenth result and every later one carries
    the reminder to answer; the calls of the last round are run; then the last non-empty text is the answer, else
    `NoAnswer` is raised. An `AgentWorkflow` with a smaller ``max_iterations`` (20 unless you say otherwise) ends the
    run sooner, with the last text as well.

    The last event carries the answer with its citations checked: ``output.vectree_answer``, an `AnswerData`.

    Example:
        .. code-block:: python

            from llama_index_vectree import VecTreeAgent
            from vectree import Corpus

            agent = VecTreeAgent(Corpus.open("papers-corpus"), llm=llm)
            output = await agent.run("Which electrolyte conducts above 80 °C?")
            print(output, output.vectree_answer["citations"])

    Args:
        corpus: A corpus or library.
        llm: A LlamaIndex model that calls functions, or a model of VecTree's core. By default the one that quotes
            the papers and needs no key.
        tools: Tools of your own beside the seven.
        name: Name of the agent.
        description: What it does, for other agents.
        system_prompt: Takes the place of VecTree's.
        policy: The counting rules.
        image_delivery: Where figures go; ``"auto"`` decides by the class of the model.
        layers: Layers whose tools the agent has.
        **settings: Other settings of `FunctionAgent`.

    Attributes:
        image_delivery: Where figures go.
    """

    image_delivery: ImageDelivery = Field(default="auto", description="Where figures go.")

    _library: Library = PrivateAttr()
    _policy: LoopPolicy = PrivateAttr()
    _only_ours: bool = PrivateAttr()

    def __init__(
        self,
        corpus: Corpus | Library,
        *,
        llm: LLM | ChatModel | str | None = None,
        tools: Sequence[BaseTool | Callable[..., Any]] = (),
        name: str = "papers",
        description: str = "Answers questions from a library of papers, with citations to the page.",
        system_prompt: str | None = None,
        policy: LoopPolicy = PAPER_POLICY,
        image_delivery: ImageDelivery = "auto",
        layers: Sequence[int] = ALL_LAYERS,
        **settings: Any,
    ) -> None:
        library = as_library(corpus)
        ours = VecTreeToolSpec(library, layers=layers, images="reference", keep_data=False).to_tool_list()
        super().__init__(  # pyright: ignore[reportUnknownMemberType]  # Callable of what, is not said
            name=name,
            description=description,
            system_prompt=system_prompt,
            tools=[*ours, *tools],
            llm=as_llm(llm),
            image_delivery=image_delivery,
            **settings,
        )
        self._library = library
        self._policy = policy
        self._only_ours = not tools

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Answer a question.

        Args:
            *args: As for `FunctionAgent`: the question first.
            **kwargs: As for `FunctionAgent`. ``max_iterations`` by default leaves room for all rounds.

        Returns:
            A handler: await it for the output, iterate over ``stream_events()`` before.
        """
        kwargs.setdefault("max_iterations", self._policy.max_rounds + _STEPS_BESIDE_ROUNDS)
        return super().run(*args, **kwargs)  # pyright: ignore[reportDeprecated]  # as applications call it

    async def take_step(
        self,
        ctx: AgentContext,
        llm_input: list[ChatMessage],
        tools: Sequence[AsyncBaseTool],
        memory: BaseMemory,
    ) -> AgentOutput:
        """One round: ask the model, count its calls.

        Args:
            ctx: Of the workflow.
            llm_input: The conversation before this run.
            tools: What the model may call.
            memory: Of the workflow; unused.

        Returns:
            Calls to run, or the answer.
        """
        kept = RunStore(ctx, self.name)
        run = await self._under_way(ctx, kept, llm_input)
        while self._policy.may_ask(run.loop):
            response = await self._ask(ctx, run, llm_input, tools)
            message = with_ids(response.message)
            calls = to_calls(message, self.llm)
            loop, then = self._policy.advance(run.loop, text=text_of(message), calls=len(calls))
            run = replace(
                run,
                loop=loop,
                usage=add_usage(run.usage, to_usage(response)),
                issued=calls,
            )
            if then is Next.ACT and await _has_room(ctx):
                await self._say(ctx, message)
                await kept.save(run)
                selected = [to_selection(call) for call in calls]
                return AgentOutput(
                    response=message, tool_calls=selected, raw=response.raw, current_agent_name=self.name
                )
            if then is Next.FINISH:
                return await self._finished(ctx, kept, run, message, Stopped.FINAL, response.raw)
            if then is not Next.NUDGE:
                reason = Stopped.EMPTY_REPLY if then is Next.STOP else Stopped.ROUND_LIMIT
                return await self._ended(ctx, kept, run, reason)
            # As in the core, the empty reply is not repeated to the model: several services refuse one.
            await self._say(ctx, ChatMessage(role=MessageRole.USER, content=self._policy.nudge()))
        return await self._ended(ctx, kept, run, Stopped.ROUND_LIMIT)

    async def handle_tool_call_results(
        self, ctx: Context, results: list[ToolCallResult], memory: BaseMemory
    ) -> None:
        """Take in results, in the order in which the calls were issued.

        Args:
            ctx: Of the workflow.
            results: Of all calls of a round.
            memory: Of the workflow.
        """
        context = cast("AgentContext", ctx)
        kept = RunStore(context, self.name)
        run = await self._under_way(context, kept, [])
        by_id = {result.tool_id: result for result in results}
        answered = [(call, by_id[call.id]) for call in run.issued]
        broken = next((error for _, result in answered if (error := _not_the_model_s(result))), None)
        if broken is not None:
            await self._give_up(context, kept, run, broken)
            raise broken
        observed = await asyncio.to_thread(self._observed, run, answered)
        await kept.save(replace(run, steps=run.steps + tuple(item.step for item in observed), issued=()))
        await kept.add_figures({item.result.tool_id: item.figures for item in observed if item.figures})
        await super().handle_tool_call_results(ctx, [item.result for item in observed], memory)
        for item in observed:
            ctx.write_event_to_stream(self._event(item))

    async def _under_way(self, ctx: AgentContext, kept: RunStore, llm_input: list[ChatMessage]) -> Run:
        """The run at hand; a new one if LlamaIndex has nothing in hand for this agent."""
        run = await kept.load()
        if run is not None and await ctx.store.get(self.scratchpad_key, default=[]):
            return run
        prompt = "" if self.system_prompt else system_prompt(await asyncio.to_thread(self._library.stats))
        question = next((text_of(m) for m in reversed(llm_input) if m.role == MessageRole.USER), "")
        return Run(question=question, prompt=prompt)

    async def _ask(
        self, ctx: AgentContext, run: Run, llm_input: list[ChatMessage], tools: Sequence[AsyncBaseTool]
    ) -> ChatResponse:
        prompt = [ChatMessage(role=MessageRole.SYSTEM, content=run.prompt)] if run.prompt else []
        said: list[ChatMessage] = await ctx.store.get(self.scratchpad_key, default=[])
        figures = await RunStore(ctx, self.name).figures()
        where = placement(self.llm, self.image_delivery)

        def conversation() -> list[ChatMessage]:
            messages = [*prompt, *llm_input, *said]
            return attach(messages, figures, lambda ref: load_image(self._library, ref), where)

        ctx.write_event_to_stream(
            AgentInput(input=[*prompt, *llm_input, *said], current_agent_name=self.name)
        )
        messages = await asyncio.to_thread(conversation)
        if self.streaming:
            return await self._get_streaming_response(ctx, messages, tools)
        return await self._get_response(messages, tools)

    async def _say(self, ctx: AgentContext, message: ChatMessage) -> None:
        said: list[ChatMessage] = await ctx.store.get(self.scratchpad_key, default=[])
        await ctx.store.set(self.scratchpad_key, [*said, message])

    async def _ended(self, ctx: AgentContext, kept: RunStore, run: Run, reason: Stopped) -> AgentOutput:
        """The last text is the answer (Algorithm 1, line 28)."""
        try:
            text = self._policy.ending(run.loop, reason)
        except NoAnswer as error:
            await self._give_up(ctx, kept, run, error)
            raise
        last = ChatMessage(role=MessageRole.ASSISTANT, content=text)
        return await self._finished(ctx, kept, run, last, reason)

    async def _finished(
        self,
        ctx: AgentContext,
        kept: RunStore,
        run: Run,
        message: ChatMessage,
        reason: Stopped,
        raw: Any = None,
    ) -> AgentOutput:
        await self._say(ctx, message)
        await kept.forget()

        def check() -> AnswerData:
            return checked_answer(
                self._library,
                run.question,
                text_of(message).strip(),
                run.steps,
                usage=run.usage,
                stopped=reason.value,
                rounds=run.loop.rounds,
                calls=run.loop.calls,
                model=self.llm.metadata.model_name,
            )

        output = AgentOutput(response=message, tool_calls=[], raw=raw, current_agent_name=self.name)
        output["vectree_answer"] = await asyncio.to_thread(check)
        return output

    async def _give_up(self, ctx: AgentContext, kept: RunStore, run: Run, error: VecTreeError) -> None:
        """Leave nothing behind that the next question would go on from."""
        error.trajectory = run.steps
        await kept.forget()
        await ctx.store.set(self.scratchpad_key, [])

    def _observed(self, run: Run, answered: Sequence[tuple[ToolCall, ToolCallResult]]) -> list[Observed]:
        first = run.loop.calls - len(answered) + 1
        where = placement(self.llm, self.image_delivery)
        return [
            observe(
                self._library,
                call,
                result,
                round_number=run.loop.rounds,
                ordinal=ordinal,
                reminder=self._policy.reminder(ordinal),
                where=where,
                only_ours=self._only_ours,
            )
            for ordinal, (call, result) in enumerate(answered, start=first)
        ]

    def _event(self, item: Observed) -> VecTreeStep:
        step = item.step
        return VecTreeStep(
            agent=self.name,
            round=step.round,
            call=step.call,
            tool=step.tool,
            layer=step.layer,
            arguments=step.arguments,
            tokens=step.tokens,
            sources=[list(source) for source in step.sources],
            error=step.error,
        )


async def _has_room(ctx: AgentContext) -> bool:
    """Whether the workflow's own limit leaves room for these calls and an answer after them."""
    limit: int | None = await ctx.store.get("max_iterations", default=None)
    done: int = await ctx.store.get("num_iterations", default=0)
    if limit is None or done + _STEPS_BESIDE_ROUNDS < limit:
        return True
    log.warning("max_iterations=%d of the workflow ends the run before its last round.", limit)
    return False


def _not_the_model_s(result: ToolCallResult) -> VecTreeError | None:
    """What a tool raised that no model can correct: LlamaIndex would show it to the model and go on."""
    error = result.tool_output.exception
    return error if isinstance(error, VecTreeError) and not isinstance(error, ToolError) else None
