# pyright: reportMissingTypeStubs=false
# LangGraph is typed but ships no marker in its namespace package.
"""The state of a run, in plain JSON types so that every checkpointer can keep it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, NotRequired, TypedDict, cast

from langgraph.graph import MessagesState
from langgraph.managed import RemainingSteps

from langchain_vectree.convert.calls import IssuedCall
from langchain_vectree.images import ImageDelivery, Placement
from vectree.agent.policy import MAX_ROUNDS, REMINDER_FROM, LoopPolicy, LoopState

LayerName = Literal["search", "navigate", "read"]

LAYER_NODES: tuple[LayerName, ...] = ("search", "navigate", "read")
"""Names of the nodes by disclosure layer: 0 which papers, 1 where in a paper, 2 its text and figures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VecTreeContext:
    """Settings of one run: ``graph.invoke(…, context=VecTreeContext(max_rounds=8))`` or a mapping.

    They are kept with the state, so that a run that is resumed without them goes on as it began.

    Attributes:
        max_rounds: Most model calls; the paper's L.
        reminder_from: Ordinal of the first tool call whose result carries the reminder to answer.
        image_delivery: Where figures go.
    """

    max_rounds: int = MAX_ROUNDS
    reminder_from: int = REMINDER_FROM
    image_delivery: ImageDelivery = "auto"


class RunSettings(TypedDict):
    """What a run was started with: the rules, where figures go, and the numbers in the system prompt."""

    max_rounds: int
    reminder_from: int
    images: Placement
    library: dict[str, Any]


class Progress(TypedDict):
    """Where a run stands: `vectree.agent.policy.LoopState`, and what comes next.

    ``since`` is the number of messages before the run's first, ``usage`` the tokens of its model calls.
    """

    rounds: int
    calls: int
    nudges: int
    last_text: str
    then: str
    since: int
    usage: dict[str, Any]


class AnswerData(TypedDict):
    """An answer as plain JSON; `vectree.evidence.Answer` describes the fields."""

    question: str
    text: str
    citations: list[dict[str, Any]]
    uncited: list[str]
    unfound: list[dict[str, Any]]
    evidence: list[dict[str, Any]]
    trajectory: list[dict[str, Any]]
    usage: dict[str, Any]
    stopped: str
    rounds: int
    calls: int
    titles: dict[str, str]


class VecTreeState(MessagesState):
    """Messages, and what the graph knows of its own run.

    The graph's own keys are written by one node at a time and bear its name, so that a parent graph with keys
    of its own is not disturbed. A parent that declares ``vectree_answer`` receives the answer there.
    """

    vectree_settings: NotRequired[RunSettings]
    vectree_progress: NotRequired[Progress]
    vectree_answer: NotRequired[AnswerData | None]
    remaining_steps: NotRequired[RemainingSteps]


class VecTreeOutput(MessagesState):
    """What a finished run returns."""

    vectree_answer: NotRequired[AnswerData | None]


class LayerTask(TypedDict):
    """One tool call on its way to its layer; complete in itself, so that only it is run again on resume."""

    call: IssuedCall
    round: int
    ordinal: int
    settings: RunSettings


def read_context(context: Any, defaults: VecTreeContext) -> VecTreeContext:
    """Settings of a run from whatever context it was started with; a parent graph's own is ignored.

    Args:
        context: Of the runtime; ``None`` if none was given.
        defaults: What the graph was made with.

    Returns:
        The settings.
    """
    if isinstance(context, VecTreeContext):
        return context
    if not isinstance(context, dict):
        return defaults
    given = cast("dict[str, Any]", context)
    known = {field.name: given[field.name] for field in fields(defaults) if field.name in given}
    return VecTreeContext(**(asdict(defaults) | known))


def policy_of(settings: RunSettings) -> LoopPolicy:
    """The rules of a run.

    Args:
        settings: What it was started with.

    Returns:
        The policy.
    """
    return LoopPolicy(max_rounds=settings["max_rounds"], reminder_from=settings["reminder_from"])


def loop_state(progress: Progress) -> LoopState:
    """Where a run stands, as the policy has it.

    Args:
        progress: Where it stands.

    Returns:
        The same.
    """
    return LoopState(
        rounds=progress["rounds"],
        calls=progress["calls"],
        nudges=progress["nudges"],
        last_text=progress["last_text"],
    )
