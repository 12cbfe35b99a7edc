"""Gate, fuse, gate: the order of the documents for one query (§3.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vectree.index.postings import Mask
from vectree.search.fusion import fuse, ranks
from vectree.search.gates import (
    Candidates,
    Floats,
    GateThresholds,
    Verdict,
    relevant_dense,
    relevant_sparse,
    verdicts,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranking:
    """n candidates after both gates.

    Attributes:
        dense_ranks: Ranks from 1 in the dense list, 0 for those that are not in it; shape (n,).
        sparse_ranks: Likewise in the lexical list; shape (n,).
        rrf: Fused values; shape (n,).
        verdicts: `Verdict` of each; shape (n,).
        kept: Positions of those that are shown, best first.
    """

    dense_ranks: NDArray[np.int64]
    sparse_ranks: NDArray[np.int64]
    rrf: Floats
    verdicts: NDArray[np.int8]
    kept: NDArray[np.int64]


def rank(candidates: Candidates, thresholds: GateThresholds, *, library: int) -> Ranking:
    """Rank candidates through both gates.

    The dense list holds those who passed the pre-fusion gate with a similarity at the dense threshold, the
    lexical list those who passed it with a BM25 score above 0. Ranks are taken within these lists.

    Args:
        candidates: n documents, all that pass the filters.
        thresholds: The gates.
        library: Documents in the library, not in the filter.

    Returns:
        The ranking.
    """
    dense = relevant_dense(candidates, thresholds)
    survivors = dense | relevant_sparse(candidates, thresholds, library)
    lists = _lists(candidates, dense, survivors & (candidates.bm25 > 0))
    judged = verdicts(candidates, fuse(*lists), thresholds, library)
    return _ranking(lists, judged, candidates)


def rank_ungated(candidates: Candidates) -> Ranking:
    """Rank candidates by fusion alone, as the paper's ablation "− relevance gates" does.

    Every document that has a similarity other than 0 is in the dense list.

    Args:
        candidates: n documents.

    Returns:
        The ranking.
    """
    lists = _lists(candidates, candidates.similarity != 0, candidates.bm25 > 0)
    judged = np.where(lists.any(axis=0), Verdict.UNGATED, Verdict.IRRELEVANT)
    return _ranking(lists, judged.astype(np.int8), candidates)


def _lists(candidates: Candidates, dense: Mask, sparse: Mask) -> NDArray[np.int64]:
    """Ranks in the dense and in the lexical list; shape (2, n)."""
    order = candidates.order
    return np.stack([ranks(candidates.similarity, dense, order), ranks(candidates.bm25, sparse, order)])


def _ranking(lists: NDArray[np.int64], judged: NDArray[np.int8], candidates: Candidates) -> Ranking:
    rrf = fuse(*lists)
    shown = np.flatnonzero(judged > 0)
    best_first = shown[np.lexsort((candidates.order[shown], -rrf[shown]))]
    return Ranking(dense_ranks=lists[0], sparse_ranks=lists[1], rrf=rrf, verdicts=judged, kept=best_first)
