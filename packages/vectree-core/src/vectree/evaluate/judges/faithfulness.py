"""Can the statements of a response be inferred from what was read (§4.3)?

A context that does not fit the judge's window is shown in parts; a statement is supported if one part
supports it. Later parts are asked only about what is still open.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.judges.quoting import numbered, quoted
from vectree.tokens import CHARACTERS_PER_TOKEN, count_tokens

RESERVE = 4_000
"""Tokens of a judge's window kept free for instructions and reply."""

MARGIN = 0.75
"""Share of the window that is used: four characters a token is an estimate."""

MIN_PART = 2_000
"""Characters of context shown at least, whatever the window."""

_BREAK = "\n\n"


class _Reply(BaseModel):
    supported: list[int]


def judge_faithfulness(judge: Judge, statements: Sequence[str], context: Sequence[str]) -> tuple[bool, ...]:
    """Judge statements against a context.

    Args:
        judge: The judge.
        statements: Statements of the response.
        context: Texts that were read, in order.

    Returns:
        For each statement whether it can be inferred. Nothing is asked where there are no statements or no
        context. `ModelReplyError` says that the judge gave no usable reply.
    """
    text = _BREAK.join(part for part in context if part.strip())
    if judge.truncation.context is not None:
        text = text[: judge.truncation.context]
    found: set[int] = set()
    for part in _parts(text, room(judge, statements)) if statements else []:
        still_open = [number for number in range(len(statements)) if number not in found]
        if not still_open:
            break
        reply = judge.ask(
            "judge_faithfulness",
            _Reply,
            statements=quoted(numbered([statements[i] for i in still_open]), judge.truncation.statements),
            context=quoted(part),
        )
        found.update(still_open[number - 1] for number in reply.supported if 1 <= number <= len(still_open))
    return tuple(number in found for number in range(len(statements)))


def room(judge: Judge, beside: Sequence[str]) -> int | None:
    """How much context fits into one request.

    Args:
        judge: The judge.
        beside: What else stands in the request.

    Returns:
        Characters; ``None`` if the judge's window is not known.
    """
    if judge.context_window is None:
        return None
    tokens = int(judge.context_window * MARGIN) - RESERVE - sum(map(count_tokens, beside))
    return max(MIN_PART, tokens * CHARACTERS_PER_TOKEN)


def _parts(text: str, size: int | None) -> list[str]:
    """Cut a text at paragraph ends into parts of a size."""
    if not text:
        return []
    if size is None or len(text) <= size:
        return [text]
    parts: list[str] = []
    start = 0
    while start < len(text):
        end = start + size
        if end < len(text):
            at = text.rfind(_BREAK, start + size // 2, end)
            end = at if at > start else end
        parts.append(text[start:end])
        start = end
    return parts
