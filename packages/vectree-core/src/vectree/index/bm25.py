"""BM25 from postings: rank-bm25's Okapi, with an idf that cannot go negative.

Corpus statistics are taken over the entries that are alive at the moment of the query, so scores after any
history of adding and removing are those of an index built fresh.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vectree.index.postings import Mask, Postings
from vectree.words import content_words

K1 = 1.5
B = 0.75

IDF_FLOOR = 0.05
"""Deviation (§3.4 names BM25 only): Okapi's idf is zero or negative for a word in half of the entries or
more; in a small library an exact match would then score below none."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lexical:
    """What a query's words find in each entry.

    Attributes:
        bm25: BM25 score; shape (n,), float64; 0 where no word occurs.
        matched: How many different query words occur; shape (n,), uint16.
        words: How many different content words the query has.
    """

    bm25: NDArray[np.float64]
    matched: NDArray[np.uint16]
    words: int


def idf(holding: int, total: int) -> float:
    """How much a word tells.

    Args:
        holding: Entries that hold the word.
        total: Entries in all.

    Returns:
        Okapi's inverse document frequency, at least ``IDF_FLOOR``.
    """
    return max(math.log((total - holding + 0.5) / (holding + 0.5)), IDF_FLOOR)


def score_bm25(query: str, parts: Sequence[tuple[Postings, Mask]]) -> Lexical:
    """Score every entry against a query.

    Stopwords of the query are dropped; a word that occurs twice in it counts twice, as in rank-bm25.

    Args:
        query: Any text.
        parts: Postings and, for each, which of its entries are alive; shape (n,).

    Returns:
        Scores over the entries of all parts in order, dead ones included (theirs mean nothing).
    """
    sizes = [len(postings.lengths) for postings, _ in parts]
    bm25 = np.zeros(sum(sizes), dtype=np.float64)
    matched = np.zeros(sum(sizes), dtype=np.uint16)
    weights = Counter(content_words(query))
    total, mean_length = _statistics(parts)
    if mean_length:
        encoded = [word.encode() for word in weights]
        found = [postings.find(encoded) for postings, _ in parts]
        holding = [_holding(parts, [places[i] for places in found]) for i in range(len(encoded))]
        gains = [weight * idf(count, total) for weight, count in zip(weights.values(), holding, strict=True)]
        begin = 0
        for (postings, _), places, size in zip(parts, found, sizes, strict=True):
            end = begin + size
            _score_part(postings, places, gains, mean_length, bm25[begin:end], matched[begin:end])
            begin = end
    return Lexical(bm25=bm25, matched=matched, words=len(weights))


def _statistics(parts: Sequence[tuple[Postings, Mask]]) -> tuple[int, float]:
    """Number of living entries and their mean length in words."""
    total = sum(int(np.count_nonzero(alive)) for _, alive in parts)
    length = sum(
        int(postings.lengths.sum(dtype=np.int64, where=True if alive.all() else alive))
        for postings, alive in parts
    )
    return total, (length / total if total else 0.0)


def _holding(parts: Sequence[tuple[Postings, Mask]], places: Sequence[slice | None]) -> int:
    """In how many living entries a word occurs."""
    return sum(
        place.stop - place.start if alive.all() else int(np.count_nonzero(alive[postings.entries[place]]))
        for (postings, alive), place in zip(parts, places, strict=True)
        if place is not None
    )


def _score_part(
    postings: Postings,
    places: Sequence[slice | None],
    gains: Sequence[float],
    mean_length: float,
    bm25: NDArray[np.float64],
    matched: NDArray[np.uint16],
) -> None:
    """Sum up each word's share over the entries that hold it, all words in one pass, word after word."""
    found = [(place, gain) for place, gain in zip(places, gains, strict=True) if place is not None]
    if not found:
        return
    entries = np.concatenate([postings.entries[place] for place, _ in found], dtype=np.intp)
    counts = np.concatenate([postings.counts[place] for place, _ in found], dtype=np.float64)
    weights = np.repeat([gain for _, gain in found], [place.stop - place.start for place, _ in found])
    bend = K1 * (1 - B + B * postings.lengths / mean_length)
    shares = weights * counts * (K1 + 1) / (counts + bend[entries])
    # Entries that do not exist make these arrays longer than the others, which is an error as it should be.
    bm25 += np.bincount(entries, weights=shares, minlength=len(bm25))
    matched += np.bincount(entries, minlength=len(matched)).astype(np.uint16)
