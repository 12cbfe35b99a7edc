"""Which candidates carry the numbers of the outline."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from vectree.ingest.layout.body import Style
from vectree.ingest.layout.candidate import Candidate
from vectree.ingest.numbering import Enumerator
from vectree.ingest.succession import Numbered, best_chain

_WEIGHT_PLAIN = 0.4
_WEIGHT_LISTED = 0.8
_MIN_CHAIN = 1.6
_MOST_CHAINS = 12
_KINDS = ("arabic", "roman", "alpha", "bracket", "lower")


def accept_chains(blocks: Sequence[Candidate]) -> dict[tuple[int, int], tuple[Enumerator, str]]:
    """Find the numbers that succeed each other.

    The heaviest chain over all kinds of number is taken first; its lines are then no longer free for another
    reading. Later chains must look like an accepted one, so that lists of items do not pass for restarts.

    Args:
        blocks: Candidates in document order.

    Returns:
        Number and remaining title by place.
    """
    accepted: dict[tuple[int, int], tuple[Enumerator, str]] = {}
    styles: set[Style] = set()
    free = set(range(len(blocks)))
    for _ in range(_MOST_CHAINS):
        best: tuple[float, str, tuple[int, ...]] = (0.0, "", ())
        for kind in _KINDS:
            chain = best_chain(_numbered(blocks, kind, free))
            if chain is not None and chain.score > best[0] and _sound(chain.members, blocks, kind, styles):
                best = (chain.score, kind, chain.members)
        if best[0] < _MIN_CHAIN:
            break
        for index in best[2]:
            accepted[blocks[index].place] = _reading(blocks[index], best[1])
            styles.add(blocks[index].style)
        free -= set(best[2])
    accepted.update(_labelled([blocks[index] for index in sorted(free)]))
    return accepted


def _labelled(blocks: Sequence[Candidate]) -> dict[tuple[int, int], tuple[Enumerator, str]]:
    """Numbers that need no second, because a word says what they are: a lone "Appendix A: Proofs"."""
    found: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    for block in blocks:
        if block.stands_out and block.spaced and block.body_below and block.numbers:
            number = block.numbers[0][0]
            if number.appendix:
                found[number.label, number.text].append(block)
    return {same[0].place: same[0].numbers[0] for same in found.values() if len(same) == 1}


def _numbered(blocks: Sequence[Candidate], kind: str, free: set[int]) -> list[Numbered]:
    return [
        Numbered(index=index, parts=number.parts, weight=_weight(block))
        for index, block in enumerate(blocks)
        if index in free and (block.stands_out or _set_off(block))
        for number, _ in block.numbers
        if number.kind == kind
    ]


def _weight(block: Candidate) -> float:
    return (1.0 if block.stands_out else _WEIGHT_PLAIN) + _WEIGHT_LISTED * block.listed


def _set_off(block: Candidate) -> bool:
    """Whether a line in the look of running text could still be a heading: short, spaced, no sentence."""
    short = block.fill < 0.9 and block.height <= 2 and not block.text.endswith((".", ":", ";"))
    return block.listed or (short and block.spaced and block.paragraph_below)


def _sound(members: Sequence[int], blocks: Sequence[Candidate], kind: str, styles: set[Style]) -> bool:
    """Whether a chain may be accepted: long enough for its kind, and of a known look if others came first."""
    chain = [blocks[index] for index in members]
    loud = sum(block.stands_out or block.listed for block in chain)
    if kind in {"bracket", "lower"}:
        return len(chain) >= 3 and loud == len(chain)
    if styles and not all(block.style in styles or block.listed for block in chain):
        return len(chain) >= 2 and loud == len(chain) and kind in {"alpha", "arabic"}
    return len(chain) >= 2 and (loud > len(chain) / 2 or len(chain) >= 4)


def _reading(block: Candidate, kind: str) -> tuple[Enumerator, str]:
    return next(reading for reading in block.numbers if reading[0].kind == kind)
