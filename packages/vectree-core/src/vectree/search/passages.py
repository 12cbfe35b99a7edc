"""Which pages of a paper answer a query best: every passage scored by its words, its section and its headings.

A value is a sum of shares of the best in this paper, not of ranks: how far a page lies behind the best one
says whether it is worth opening too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vectree.search.paper_index import PaperIndex
from vectree.search.vocabulary import related_words

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageWeights:
    """What counts beside the words of a passage, whose best one is worth 1.

    Chosen on questions of QASPER's training set; the figures are in `benchmarks/README.md`.

    Attributes:
        section: BM25 of the whole section.
        titles: BM25 of the section's titles.
        related: BM25 of words related to those of the query, in the passage.
        related_titles: The same in the titles.
        overview: Taken off a passage of a section that speaks of others.
    """

    section: float = 0.3
    titles: float = 0.6
    related: float = 0.7
    related_titles: float = 0.6
    overview: float = 0.3


def passage_shares(
    paper: PaperIndex, query: str, overview: Sequence[bool], weights: PassageWeights = PassageWeights()
) -> Scores:
    """Score the passages of a paper.

    Args:
        paper: The paper.
        query: What is looked for.
        overview: For each section, whether it only speaks of others.
        weights: What counts how much.

    Returns:
        Shape (passages,); 1 for the best, 0 for what holds no word of the query and nothing near it.
    """
    related = " ".join(related_words(query))
    words, titles = paper.passages_bm25(query), paper.titles_bm25(query)
    near, near_titles = paper.passages_bm25(related), paper.titles_bm25(related)
    by_section = (
        weights.section * _shares(paper.sections_bm25(query))
        + weights.titles * _shares(titles)
        + weights.related_titles * _shares(near_titles, titles)
        - weights.overview * np.asarray(overview, dtype=np.float64)
    )
    of = np.array([passage.section for passage in paper.passages], dtype=np.int64)
    scores = _shares(words) + weights.related * _shares(near, words) + by_section[of]
    scores[(words == 0) & (near == 0)] = 0.0
    return _shares(np.maximum(scores, 0.0))


def _shares(scores: Scores, *others: Scores) -> Scores:
    """Scores as shares of the best of them and of others; zeros if there is no best."""
    best = max((float(each.max(initial=0.0)) for each in (scores, *others)), default=0.0)
    return scores / best if best > 0 else np.zeros_like(scores)
