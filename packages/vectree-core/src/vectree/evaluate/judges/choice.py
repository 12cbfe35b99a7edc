"""Which option does an answer select? The LitQA2 judge (§4.3, Appendix F)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from vectree.errors import UsageError
from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.judges.quoting import quoted
from vectree.evaluate.judges.words import as_letter, as_word
from vectree.evaluate.records import Question, letter
from vectree.evaluate.verdicts import Choice


class _Reply(BaseModel):
    verdict: Annotated[Choice, BeforeValidator(as_word)]
    selected: Annotated[str, BeforeValidator(as_letter)] = ""
    rationale: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceGrade:
    """What the judge said.

    Attributes:
        verdict: The verdict.
        selected: Letter of the option the answer selects; empty for none.
        rationale: One sentence.
    """

    verdict: Choice
    selected: str = ""
    rationale: str = ""

    def consistent(self, question: Question) -> bool:
        """Whether verdict and selected letter say the same.

        Args:
            question: The question.

        Returns:
            True also if no letter was named.
        """
        gold = question.gold_option is not None and self.selected == letter(question.gold_option)
        return not self.selected or gold == (self.verdict is Choice.CORRECT)


def judge_choice(judge: Judge, question: Question, answer: str) -> ChoiceGrade:
    """Judge which option an answer selects.

    Args:
        judge: The judge.
        question: A multiple-choice question.
        answer: What a system answered; an empty answer abstains without asking.

    Returns:
        The grade; `ModelReplyError` says that the judge gave no usable reply.

    Raises:
        UsageError: If the question has no options.
    """
    if question.gold_option is None:
        raise UsageError(f"Question {question.id!r} has no options to choose from.")
    if not answer.strip():
        return ChoiceGrade(verdict=Choice.ABSTAIN, rationale="There is no answer.")
    right = letter(question.gold_option)
    reply = judge.ask(
        "judge_choice",
        _Reply,
        question=quoted(question.text),
        options=quoted(question.lettered),
        gold=f"{right}. {question.options[question.gold_option]}",
        answer=quoted(answer),
    )
    return ChoiceGrade(verdict=reply.verdict, selected=reply.selected, rationale=reply.rationale)
