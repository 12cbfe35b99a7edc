"""Reciprocal rank fusion (§3.4, Eq. 4)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from vectree.index.postings import Mask

K = 60
"""The standard constant of Eq. 4."""

ABSENT = 0
"""Rank of a document that is not in a list; it gets nothing from that list."""


def ranks(values: NDArray[np.floating], listed: Mask, order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rank the documents of a list, the largest value first.

    Args:
        values: Shape (n,).
        listed: Which documents are in the list; shape (n,).
        order: A stable key, different for each document; breaks ties, the smallest first. Shape (n,).

    Returns:
        Ranks from 1, or ``ABSENT``; shape (n,).
    """
    found = np.full(len(values), ABSENT, dtype=np.int64)
    chosen = np.flatnonzero(listed)
    sequence = chosen[np.lexsort((order[chosen], -values[chosen]))]
    found[sequence] = np.arange(1, len(sequence) + 1)
    return found


def fuse(*lists: NDArray[np.int64]) -> NDArray[np.float64]:
    """Fuse ranks by Eq. 4.

    Args:
        *lists: At least one array of ranks as `ranks` gives them; shape (n,) each.

    Returns:
        Reciprocal rank fusion values; shape (n,).
    """
    total = np.zeros(len(lists[0]), dtype=np.float64)
    for places in lists:
        total += np.where(places == ABSENT, 0.0, 1.0 / (K + places))
    return total


def fuse_few(*lists: Mapping[int, float]) -> list[tuple[int, float]]:
    """Rank and fuse lists of a few items, where arrays would cost more than they save.

    Args:
        *lists: Item → value, only for items that are in the list; ties go to the smaller item.

    Returns:
        Pairs of item and fused value, best first.
    """
    total: dict[int, float] = {}
    for values in lists:
        best_first = sorted(values, key=lambda item: (-values[item], item))
        for rank, item in enumerate(best_first, start=1):
            total[item] = total.get(item, 0.0) + 1.0 / (K + rank)
    return sorted(total.items(), key=lambda pair: (-pair[1], pair[0]))
