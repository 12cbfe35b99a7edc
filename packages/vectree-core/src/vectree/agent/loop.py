"""The agent loop: Algorithm 1, driven by the rules in ``agent.policy``.

Messages are only ever appended, so that services can cache the prefix of a run; compaction, off by default, is
the one exception. Every tool call gets an answer, in the order in which the calls were issued.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field, replace

from vectree.agent.checked import check_text
from vectree.agent.compaction import Compaction, compact, compaction_note
from vectree.agent.images import load_image
from vectree.agent.library import Library
from vectree.agent.policy import LoopPolicy, LoopState, Next, Stopped
from vectree.agent.prompt import system_prompt
from vectree.agent.results import ToolResult
from vectree.agent.tools import TOOLS, find_tool, run_tool
from vectree.agent.trajectory import add_usage
from vectree.agent.turns import navigates
from vectree.errors import NoAnswer, ToolError, VecTreeError
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
        compaction: Takes old page texts out of the conversation; ``None`` never does.
    """

    policy: LoopPolicy = field(default_factory=LoopPolicy)
    temperature: float | None = None
    max_tokens: int | None = None
    images: bool = True
    withheld: frozenset[str] = frozenset()
    note: str = ""
    compaction: Compaction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """What went before a question in a conversation.

    Attributes:
        messages: Questions and answers, oldest first.
        pages: (doc_id, page) pairs that were read; a citation of one of them counts as read.
    """

    messages: tuple[Message, ...] = ()
    pages: frozenset[tuple[str, int]] = frozenset()


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
    navigation: RunUsage = field(default_factory=RunUsage)
    removed: int = 0
    saved: int = 0


def answer_question(
    question: str,
    *,
    library: Library,
    model: ChatModel,
    settings: LoopSettings = LoopSettings(),
    navigator: ChatModel | None = None,
    earlier: Earlier = Earlier(),
    on_step: Callable[[Step], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Answer:
    """Answer a question from a library (Algorithm 1).

    Args:
        question: The question; the paper's q.
        library: The corpus.
        model: Decides what to do in each round; the paper's policy.
        settings: Rounds, reminder, sampling.
        navigator: A cheaper model for the rounds in layers 0 and 1 (``agent.turns``); ``None`` asks ``model``
            in every round.
        earlier: What went before in a conversation.
        on_step: Called after each tool call, in order.
        cancelled: Asked before each model call and each tool call; the run ends when it returns True.

    Returns:
        The answer with its citations checked against the pages that were read.

    Raises:
        NoAnswer: If the run ends without any text of the model, or the library is empty.
        VecTreeError: If the model or the corpus fails. This error, and ``NoAnswer``, carry the steps taken so
            far as ``trajectory``.
    """
    run = _Run(
        library=library,
        settings=settings,
        messages=[
            Message(role=Role.SYSTEM, text=_instructions(library, settings)),
            *earlier.messages,
            Message(role=Role.USER, text=question),
        ],
        on_step=on_step or (lambda _: None),
        cancelled=cancelled or (lambda: False),
        tools=tuple(tool.spec for tool in TOOLS if tool.name not in settings.withheld),
    )
    try:
        text, stopped = _converse(run, model, navigator)
        answer = _answer(run, question, text, stopped, model.name, earlier.pages)
        return replace(answer, navigation=run.navigation) if navigator is not None else answer
    except VecTreeError as error:
        error.trajectory = tuple(run.steps)
        raise


def _instructions(library: Library, settings: LoopSettings) -> str:
    notes = [settings.note, compaction_note() if settings.compaction else ""]
    stats = library.stats()
    if not stats.documents:
        raise NoAnswer("The library holds no papers.", hint="Add some first: vectree add FOLDER.")
    return "\n\n".join([system_prompt(stats), *filter(None, notes)])


def _converse(run: _Run, model: ChatModel, navigator: ChatModel | None) -> tuple[str, Stopped]:
    """Lines 4 to 28 of Algorithm 1: the text of the answer, and why the run ended."""
    policy = run.settings.policy
    newest: list[Step] = []
    while policy.may_ask(run.state):
        if run.cancelled():
            return policy.ending(run.state, Stopped.CANCELLED), Stopped.CANCELLED
        navigating = navigator is not None and navigates(newest)
        reply = _ask(run, navigator if navigator is not None and navigating else model, navigating)
        if navigating and not reply.tool_calls:
            run.state, navigator = policy.hand_over(run.state), None
            continue
        first_call = run.state.calls + 1
        said = "" if navigating else reply.text
        run.state, then = policy.advance(run.state, text=said, calls=len(reply.tool_calls))
        if then is Next.FINISH:
            return reply.text.strip(), Stopped.FINAL
        if then is Next.STOP:
            return policy.ending(run.state, Stopped.EMPTY_REPLY), Stopped.EMPTY_REPLY
        if then is Next.NUDGE:
            run.messages.append(Message(role=Role.USER, text=policy.nudge()))
            continue
        if not _act(run, reply, first_call):
            return policy.ending(run.state, Stopped.CANCELLED), Stopped.CANCELLED
        newest = [step for step in run.steps if step.round == run.state.rounds]
    return policy.ending(run.state), Stopped.ROUND_LIMIT


def _ask(run: _Run, model: ChatModel, navigating: bool) -> Reply:
    """Ask for one reply and account for it."""
    if run.settings.compaction is not None:
        shorter, removed = compact(run.messages, run.settings.compaction)
        run.messages[:] = shorter
        run.removed += removed
        run.saved += run.removed
    reply = model.complete(
        ChatRequest(
            messages=tuple(run.messages),
            tools=run.tools,
            temperature=run.settings.temperature,
            max_tokens=run.settings.max_tokens,
        )
    )
    run.usage = add_usage(run.usage, reply.usage)
    if navigating:
        run.navigation = add_usage(run.navigation, reply.usage)
    return reply


def _act(run: _Run, reply: Reply, first_call: int) -> bool:
    """Run a reply's calls in order, append their observations; False if cancelled in between."""
    run.messages.append(
        Message(role=Role.ASSISTANT, text=reply.text, tool_calls=reply.tool_calls, echo=reply.echo)
    )
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


def _answer(
    run: _Run, question: str, text: str, stopped: Stopped, model: str, before: Set[tuple[str, int]]
) -> Answer:
    checked = check_text(run.library, text, run.steps, before)
    return Answer(
        question=question,
        text=text,
        citations=checked.citations,
        uncited=checked.uncited,
        evidence=checked.evidence,
        trajectory=tuple(run.steps),
        usage=run.usage,
        stopped=stopped.value,
        model=model,
        titles=checked.titles,
        unfound=checked.unfound,
        saved_tokens=run.saved,
    )
