"""Can a question be answered from some material? An answer is written, and compared with the reference."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from vectree.evaluate.judges.quoting import quoted
from vectree.evaluate.judges.words import as_word
from vectree.evaluate.mosaic.desk import Desk
from vectree.evaluate.mosaic.draft import Draft
from vectree.evaluate.verdicts import Correctness


class _Answer(BaseModel):
    answer: str


class _Verdict(BaseModel):
    verdict: Annotated[Correctness, BeforeValidator(as_word)]
    rationale: str = ""


def answer_from(desk: Desk, draft: Draft, material: Iterable[str]) -> str:
    """Answer a draft's question from texts.

    Args:
        desk: Who answers.
        draft: The draft; only its question is shown.
        material: The texts; none to have it answered from memory.

    Returns:
        The answer; empty if the model says that it cannot be answered.
    """
    texts = "\n\n".join(quoted(text) for text in material)
    if texts:
        reply = desk.check("mosaic_answer", _Answer, question=quoted(draft.question), material=texts)
    else:
        reply = desk.check("mosaic_closed_book", _Answer, question=quoted(draft.question))
    return reply.answer.strip()


def agreement_with_reference(desk: Desk, draft: Draft, answer: str) -> Correctness:
    """Compare an answer with a draft's reference.

    Args:
        desk: Who compares.
        draft: The draft.
        answer: The answer; an empty one is incorrect without asking.

    Returns:
        The verdict.
    """
    if not answer:
        return Correctness.INCORRECT
    reply = desk.check(
        "mosaic_same_answer",
        _Verdict,
        question=quoted(draft.question),
        reference=quoted(draft.answer),
        answer=quoted(answer),
    )
    return reply.verdict


def answerable_from(desk: Desk, draft: Draft, material: Iterable[str]) -> Correctness:
    """Answer from texts and compare with the reference.

    Args:
        desk: Who answers and compares.
        draft: The draft.
        material: The texts; none to have it answered from memory.

    Returns:
        How the answer agrees with the reference.
    """
    return agreement_with_reference(desk, draft, answer_from(desk, draft, material))
