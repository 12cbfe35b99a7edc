"""A query against one state of the index: scores of every entry, and the ranking of the chosen papers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vectree.index.bm25 import Lexical
from vectree.index.dense import DenseScores, span_entries
from vectree.index.embedder import Vectors
from vectree.index.postings import Mask
from vectree.index.snapshot import Snapshot
from vectree.search.gates import Candidates, GateThresholds, Verdict
from vectree.search.ranking import Ranking, rank, rank_ungated


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """Everything a query yields before anything is shown.

    Attributes:
        snapshot: The state of the index.
        dense: Over entries, exact where they decide.
        lexical: Over entries.
        chosen: Numbers of the documents that pass the filters; shape (n,).
        candidates: Best scores of these; shape (n,).
        ranking: Their ranking.
    """

    snapshot: Snapshot
    dense: DenseScores
    lexical: Lexical
    chosen: NDArray[np.int64]
    candidates: Candidates
    ranking: Ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What became of one candidate, and why.

    Attributes:
        doc_id: The document.
        title: Its title.
        similarity: Best cosine of its entries.
        bm25: Best BM25 score of them.
        dense_rank: Rank from 1 in the dense list; ``None`` if it is not in it.
        sparse_rank: Likewise in the lexical list.
        rrf: Fused value.
        verdict: Whether it is shown, and why.
    """

    doc_id: str
    title: str
    similarity: float
    bm25: float
    dense_rank: int | None
    sparse_rank: int | None
    rrf: float
    verdict: Verdict


def score(
    snapshot: Snapshot,
    chosen: NDArray[np.int64],
    query: str,
    vector: Vectors,
    thresholds: GateThresholds | None,
    *,
    every: bool = False,
) -> Scored:
    """Score all entries, take the best of each paper, rank the papers.

    Args:
        snapshot: The state of the index.
        chosen: Numbers of the documents to rank; shape (n,).
        query: Its words.
        vector: The same embedded; norm 1 or 0.
        thresholds: The gates; ``None`` for fusion alone.
        every: Whether the similarity of papers below the dense gate matters too, as it does to explain them.

    Returns:
        Scores and ranking.
    """
    gate = None if thresholds is None or every else thresholds.relevant_similarity
    dense, lexical = snapshot.dense(vector, gate), snapshot.lexical(query)
    candidates = Candidates(
        similarity=snapshot.best(dense.values)[chosen].astype(np.float64),
        bm25=snapshot.best(lexical.bm25)[chosen],
        whole=_whole(snapshot, lexical, thresholds)[chosen],
        order=snapshot.order[chosen],
    )
    return Scored(
        snapshot=snapshot,
        dense=dense,
        lexical=lexical,
        chosen=chosen,
        candidates=candidates,
        ranking=rank(candidates, thresholds, library=snapshot.documents)
        if thresholds
        else rank_ungated(candidates),
    )


def _whole(snapshot: Snapshot, lexical: Lexical, thresholds: GateThresholds | None) -> Mask:
    """Which documents have an entry with every word of the query; only small libraries ask."""
    if thresholds is None or snapshot.documents > thresholds.small_library:
        return np.zeros(len(snapshot.alive), dtype=np.bool_)
    matched = snapshot.best(lexical.matched)
    return (matched > 0) & (matched == lexical.words)


def decisions(scored: Scored, limit: int) -> tuple[Decision, ...]:
    """Say what became of each candidate: the results first, then the best of those that were left out.

    Args:
        scored: A scored query.
        limit: Most decisions to return.

    Returns:
        Decisions, best first.
    """
    ranking, candidates = scored.ranking, scored.candidates
    rejected = np.flatnonzero(ranking.verdicts < 0)
    keys = (candidates.order, -candidates.similarity, -candidates.bm25, -ranking.rrf)
    rejected = rejected[np.lexsort(tuple(key[rejected] for key in keys))]
    shown = np.concatenate([ranking.kept, rejected])[:limit]
    similarities = exact_similarities(scored, shown)
    return tuple(
        _decision(scored, int(position), float(cosines.max()))
        for position, cosines in zip(shown, similarities, strict=True)
    )


def exact_similarities(scored: Scored, positions: NDArray[np.int64]) -> list[Vectors]:
    """Exact cosines of all entries of some papers, looked up together.

    Args:
        scored: A scored query.
        positions: Positions of the papers among the chosen; shape (n,).

    Returns:
        For each paper the cosines of its entries, the document entry first; shape (1 + sections,).
    """
    if not len(positions):
        return []
    spans = [scored.snapshot.span(int(scored.chosen[position])) for position in positions]
    found = scored.dense.exact(span_entries(spans))
    return np.split(found, np.cumsum([span.stop - span.start for span in spans])[:-1])


def _decision(scored: Scored, position: int, similarity: float) -> Decision:
    row = scored.snapshot.row(int(scored.chosen[position]))
    ranking, candidates = scored.ranking, scored.candidates
    return Decision(
        doc_id=row.doc_id,
        title=row.title,
        similarity=similarity,
        bm25=float(candidates.bm25[position]),
        dense_rank=int(ranking.dense_ranks[position]) or None,
        sparse_rank=int(ranking.sparse_ranks[position]) or None,
        rrf=float(ranking.rrf[position]),
        verdict=Verdict(int(ranking.verdicts[position])),
    )
