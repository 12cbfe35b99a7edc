"""Which statements of an answer does the reference support, and which of its own are lacking (§4.3)?

Statements go by number: a judge that invents or rewords one cannot change the counts. A statement of the
answer that the judge passes over counts as unsupported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.judges.quoting import numbered, quoted
from vectree.evaluate.metrics.factuality import FactualityCounts


class _Reply(BaseModel):
    true_positives: list[int] = []
    false_positives: list[int] = []
    false_negatives: list[int] = []


def judge_factuality(
    judge: Judge, question: str, answer: Sequence[str], reference: Sequence[str]
) -> FactualityCounts:
    """Compare the statements of an answer with those of the reference.

    Args:
        judge: The judge.
        question: The question.
        answer: Statements of the answer.
        reference: Statements of the reference.

    Returns:
        The counts, found without asking if one side states nothing. `ModelReplyError` says that the judge
        gave no usable reply.
    """
    if not answer or not reference:
        return FactualityCounts(true_positives=0, false_positives=len(answer), false_negatives=len(reference))
    limit = judge.truncation.statements
    reply = judge.ask(
        "judge_factuality",
        _Reply,
        question=quoted(question),
        answer=quoted(numbered(answer), limit),
        reference=quoted(numbered(reference), limit),
    )
    supported = _valid(reply.true_positives, answer) - _valid(reply.false_positives, answer)
    return FactualityCounts(
        true_positives=len(supported),
        false_positives=len(answer) - len(supported),
        false_negatives=len(_valid(reply.false_negatives, reference)),
    )


def _valid(numbers: Iterable[int], items: Sequence[str]) -> set[int]:
    return {number for number in numbers if 1 <= number <= len(items)}
