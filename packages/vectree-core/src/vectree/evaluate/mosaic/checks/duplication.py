"""Duplication: the set asks nothing twice."""

from __future__ import annotations

from pydantic import BaseModel

from vectree.evaluate.judges.quoting import numbered, quoted
from vectree.evaluate.mosaic.checks.check import Bench
from vectree.evaluate.mosaic.draft import Draft
from vectree.normal import match_key
from vectree.words import content_words

COMPARED = 8
"""Accepted questions that a draft is compared with: those that share most words and pages with it."""


class _Reply(BaseModel):
    same: list[int]


def find_duplicate(draft: Draft, bench: Bench) -> str:
    """Look for an accepted question that asks the same.

    Args:
        draft: The draft.
        bench: The accepted questions and the model.

    Returns:
        What is wrong; empty if nothing is.
    """
    key = match_key(draft.question)
    if any(match_key(other.question) == key for other in bench.accepted):
        return f"The set has this question already: “{draft.question}”"
    near = sorted(bench.accepted, key=lambda other: -_closeness(draft, other))[:COMPARED]
    near = [other for other in near if _closeness(draft, other) > 0]
    if not near:
        return ""
    reply = bench.desk.check(
        "mosaic_duplicate",
        _Reply,
        question=quoted(draft.question),
        others=quoted(numbered([other.question for other in near])),
    )
    named = [near[number - 1].question for number in sorted(set(reply.same)) if 1 <= number <= len(near)]
    return f"It asks the same as “{named[0]}”" if named else ""


def _closeness(one: Draft, other: Draft) -> float:
    left, right = set(content_words(one.question)), set(content_words(other.question))
    words = len(left & right) / len(left | right) if left | right else 0.0
    either = one.units | other.units
    return words + (len(one.units & other.units) / len(either) if either else 0.0)
