"""Which facts of the reference does a response state (§4.3)?"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.judges.quoting import numbered, quoted


class _Facts(BaseModel):
    facts: list[str]


class _Attribution(BaseModel):
    covered: list[int]


def extract_facts(judge: Judge, question: str, reference: str) -> tuple[str, ...]:
    """List the facts of a reference answer.

    Args:
        judge: The judge.
        question: The question.
        reference: The reference.

    Returns:
        Facts in order; none for an empty reference, without asking. `ModelReplyError` says that the judge
        gave no usable reply.
    """
    if not reference.strip():
        return ()
    reply = judge.ask(
        "judge_facts", _Facts, question=quoted(question), reference=quoted(reference, judge.truncation.text)
    )
    return tuple(dict.fromkeys(one for fact in reply.facts if (one := " ".join(fact.split()))))


def judge_coverage(judge: Judge, question: str, facts: Sequence[str], answer: str) -> tuple[bool, ...]:
    """Attribute facts to a response.

    Args:
        judge: The judge.
        question: The question.
        facts: Facts of the reference.
        answer: The response.

    Returns:
        For each fact whether the response states it; the denominator is always the number of facts. Nothing
        is asked where there are no facts or no answer. `ModelReplyError` says that the judge gave no usable
        reply.
    """
    if not facts or not answer.strip():
        return (False,) * len(facts)
    reply = judge.ask(
        "judge_coverage",
        _Attribution,
        question=quoted(question),
        facts=quoted(numbered(facts)),
        answer=quoted(answer, judge.truncation.text),
    )
    stated = set(reply.covered)
    return tuple(number in stated for number in range(1, len(facts) + 1))
