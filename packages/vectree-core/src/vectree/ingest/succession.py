"""Telling a numbered outline from stray numbers.

What proves an outline is succession: 1, 2, 2.1, 2.2, 3; I, II; A, A.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbered:
    """A line that may carry a section number.

    Attributes:
        index: The caller's name for the line; lines come in document order.
        parts: The number's values.
        weight: How much the line looks like a heading apart from its number, above 0.
    """

    index: int
    parts: tuple[int, ...]
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Numbers that succeed each other.

    Attributes:
        members: The callers' indices, in order.
        score: Sum of the weights less what gaps cost.
    """

    members: tuple[int, ...]
    score: float


_MISSING_PARENT = 0.5
_ONE_MISSING = 0.7
_TWO_MISSING = 1.2
_ZERO_START = 0.2
_LATE_START = 0.8
_VERY_LATE_START = 2.5


def best_chain(items: Iterable[Numbered]) -> Chain | None:
    """The heaviest succession of numbers among lines in document order.

    Every number may follow its parent (2 → 2.1), its elder sibling or anything below that (2.1, 2.1.3 → 2.2);
    gaps of one or two numbers and a missing parent cost weight, as does a start later than 1.

    Args:
        items: In document order.

    Returns:
        The chain; ``None`` if there are no items.
    """
    links: list[tuple[Numbered, float, int]] = []
    exact: dict[tuple[int, ...], int] = {}
    under: dict[tuple[int, ...], int] = {}
    for item in items:
        before, score = -1, -_start_cost(item.parts)
        for cost, place in _predecessors(item.parts, exact, under):
            if links[place][1] - cost > score:
                before, score = place, links[place][1] - cost
        here = len(links)
        links.append((item, score + item.weight, before))
        _improve(exact, item.parts, here, links)
        for depth in range(1, len(item.parts) + 1):
            _improve(under, item.parts[:depth], here, links)
    if not links:
        return None
    place = max(range(len(links)), key=lambda index: (links[index][1], -index))
    score = links[place][1]
    members: list[int] = []
    while place >= 0:
        item, _, place = links[place]
        members.append(item.index)
    return Chain(members=tuple(reversed(members)), score=score)


def _improve(
    table: dict[tuple[int, ...], int],
    key: tuple[int, ...],
    place: int,
    links: Sequence[tuple[Numbered, float, int]],
) -> None:
    if key not in table or links[place][1] >= links[table[key]][1]:
        table[key] = place


def _start_cost(parts: tuple[int, ...]) -> float:
    if parts in {(1,), (0,)}:
        return 0.0
    if parts in {(1, 1), (1, 0)}:
        return _MISSING_PARENT
    return _LATE_START if parts in {(2,), (2, 1)} else _VERY_LATE_START


def _predecessors(
    parts: tuple[int, ...], exact: dict[tuple[int, ...], int], under: dict[tuple[int, ...], int]
) -> list[tuple[float, int]]:
    *outer, last = parts
    parent = tuple(outer)
    found: list[tuple[float, int | None]] = []
    if last <= 1 and parent:
        found.append((0.0 if last == 1 else _ZERO_START, exact.get(parent)))
        if parent[-1] > 1:
            found.append((_MISSING_PARENT, under.get((*parent[:-1], parent[-1] - 1))))
    if last == 1 and (*parent, 0) in under:
        found.append((0.0, under[*parent, 0]))
    if last == 2 and parent:
        found.append((_ONE_MISSING, exact.get(parent)))
    for step, cost in ((1, 0.0), (2, _ONE_MISSING), (3, _TWO_MISSING)):
        if last > step:
            found.append((cost, under.get((*parent, last - step))))
    return [(cost, place) for cost, place in found if place is not None]
