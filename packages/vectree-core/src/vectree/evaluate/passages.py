"""Finding the page on which a quoted passage stands (Appendix B).

The paper matches source text exactly and finds 10 of 54 passages. Here text is compared in the normal form of
``vectree.normal``, which forgives line ends, hyphens and ligatures; a passage may run over a page break; and
a passage that is not verbatim is looked for by the runs of words it shares with a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from vectree.normal import match_key
from vectree.words import words

SHINGLE = 6
"""Words in a run."""

MIN_SHARE = 0.5
"""Share of a passage's runs that pages must hold for it to stand there."""

MIN_PAGE_SHARE = 0.2
"""Share that a further page must add to be counted too."""


class How(StrEnum):
    """How a passage was found."""

    EXACT = "exact"
    RUNS = "runs"
    NOT = "not"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPassage:
    """Where a passage stands.

    Attributes:
        pages: Pages from 1; empty if it was not found.
        how: How it was found.
        share: Share of it that was found, 0 to 1.
    """

    pages: tuple[int, ...] = ()
    how: How = How.NOT
    share: float = 0.0


def find_passage(passage: str, pages: Sequence[str]) -> FoundPassage:
    """Find the page, or two neighbouring pages, on which a passage stands.

    Args:
        passage: The passage as quoted.
        pages: Texts of all pages of a document, in order.

    Returns:
        The pages. If it stands in several places, the first is taken.
    """
    key = match_key(passage)
    if not key:
        return FoundPassage()
    keys = [match_key(page) for page in pages]
    if exact := _exact(key, keys):
        return FoundPassage(pages=exact, how=How.EXACT, share=1.0)
    return _by_runs(passage, pages)


def _exact(key: str, keys: list[str]) -> tuple[int, ...]:
    for number, text in enumerate(keys, start=1):
        if key in text:
            return (number,)
    start = "".join(keys).find(key)
    if start < 0:
        return ()
    end, offset, found = start + len(key), 0, list[int]()
    for number, text in enumerate(keys, start=1):
        if offset < end and offset + len(text) > start:
            found.append(number)
        offset += len(text)
    return tuple(found)


def _by_runs(passage: str, pages: Sequence[str]) -> FoundPassage:
    sought = _runs(words(passage))
    if not sought:
        return FoundPassage()
    held = [(_runs(words(page)) & sought, -number) for number, page in enumerate(pages, start=1)]
    best, first = max(held, key=lambda item: (len(item[0]), item[1]), default=(set[tuple[str, ...]](), 0))
    chosen, covered = [-first], set(best)
    for runs, number in held:
        neighbour = abs(number - first) == 1
        if neighbour and len(runs - covered) >= MIN_PAGE_SHARE * len(sought):
            chosen.append(-number)
            covered |= runs
    share = len(covered) / len(sought)
    if share < MIN_SHARE:
        return FoundPassage(share=share)
    return FoundPassage(pages=tuple(sorted(chosen)), how=How.RUNS, share=share)


def _runs(found: list[str]) -> set[tuple[str, ...]]:
    size = min(SHINGLE, len(found))
    return {tuple(found[i : i + size]) for i in range(len(found) - size + 1)} if size else set()
