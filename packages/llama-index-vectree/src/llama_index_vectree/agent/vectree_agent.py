"""``VecTreeAgent``: Algorithm 1 inside LlamaIndex's workflows.

LlamaIndex runs the loop: it asks the agent for a step, runs the calls side by side, and hands their results back.
The agent decides by VecTree's rules what a step is, and overrides nothing but the methods LlamaIndex leaves open.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.agent.workflow.workflow_events import AgentInput, AgentOutput, ToolCallResult
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.llms import LLM
from llama_index.core.memory import BaseMemory
from llama_index.core.tools import AsyncBaseTool, BaseTool
from llama_index.core.workflow import Context

from llama_index_vectree.agent.answer import AnswerData, checked_answer
from llama_index_vectree.agent.events import to_event
from llama_index_vectree.agent.observing import Observed, not_the_model_s, observe
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
from vectree.errors import NoAnswer, VecTreeError
from vectree.llm.chat import ChatModel

if TYPE_CHECKING:
    # Older versions hand over a Context, which is one too.
    from llama_index.core.agent.workflow.agent_context import AgentContext

log = logging.getLogger(__name__)

PAPER_POLICY = LoopPolicy()
"""Thirty rounds, the reminder from the tenth call."""

_STEPS_BESIDE_ROUNDS = 2
"""LlamaIndex ends a run *at* its limit, and the answer after the last round is a step of its own."""


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
        kept = RunStore(ctx, self.name, self.scratchpad_key)
        run = await kept.load() or await self._new_run(llm_input)
        while self._policy.may_ask(run.loop):
            response = await self._ask(ctx, kept, run, llm_input, tools)
            message = with_ids(response.message)
            calls = to_calls(message, self.llm)
            loop, then = self._policy.advance(run.loop, text=text_of(message), calls=len(calls))
            run = replace(run, loop=loop, usage=add_usage(run.usage, to_usage(response)), issued=calls)
            if then is Next.ACT and await kept.has_room(_STEPS_BESIDE_ROUNDS):
                await kept.say(message)
                await kept.save(run)
                selected = [to_selection(call) for call in calls]
                return AgentOutput(
                    response=message, tool_calls=selected, raw=response.raw, current_agent_name=self.name
                )
            if then is Next.FINISH:
                return await self._finished(kept, run, message, Stopped.FINAL, response.raw)
            if then is Next.ACT:
                log.warning("The workflow's max_iterations ends the run in round %d.", loop.rounds)
            if then is not Next.NUDGE:
                return await self._ended(
                    kept, run, Stopped.EMPTY_REPLY if then is Next.STOP else Stopped.ROUND_LIMIT
                )
            # As in the core, the empty reply is not repeated to the model: several services refuse one.
            nudge = await asyncio.to_thread(self._policy.nudge)
            await kept.say(ChatMessage(role=MessageRole.USER, content=nudge))
        return await self._ended(kept, run, Stopped.ROUND_LIMIT)

    async def handle_tool_call_results(
        self, ctx: Context, results: list[ToolCallResult], memory: BaseMemory
    ) -> None:
        """Take in results, in the order in which the calls were issued.

        Args:
            ctx: Of the workflow.
            results: Of all calls of a round.
            memory: Of the workflow.
        """
        kept = RunStore(cast("AgentContext", ctx), self.name, self.scratchpad_key)
        run = await kept.load() or await self._new_run([])
        if broken := not_the_model_s(results):
            raise await _given_up(kept, run, broken)
        observed = await asyncio.to_thread(self._observed, run, results)
        await kept.save(replace(run, steps=run.steps + tuple(item.step for item in observed), issued=()))
        await kept.add_figures({item.result.tool_id: item.figures for item in observed if item.figures})
        await super().handle_tool_call_results(ctx, [item.result for item in observed], memory)
        for item in observed:
            ctx.write_event_to_stream(to_event(self.name, item.step))

    async def _new_run(self, llm_input: list[ChatMessage]) -> Run:
        def prompt() -> str:
            return system_prompt(self._library.stats())

        # In a thread: the prompt is a file, and the corpus's numbers are read from disk.
        text = "" if self.system_prompt else await asyncio.to_thread(prompt)
        question = next((text_of(m) for m in reversed(llm_input) if m.role == MessageRole.USER), "")
        return Run(question=question, prompt=text)

    async def _ask(
        self,
        ctx: AgentContext,
        kept: RunStore,
        run: Run,
        llm_input: list[ChatMessage],
        tools: Sequence[AsyncBaseTool],
    ) -> ChatResponse:
        prompt = [ChatMessage(role=MessageRole.SYSTEM, content=run.prompt)] if run.prompt else []
        conversation = [*prompt, *llm_input, *await kept.said()]
        ctx.write_event_to_stream(AgentInput(input=conversation, current_agent_name=self.name))
        messages = await asyncio.to_thread(
            attach,
            conversation,
            await kept.figures(),
            lambda ref: load_image(self._library, ref),
            placement(self.llm, self.image_delivery),
        )
        try:
            if self.streaming:
                return await self._get_streaming_response(ctx, messages, tools)
            return await self._get_response(messages, tools)
        except VecTreeError as error:
            raise await _given_up(kept, run, error) from None

    async def _ended(self, kept: RunStore, run: Run, reason: Stopped) -> AgentOutput:
        """The last text is the answer (Algorithm 1, line 28)."""
        try:
            text = self._policy.ending(run.loop, reason)
        except NoAnswer as error:
            raise await _given_up(kept, run, error) from None
        last = ChatMessage(role=MessageRole.ASSISTANT, content=text)
        return await self._finished(kept, run, last, reason)

    async def _finished(
        self, kept: RunStore, run: Run, message: ChatMessage, reason: Stopped, raw: Any = None
    ) -> AgentOutput:
        await kept.say(message)
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

    def _observed(self, run: Run, results: Sequence[ToolCallResult]) -> list[Observed]:
        by_id = {result.tool_id: result for result in results}
        where = placement(self.llm, self.image_delivery)
        return [
            observe(
                self._library,
                call,
                by_id[call.id],
                round_number=run.loop.rounds,
                ordinal=ordinal,
                reminder=self._policy.reminder(ordinal),
                where=where,
                only_ours=self._only_ours,
            )
            for ordinal, call in enumerate(run.issued, start=run.loop.calls - len(run.issued) + 1)
        ]


async def _given_up(kept: RunStore, run: Run, error: VecTreeError) -> VecTreeError:
    """The error that ends a run, with the steps taken; the next question begins anew."""
    error.trajectory = run.steps
    await kept.clear()
    return error
