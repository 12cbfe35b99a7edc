"""Is a free-text answer right? The QASPER judge (§4.3, Appendix F)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.judges.quoting import numbered, quoted
from vectree.evaluate.judges.words import as_word
from vectree.evaluate.records import Question
from vectree.evaluate.verdicts import Correctness


class _Reply(BaseModel):
    verdict: Annotated[Correctness, BeforeValidator(as_word)]
    rationale: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectnessGrade:
    """What the judge said.

    Attributes:
        verdict: The verdict.
        rationale: One sentence.
    """

    verdict: Correctness
    rationale: str = ""


def judge_correctness(judge: Judge, question: Question, answer: str) -> CorrectnessGrade:
    """Judge an answer against references of which any suffices.

    Args:
        judge: The judge.
        question: The question with its references.
        answer: What a system answered; an empty answer is incorrect without asking.

    Returns:
        The grade; `ModelReplyError` says that the judge gave no usable reply.
    """
    if not answer.strip():
        return CorrectnessGrade(verdict=Correctness.INCORRECT, rationale="There is no answer.")
    reply = judge.ask(
        "judge_correctness",
        _Reply,
        question=quoted(question.text),
        references=quoted(numbered([reference.text for reference in question.references])),
        answer=quoted(answer),
    )
    return CorrectnessGrade(verdict=reply.verdict, rationale=reply.rationale)
