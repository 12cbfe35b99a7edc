"""The agent loop: Algorithm 1, driven by the rules in ``agent.policy``.

Messages are only ever appended, so that services can cache the prefix of a run. Every tool call gets an
answer, in the order in which the calls were issued.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from vectree.agent.citations import check_citations, uncited_sentences
from vectree.agent.images import load_image
from vectree.agent.library import Library
from vectree.agent.policy import LoopPolicy, LoopState, Next, Stopped
from vectree.agent.prompt import system_prompt
from vectree.agent.results import ToolResult
from vectree.agent.tools import TOOLS, find_tool, run_tool
from vectree.agent.trajectory import add_usage, evidence, pages_read
from vectree.errors import ToolError, UnknownDocument, VecTreeError
from vectree.evidence import Answer, RunUsage, Step
from vectree.llm.chat import ChatModel, ChatRequest, Image, Message, Reply, Role, ToolCall, ToolSpec
from vectree.tokens import count_tokens

_MAX_NAME = 200
_NOT_SHOWN = " [This model takes no images; the caption and the page's text are what there is.]"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSettings:
    """How a question is answered.

    Attributes:
        policy: The counting rules.
        temperature: Sampling temperature; ``None`` leaves the service's default.
        max_tokens: Bound on one reply; ``None`` leaves the service's default.
        images: Whether the model takes images; if not, a figure is answered with its caption and a note.
        withheld: Names of tools that are neither offered nor run; for ablations (§4.6).
        note: Put at the end of the system prompt; says what is different when tools are withheld.
    """

    policy: LoopPolicy = field(default_factory=LoopPolicy)
    temperature: float | None = None
    max_tokens: int | None = None
    images: bool = True
    withheld: frozenset[str] = frozenset()
    note: str = ""


@dataclass(slots=True, kw_only=True)
class _Run:
    """One run while it lasts: the only mutable value of the agent; it never leaves this module."""

    library: Library
    settings: LoopSettings
    messages: list[Message]
    on_step: Callable[[Step], None]
    cancelled: Callable[[], bool]
    tools: tuple[ToolSpec, ...]
    state: LoopState = field(default_factory=LoopState)
    steps: list[Step] = field(default_factory=lambda: list[Step]())
    usage: RunUsage = field(default_factory=RunUsage)


def answer_question(
    question: str,
    *,
    library: Library,
    model: ChatModel,
    settings: LoopSettings = LoopSettings(),
    on_step: Callable[[Step], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Answer:
    """Answer a question from a library (Algorithm 1).

    Args:
        question: The question; the paper's q.
        library: The corpus.
        model: Decides what to do in each round; the paper's policy.
        settings: Rounds, reminder, sampling.
        on_step: Called after each tool call, in order.
        cancelled: Asked before each model call and each tool call; the run ends when it returns True.

    Returns:
        The answer with its citations checked against the pages that were read.

    Raises:
        NoAnswer: If the run ends without any text of the model.
        VecTreeError: If the model or the corpus fails. This error, and ``NoAnswer``, carry the steps taken so
            far as ``trajectory``.
    """
    run = _Run(
        library=library,
        settings=settings,
        messages=[
            Message(role=Role.SYSTEM, text=_instructions(library, settings)),
            Message(role=Role.USER, text=question),
        ],
        on_step=on_step or (lambda _: None),
        cancelled=cancelled or (lambda: False),
        tools=tuple(tool.spec for tool in TOOLS if tool.name not in settings.withheld),
    )
    try:
        text, stopped = _converse(run, model)
        return _answer(run, question, text, stopped, model.name)
    except VecTreeError as error:
        error.trajectory = tuple(run.steps)
        raise


def _instructions(library: Library, settings: LoopSettings) -> str:
    prompt = system_prompt(library.stats())
    return f"{prompt}\n\n{settings.note}" if settings.note else prompt


def _converse(run: _Run, model: ChatModel) -> tuple[str, Stopped]:
    """Lines 4 to 28 of Algorithm 1: the text of the answer, and why the run ended."""
    policy = run.settings.policy
    while policy.may_ask(run.state):
        if run.cancelled():
            return policy.ending(run.state, Stopped.CANCELLED), Stopped.CANCELLED
        reply = model.complete(_request(run))
        run.usage = add_usage(run.usage, reply.usage)
        first_call = run.state.calls + 1
        run.state, then = policy.advance(run.state, text=reply.text, calls=len(reply.tool_calls))
        if then is Next.FINISH:
            return reply.text.strip(), Stopped.FINAL
        if then is Next.STOP:
            return policy.ending(run.state, Stopped.EMPTY_REPLY), Stopped.EMPTY_REPLY
        if then is Next.NUDGE:
            run.messages.append(Message(role=Role.USER, text=policy.nudge()))
        elif not _act(run, reply, first_call):
            return policy.ending(run.state, Stopped.CANCELLED), Stopped.CANCELLED
    return policy.ending(run.state), Stopped.ROUND_LIMIT


def _request(run: _Run) -> ChatRequest:
    return ChatRequest(
        messages=tuple(run.messages),
        tools=run.tools,
        temperature=run.settings.temperature,
        max_tokens=run.settings.max_tokens,
    )


def _act(run: _Run, reply: Reply, first_call: int) -> bool:
    """Run a reply's calls in order, append their observations; False if cancelled in between."""
    run.messages.append(Message(role=Role.ASSISTANT, text=reply.text, tool_calls=reply.tool_calls))
    for ordinal, call in enumerate(reply.tool_calls, start=first_call):
        if run.cancelled():
            return False
        result = run_tool(run.library, call.name, call.arguments, withheld=run.settings.withheld)
        images, note = _attached(run, result)
        if result.images and not images:
            result = replace(result, sources=())  # a figure that was not shown was not read
        observation = result.text + note
        if reminder := run.settings.policy.reminder(ordinal):
            observation += f"\n\n{reminder}"
        run.messages.append(Message(role=Role.TOOL, text=observation, images=images, tool_call_id=call.id))
        step = _step(run, call, ordinal, result)
        run.steps.append(step)
        run.on_step(step)
    return True


def _step(run: _Run, call: ToolCall, ordinal: int, result: ToolResult) -> Step:
    tool = find_tool(call.name)
    return Step(
        round=run.state.rounds,
        call=ordinal,
        tool=call.name[:_MAX_NAME],
        layer=int(tool.layer) if tool else None,
        arguments=result.arguments,
        tokens=count_tokens(result.text),
        error=result.text if result.error else "",
        sources=result.sources,
    )


def _attached(run: _Run, result: ToolResult) -> tuple[tuple[Image, ...], str]:
    """The images to send with an observation, and a note if one cannot be sent."""
    if not result.images:
        return (), ""
    if not run.settings.images:
        return (), _NOT_SHOWN
    try:
        return tuple(load_image(run.library, image) for image in result.images), ""
    except ToolError as error:
        return (), f" [Not attached: {error}]"


def _answer(run: _Run, question: str, text: str, stopped: Stopped, model: str) -> Answer:
    read = frozenset(pages_read(run.steps))
    citations = check_citations(text, read=read, total_pages=lambda doc_id: _total_pages(run.library, doc_id))
    found = evidence(run.steps, run.library)
    documents = dict.fromkeys([*(item.doc_id for item in found), *(item.doc_id for item in citations)])
    return Answer(
        question=question,
        text=text,
        citations=citations,
        uncited=uncited_sentences(text, read=read),
        evidence=found,
        trajectory=tuple(run.steps),
        usage=run.usage,
        stopped=stopped.value,
        model=model,
        titles={doc_id: title for doc_id in documents if (title := _title(run.library, doc_id))},
    )


def _total_pages(library: Library, doc_id: str) -> int | None:
    try:
        return library.record(doc_id).total_pages
    except UnknownDocument:
        return None


def _title(library: Library, doc_id: str) -> str:
    try:
        return library.record(doc_id).metadata.title
    except UnknownDocument:
        return ""
