"""The answer of a run, with its citations checked against the pages read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, TypedDict

from vectree.agent.checked import check_text
from vectree.agent.library import Library
from vectree.agent.trajectory import step_data
from vectree.evidence import RunUsage, Step


class AnswerData(TypedDict):
    """What ``vectree_answer`` of the last event holds: `vectree.Answer` as plain JSON.

    ``stopped`` is ``"final"`` if the model answered; if its last text was taken, it says why.
    """

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
    model: str
    titles: dict[str, str]


def checked_answer(
    library: Library,
    question: str,
    text: str,
    steps: Sequence[Step],
    *,
    usage: RunUsage,
    stopped: str,
    rounds: int,
    calls: int,
    model: str,
) -> AnswerData:
    """Check an answer.

    Args:
        library: The corpus.
        question: As asked.
        text: The answer.
        steps: Tool calls of the run, in order.
        usage: What it cost.
        stopped: Why the run ended.
        rounds: Replies of the model.
        calls: Calls it issued.
        model: Name of the model.

    Returns:
        The answer.
    """
    checked = check_text(library, text, steps)
    return AnswerData(
        question=question,
        text=text,
        citations=[asdict(item) | {"status": item.status.value} for item in checked.citations],
        uncited=list(checked.uncited),
        unfound=[asdict(item) | {"pages": [list(page) for page in item.pages]} for item in checked.unfound],
        evidence=[asdict(item) for item in checked.evidence],
        trajectory=[step_data(step) for step in steps],
        usage=asdict(usage),
        stopped=stopped,
        rounds=rounds,
        calls=calls,
        model=model,
        titles=checked.titles,
    )
