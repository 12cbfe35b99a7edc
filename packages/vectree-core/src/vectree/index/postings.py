"""Which entries hold which words, as arrays that can lie in a file: built once, merged, never refitted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vectree.words import STOPWORDS, words

Mask = NDArray[np.bool_]
Terms = NDArray[np.bytes_]

_MAX_COUNT = np.iinfo(np.uint16).max


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Postings:
    """Postings of n entries over v words.

    Stopwords have no postings, but count in the length of an entry.

    Attributes:
        terms: Words as UTF-8, sorted; shape (v,), fixed-width bytes.
        starts: Where each word's postings begin; shape (v + 1,), int64.
        entries: Entry of each posting, ascending within a word; int32.
        counts: How often the word occurs in that entry; uint16.
        lengths: Words of each entry, stopwords included; shape (n,), int32.
    """

    terms: Terms
    starts: NDArray[np.int64]
    entries: NDArray[np.int32]
    counts: NDArray[np.uint16]
    lengths: NDArray[np.int32]

    def find(self, wanted: Sequence[bytes]) -> list[slice | None]:
        """Find the postings of words.

        Args:
            wanted: Words as UTF-8.

        Returns:
            For each word the slice of ``entries`` and ``counts``, or ``None`` where it does not occur.
        """
        if not len(self.terms) or not wanted:
            return [None] * len(wanted)
        # Search with the array's own width: another one would make numpy copy the whole vocabulary.
        keys = np.array(wanted, dtype=self.terms.dtype)
        places = np.minimum(np.searchsorted(self.terms, keys), len(self.terms) - 1)
        found = self.terms[places]
        begins, ends = self.starts[places], self.starts[places + 1]
        return [
            slice(int(begin), int(end)) if term == word else None
            for term, word, begin, end in zip(found.tolist(), wanted, begins, ends, strict=True)
        ]


def build_postings(texts: Sequence[str]) -> Postings:
    """Index the words of entries.

    Args:
        texts: Text of each entry.

    Returns:
        Postings over ``len(texts)`` entries.
    """
    lengths = np.zeros(len(texts), dtype=np.int32)
    found: dict[str, list[tuple[int, int]]] = {}
    for entry, text in enumerate(texts):
        tokens = words(text)
        lengths[entry] = len(tokens)
        for word, count in Counter(tokens).items():
            if word not in STOPWORDS:
                found.setdefault(word, []).append((entry, min(count, _MAX_COUNT)))
    encoded = sorted((word.encode(), pairs) for word, pairs in found.items())
    flat = [pair for _, pairs in encoded for pair in pairs]
    return Postings(
        terms=np.array([word for word, _ in encoded], dtype=np.bytes_),
        starts=_starts(np.array([len(pairs) for _, pairs in encoded], dtype=np.int64)),
        entries=np.array([entry for entry, _ in flat], dtype=np.int32),
        counts=np.array([count for _, count in flat], dtype=np.uint16),
        lengths=lengths,
    )


def merge_postings(parts: Sequence[tuple[Postings, Mask]]) -> Postings:
    """Join postings, leaving out entries that are gone.

    Args:
        parts: Postings and, for each, which of its entries stay; shape (n,).

    Returns:
        Postings over the entries that stay, in the order of the parts.
    """
    kept = [_without(postings, stays) for postings, stays in parts]
    vocabulary: Terms = np.unique(np.concatenate([part.terms for part in kept]))
    places = [np.searchsorted(vocabulary, part.terms.astype(vocabulary.dtype)) for part in kept]
    sizes = np.zeros(len(vocabulary), dtype=np.int64)
    for part, place in zip(kept, places, strict=True):
        sizes[place] += np.diff(part.starts)
    starts = _starts(sizes)
    entries = np.empty(starts[-1], dtype=np.int32)
    counts = np.empty(starts[-1], dtype=np.uint16)
    cursor, base = starts[:-1].copy(), 0
    for part, place in zip(kept, places, strict=True):
        spans = np.diff(part.starts)
        targets = np.repeat(cursor[place] - part.starts[:-1], spans) + np.arange(len(part.entries))
        entries[targets] = part.entries + np.int32(base)
        counts[targets] = part.counts
        cursor[place] += spans
        base += len(part.lengths)
    lengths = np.concatenate([part.lengths for part in kept])
    return Postings(terms=vocabulary, starts=starts, entries=entries, counts=counts, lengths=lengths)


def _without(postings: Postings, stays: Mask) -> Postings:
    """The same postings over the entries that stay, renumbered; words that are gone leave the vocabulary."""
    if stays.all():
        return postings
    renumbered = np.cumsum(stays, dtype=np.int32) - 1
    alive = stays[postings.entries]
    before = np.concatenate([[0], np.cumsum(alive, dtype=np.int64)])
    spans = before[postings.starts[1:]] - before[postings.starts[:-1]]
    return Postings(
        terms=postings.terms[spans > 0],
        starts=_starts(spans[spans > 0]),
        entries=renumbered[postings.entries[alive]],
        counts=postings.counts[alive],
        lengths=postings.lengths[stays],
    )


def _starts(spans: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(spans, dtype=np.int64)])
