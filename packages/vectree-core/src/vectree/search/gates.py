"""The relevance gates of §3.4: who enters fusion, and who of the fused is shown.

Each gate has a threshold of its own for each quantity; a cosine is never compared with a fused value.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from vectree.index.embedder import Embedder, SimilarityGates
from vectree.index.postings import Mask

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateThresholds:
    """Thresholds of the gates; all are inclusive.

    The similarities belong to the embedder, the others are the paper's (§3.4).

    Attributes:
        relevant_similarity: Pre-fusion: a document stays with at least this similarity…
        relevant_bm25: …or with at least this BM25 score.
        strong_similarity: Post-fusion, small library: a strong match has at least this similarity…
        strong_bm25: …or at least this BM25 score.
        leader_share: Post-fusion, large library: share of the leader's fused value that a result needs.
        small_library: Number of documents up to which a library is small, itself included.
        whole_query: In a small library, a document counts as lexically relevant and as a strong match if one
            of its entries holds every content word of the query. Deviation: where a word occurs in half of
            the entries its idf is at the floor, and an exact match in a library of one to three papers stays
            far below both BM25 thresholds.
    """

    relevant_similarity: float
    strong_similarity: float
    relevant_bm25: float = 1.0
    strong_bm25: float = 4.0
    leader_share: float = 0.40
    small_library: int = 50
    whole_query: bool = True

    @property
    def similarities(self) -> SimilarityGates:
        """The two thresholds that belong to the embedder."""
        return SimilarityGates(relevant=self.relevant_similarity, strong=self.strong_similarity)


def thresholds_for(embedder: Embedder, measured: SimilarityGates | None = None) -> GateThresholds:
    """The thresholds that go with an embedder.

    Args:
        embedder: Brings its own similarities.
        measured: Similarities measured on the corpus, which take the place of the embedder's own.

    Returns:
        Those, and the paper's other thresholds.
    """
    gates = measured or embedder.gates
    return GateThresholds(relevant_similarity=gates.relevant, strong_similarity=gates.strong)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """What the two retrievers say of n documents.

    Attributes:
        similarity: Best cosine of each document's entries; shape (n,).
        bm25: Best BM25 score of them; shape (n,).
        whole: Whether one entry holds every content word of the query; shape (n,).
        order: Stable key that breaks ties; shape (n,).
    """

    similarity: Floats
    bm25: Floats
    whole: Mask
    order: NDArray[np.int64]


class Verdict(IntEnum):
    """Why a document is shown (positive) or not (negative)."""

    IRRELEVANT = -3
    WEAK = -2
    FAR_FROM_LEADER = -1
    UNGATED = 1
    AGREEMENT = 2
    STRONG_SIMILARITY = 3
    STRONG_BM25 = 4
    WHOLE_QUERY = 5
    NEAR_LEADER = 6

    @property
    def kept(self) -> bool:
        """Whether the document is shown."""
        return self > 0

    @property
    def reason(self) -> str:
        """The verdict in words."""
        return _REASONS[self]


_REASONS = {
    Verdict.IRRELEVANT: "below both relevance gates",
    Verdict.WEAK: "only one retriever finds it, and not strongly",
    Verdict.FAR_FROM_LEADER: "too far behind the best result",
    Verdict.UNGATED: "gates are off",
    Verdict.AGREEMENT: "both retrievers find it",
    Verdict.STRONG_SIMILARITY: "strong similarity",
    Verdict.STRONG_BM25: "strong BM25 score",
    Verdict.WHOLE_QUERY: "one entry holds every word of the query",
    Verdict.NEAR_LEADER: "near the best result",
}


def relevant_dense(candidates: Candidates, thresholds: GateThresholds) -> Mask:
    """Who passes the dense half of the pre-fusion gate.

    Args:
        candidates: n documents.
        thresholds: The gates.

    Returns:
        Shape (n,).
    """
    return candidates.similarity >= thresholds.relevant_similarity


def relevant_sparse(candidates: Candidates, thresholds: GateThresholds, library: int) -> Mask:
    """Who passes the lexical half of the pre-fusion gate.

    Args:
        candidates: n documents.
        thresholds: The gates.
        library: Documents in the library.

    Returns:
        Shape (n,).
    """
    return (candidates.bm25 >= thresholds.relevant_bm25) | _whole(candidates, thresholds, library)


def verdicts(
    candidates: Candidates, rrf: Floats, thresholds: GateThresholds, library: int
) -> NDArray[np.int8]:
    """Pass judgement on every candidate, after fusion.

    Args:
        candidates: n documents.
        rrf: Their fused values, 0 for those that did not enter fusion; shape (n,).
        thresholds: The gates.
        library: Documents in the library, not in a filter; decides which post-fusion gate applies.

    Returns:
        `Verdict` of each; shape (n,).
    """
    dense = relevant_dense(candidates, thresholds)
    sparse = relevant_sparse(candidates, thresholds, library)
    if library <= thresholds.small_library:
        judged = np.full(len(rrf), Verdict.WEAK, dtype=np.int8)
        judged[_whole(candidates, thresholds, library)] = Verdict.WHOLE_QUERY
        judged[candidates.bm25 >= thresholds.strong_bm25] = Verdict.STRONG_BM25
        judged[candidates.similarity >= thresholds.strong_similarity] = Verdict.STRONG_SIMILARITY
        judged[dense & sparse] = Verdict.AGREEMENT
    else:
        needed = thresholds.leader_share * rrf.max(initial=0.0)
        judged = np.full(len(rrf), Verdict.FAR_FROM_LEADER, dtype=np.int8)
        judged[rrf >= needed] = Verdict.NEAR_LEADER
    judged[~(dense | sparse)] = Verdict.IRRELEVANT
    return judged


def _whole(candidates: Candidates, thresholds: GateThresholds, library: int) -> Mask:
    if thresholds.whole_query and library <= thresholds.small_library:
        return candidates.whole
    return np.zeros(len(candidates.whole), dtype=np.bool_)
