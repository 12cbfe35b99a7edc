"""Taking a text apart into atomic statements (§4.3)."""

from __future__ import annotations

from pydantic import BaseModel

from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.judges.quoting import quoted


class _Reply(BaseModel):
    statements: list[str]


def decompose(judge: Judge, question: str, text: str) -> tuple[str, ...]:
    """Take a text apart.

    Args:
        judge: The judge.
        question: What the text answers, so that references such as "it" can be resolved.
        text: An answer or a reference.

    Returns:
        Statements in order, without repetitions; none for an empty text, without asking. `ModelReplyError`
        says that the judge gave no usable reply.
    """
    if not text.strip():
        return ()
    reply = judge.ask(
        "judge_statements", _Reply, question=quoted(question), text=quoted(text, judge.truncation.text)
    )
    return tuple(dict.fromkeys(one for statement in reply.statements if (one := " ".join(statement.split()))))
