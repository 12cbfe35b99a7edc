"""How deep Marker's headings stand.

Marker sorts headings into levels by the height of their lines and does not look at numbers; on most papers
the levels jump, and with four headings or fewer all are the same. Numbers are better evidence, where there
are some.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from vectree.ingest.lexicon import is_abstract_title, is_back_title, is_main_title
from vectree.ingest.numbering import split_numbers

NUMBERED_SHARE = 0.4
"""From this share of numbered headings on, numbers decide."""


def heading_levels(titles: Sequence[str], stated: Sequence[int | None]) -> list[int]:
    """Give every heading a level.

    Args:
        titles: As printed, with their numbers, in document order.
        stated: Marker's levels; ``None`` where it has none.

    Returns:
        Levels from 1; the first is 1, and none is more than one deeper than the heading before it.
    """
    split = split_numbers(titles)
    depths = [len(number.parts) if number is not None else None for number, _ in split]
    numbered = sum(depth is not None for depth in depths)
    if numbered < max(1, NUMBERED_SHARE * len(titles)):
        depths = [None] * len(titles)
    by_level = _usual_depths(depths, stated)
    levels: list[int] = []
    for (_, title), depth, level in zip(split, depths, stated, strict=True):
        if depth is None and (is_main_title(title) or is_back_title(title) or is_abstract_title(title)):
            depth = 1
        if depth is None:
            depth = by_level.get(level or 0, level or 1)
        levels.append(min(depth, levels[-1] + 1) if levels else 1)
    return levels


def _usual_depths(depths: Sequence[int | None], stated: Sequence[int | None]) -> dict[int, int]:
    """What each of Marker's levels means: the usual depth of its numbered headings, else its rank."""
    votes: dict[int, Counter[int]] = defaultdict(Counter)
    for depth, level in zip(depths, stated, strict=True):
        if depth is not None and level is not None:
            votes[level][depth] += 1
    ranks = {level: rank for rank, level in enumerate(sorted({level for level in stated if level}), 1)}
    return {**ranks, **{level: count.most_common(1)[0][0] for level, count in votes.items()}}
