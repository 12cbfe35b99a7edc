"""What an embedder's cosines mean in a library: how its similarity gates are measured (§3.4).

The paper's 0.35 and 0.55 are SPECTER2's; another embedder puts unrelated texts elsewhere. Search compares the
best cosine between a question and a paper's entries, so the same is measured for two kinds of pairs:

* *unrelated*: forty questions from forty fields (`vectree.search.probes`) against every paper. A library is
  about one or a few of them, so about one pair in forty is related after all. What one pair in forty reaches
  is taken as the relevant gate.
* *own*: the titles of papers against their own entries, which is what a query reaches that names the paper.
  The strong gate lies three eighths of the way from the relevant gate to the median of these.

For MiniLM this gives 0.30 and 0.50 on 281 papers of one field, 0.28 and 0.49 on 41 documents of many; the gates
measured for it with questions of which the right paper is known are 0.30 and 0.50.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vectree.errors import UsageError
from vectree.index.embedder import Embedder, SimilarityGates, Vectors, check_vectors, normalized
from vectree.index.snapshot import Snapshot
from vectree.search.probes import PROBES

UNRELATED_SHARE = 1 / len(PROBES)
"""Share of unrelated pairs that may pass the relevant gate: the field of the library itself."""

STRONG_SHARE = 0.375
"""How far the strong gate lies between the relevant gate and the similarity of a paper to its own title."""

MAX_TITLES = 100
FEW_PAPERS = 20
"""With fewer papers the figures say little about the embedder."""

PASSING_TOO_MANY = 0.10
"""Share of unrelated pairs above the relevant gate from which it hardly keeps anything out."""

BIN = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """One bar of the histogram.

    Attributes:
        start: Lowest similarity in it; it is ``BIN`` wide.
        unrelated: Pairs of a question from another field and a paper.
        own: Pairs of a title and its own paper.
    """

    start: float
    unrelated: int
    own: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What was measured, and what follows.

    Attributes:
        embedder: Name of the embedder.
        papers: Papers of the library.
        pairs: Unrelated pairs that were compared.
        titles: Titles that were compared with their own papers.
        current: The gates in use.
        suggested: The gates that follow from the figures.
        unrelated_median: Median similarity of unrelated pairs.
        own_median: Median similarity of a title to its own paper.
        passing: Share of unrelated pairs at or above the relevant gate in use.
        histogram: From the lowest similarity to the highest.
        warnings: Sentences for the reader.
    """

    embedder: str
    papers: int
    pairs: int
    titles: int
    current: SimilarityGates
    suggested: SimilarityGates
    unrelated_median: float
    own_median: float
    passing: float
    histogram: tuple[Bin, ...]
    warnings: tuple[str, ...]


def calibrate(snapshot: Snapshot, embedder: Embedder, current: SimilarityGates) -> Calibration:
    """Measure an embedder on the entries of a library; nothing is written.

    Args:
        snapshot: The index.
        embedder: What made its vectors.
        current: The gates in use.

    Returns:
        The figures and the gates that follow from them.

    Raises:
        UsageError: If the library is empty.
    """
    if not snapshot.documents:
        raise UsageError(
            "There is no paper to measure the embedder on.", hint="Add papers first: vectree add."
        )
    unrelated = np.concatenate(
        [
            snapshot.best(snapshot.similarities(vector))[snapshot.alive]
            for vector in _queries(embedder, PROBES)
        ]
    ).astype(np.float64)
    own = _own(snapshot, embedder)
    suggested = _gates(unrelated, own)
    return Calibration(
        embedder=embedder.fingerprint.name,
        papers=snapshot.documents,
        pairs=len(unrelated),
        titles=len(own),
        current=current,
        suggested=suggested,
        unrelated_median=float(np.median(unrelated)),
        own_median=float(np.median(own)),
        passing=float(np.mean(unrelated >= current.relevant)),
        histogram=_histogram(unrelated, own),
        warnings=_warnings(snapshot.documents, unrelated, current, suggested),
    )


def _queries(embedder: Embedder, texts: Sequence[str]) -> list[Vectors]:
    fingerprint = embedder.fingerprint
    found: list[Vectors] = []
    for text in texts:
        vector = np.asarray(embedder.embed_query(text), dtype=np.float32)
        check_vectors(vector, (fingerprint.dimension,), fingerprint.name)
        found.append(normalized(vector))
    return found


def _own(snapshot: Snapshot, embedder: Embedder) -> NDArray[np.float64]:
    """Similarity of titles to their own papers; papers drawn evenly."""
    living = np.flatnonzero(snapshot.alive)
    drawn = living[np.unique(np.linspace(0, len(living) - 1, min(len(living), MAX_TITLES)).astype(np.int64))]
    vectors = _queries(embedder, [snapshot.row(int(number)).title for number in drawn])
    return np.array(
        [
            snapshot.similarities(vector)[snapshot.span(int(number))].max()
            for number, vector in zip(drawn, vectors, strict=True)
        ],
        dtype=np.float64,
    )


def _gates(unrelated: NDArray[np.float64], own: NDArray[np.float64]) -> SimilarityGates:
    relevant = float(np.quantile(unrelated, 1 - UNRELATED_SHARE))
    strong = relevant + STRONG_SHARE * max(0.0, float(np.median(own)) - relevant)
    return SimilarityGates(relevant=round(relevant, 3), strong=round(max(strong, relevant), 3))


def _histogram(unrelated: NDArray[np.float64], own: NDArray[np.float64]) -> tuple[Bin, ...]:
    kinds = [np.clip(values, -1, 1 - BIN / 2) for values in (unrelated, own)]  # 1 itself is in the last bar
    places = [np.floor(values / BIN).astype(np.int64) for values in kinds]
    first, last = min(int(place.min()) for place in places), max(int(place.max()) for place in places)
    unlike, like = (np.bincount(place - first, minlength=last - first + 1).tolist() for place in places)
    return tuple(
        Bin(start=round((first + bar) * BIN, 2), unrelated=unlike[bar], own=like[bar])
        for bar in range(last - first + 1)
    )


def _warnings(
    papers: int, unrelated: NDArray[np.float64], current: SimilarityGates, suggested: SimilarityGates
) -> tuple[str, ...]:
    said: list[str] = []
    if papers < FEW_PAPERS:
        said.append(f"{papers} papers are few to measure an embedder on; {FEW_PAPERS} or more say more.")
    passing = float(np.mean(unrelated >= current.relevant))
    if passing > PASSING_TOO_MANY:
        said.append(
            f"{passing:.0%} of unrelated pairs pass the relevant gate in use ({current.relevant:.2f}): "
            "it keeps hardly anything out."
        )
    if suggested.strong - suggested.relevant < BIN:
        said.append("The embedder hardly tells a paper's own title from questions of other fields.")
    return tuple(said)
