"""Which looks are the looks of headings.

Headings of one rank share one look, so the evidence is gathered look by look: a weak line in a strong style
counts, a fine line in a style of table heads does not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from vectree.ingest.layout.body import BodyText, Style
from vectree.ingest.layout.candidate import Candidate

_IN_ROWS = 0.35
_SMALL = 0.88
_TINY = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class StyleWeights:
    """What each kind of evidence is worth to a style, and how much is enough.

    Shares are between 0 and 1, over the candidates in that style.
    """

    accept: float = 3.4
    known: float = 4.0
    known_enough: int = 3
    chained: float = 2.0
    listed: float = 2.0
    bigger: float = 1.0
    bold: float = 1.0
    italic: float = 0.3
    caps: float = 0.4
    body_below: float = 1.5
    spaced: float = 1.0
    capitalised: float = 0.5
    steady: float = 0.7
    too_many: float = -3.0
    single: float = -1.0
    plain: float = -2.0
    no_body_below: float = -1.5
    first_page_only: float = -2.0
    in_rows: float = -2.0
    small_print: float = -1.0


def group_by_style(candidates: Sequence[Candidate]) -> dict[Style, list[Candidate]]:
    """Candidates look by look, in document order.

    Args:
        candidates: In document order.

    Returns:
        Lists keyed by style.
    """
    groups: dict[Style, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        groups[candidate.style].append(candidate)
    return dict(groups)


def score_styles(
    groups: Mapping[Style, Sequence[Candidate]],
    *,
    blocks: Sequence[Candidate],
    chained: Collection[tuple[int, int]],
    body: BodyText,
    pages: int,
    weights: StyleWeights,
) -> dict[Style, float]:
    """How likely each look is one of headings.

    Args:
        groups: Candidates by style, without the rejected ones.
        blocks: All candidates; a look that is common in table rows is not one of headings.
        chained: Places of candidates whose numbers belong to an accepted chain.
        body: What running text looks like.
        pages: Number of pages of the document.
        weights: What counts how much.

    Returns:
        A figure for each style, to be compared with ``weights.accept``.
    """
    crowded = _crowded(blocks)
    return {
        style: weights.in_rows * (crowded[style] > _IN_ROWS)
        + _marks(members, chained, weights)
        + _look(style, body, weights)
        + _habits(members, style, pages, body, weights)
        for style, members in groups.items()
    }


def _crowded(blocks: Sequence[Candidate]) -> dict[Style, float]:
    """For each look, the share of its blocks that share their line with others."""
    total, shared = Counter[Style](), Counter[Style]()
    for block in blocks:
        total[block.style] += 1
        shared[block.style] += not block.alone
    return {style: shared[style] / count for style, count in total.items()}


def _marks(
    members: Sequence[Candidate], chained: Collection[tuple[int, int]], weights: StyleWeights
) -> float:
    """Evidence from words: common titles, numbers in succession, promises of a contents list."""
    known = sum(member.known for member in members)
    linked = sum(member.place in chained for member in members)
    listed = sum(member.listed for member in members)
    score = weights.known * min(known, weights.known_enough) / weights.known_enough
    score += weights.chained * (linked >= 2)
    score += weights.listed * (listed >= 2 and listed >= 0.3 * len(members))
    return score


def _look(style: Style, body: BodyText, weights: StyleWeights) -> float:
    """Evidence from type."""
    bigger = style.size >= body.size * 1.06
    score = weights.bigger * bigger + weights.bold * style.bold + weights.italic * style.italic
    score += weights.caps * style.caps
    small = style.size < body.size * _SMALL
    if not (bigger or style.bold or style.italic or style.caps) and (
        small or (style.font, style.size) in body.fonts
    ):
        score += weights.plain
    return score


def _habits(
    members: Sequence[Candidate], style: Style, pages: int, body: BodyText, weights: StyleWeights
) -> float:
    """Evidence from where lines of this look stand."""
    count = len(members)
    below = sum(member.body_below for member in members) / count
    spaced = sum(0.5 if member.gap_above is None else member.spaced for member in members) / count
    capitalised = (
        sum(
            member.text[:1].isupper() or bool(member.numbers) or not member.text[:1].islower()
            for member in members
        )
        / count
    )
    marked = any(member.known or member.numbers or member.listed for member in members)
    score = weights.body_below * below + weights.spaced * spaced + weights.capitalised * (capitalised > 0.9)
    if (
        count >= 3
        and below >= 0.7
        and spaced >= 0.7
        and (style.italic or style.font not in {font for font, _ in body.fonts})
    ):
        score += weights.steady
    if sum(member.known for member in members) < weights.known_enough:
        score += weights.small_print * (style.size < body.size * _TINY)
    if not marked:
        score += weights.too_many * (count > 4 * pages + 6)
        score += weights.single * (count == 1)
        score += weights.no_body_below * (below < 0.25)
    if (
        pages > 3
        and not any(member.known for member in members)
        and all(member.page == 1 for member in members)
    ):
        score += weights.first_page_only
    return score
