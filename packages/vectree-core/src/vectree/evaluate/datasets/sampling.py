"""Drawing questions: always the same ones for a seed, whatever the order of the file (§4.1, Appendix A)."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence

from vectree.evaluate.records import Question

SAMPLE_SEED = 13
"""Seed of the fixed sample; the paper does not give its own."""


def stratified_sample(
    questions: Sequence[Question], size: int, *, seed: int = SAMPLE_SEED
) -> tuple[Question, ...]:
    """Draw questions so that the shares of their kinds stay as they are.

    Seats are given by largest remainder. Within a kind, questions are drawn in the order of a hash of seed
    and id, so that a sample of 30 is part of the sample of 300 up to rounding, and the same on every machine.

    Args:
        questions: To draw from.
        size: How many; all if there are no more.
        seed: Which sample.

    Returns:
        The drawn questions, in their given order.
    """
    if size >= len(questions):
        return tuple(questions)
    strata: defaultdict[str, list[Question]] = defaultdict(list)
    for question in questions:
        strata[question.kind].append(question)
    seats = largest_remainder({kind: len(members) for kind, members in strata.items()}, max(size, 0))
    drawn: set[str] = set()
    for kind, members in strata.items():
        ranked = sorted(members, key=lambda question: (draw_key(seed, question.id), question.id))
        drawn.update(question.id for question in ranked[: seats[kind]])
    return tuple(question for question in questions if question.id in drawn)


def largest_remainder(counts: dict[str, int], seats: int) -> dict[str, int]:
    """Share out seats in proportion.

    Args:
        counts: Size of each group.
        seats: Seats in all, at most the sum of the sizes.

    Returns:
        Seats of each group; ties go to the larger group, then by name.
    """
    total = sum(counts.values())
    exact = {name: seats * count / total for name, count in counts.items()}
    given = {name: int(share) for name, share in exact.items()}
    by_remainder = sorted(counts, key=lambda name: (given[name] - exact[name], -counts[name], name))
    for name in by_remainder[: seats - sum(given.values())]:
        given[name] += 1
    return given


def draw_key(seed: int, key: str) -> str:
    """A place in a shuffled order that depends on nothing but seed and key.

    Args:
        seed: Which order.
        key: What is placed.

    Returns:
        A hexadecimal string to sort by.
    """
    return hashlib.sha256(f"{seed}\0{key}".encode()).hexdigest()
