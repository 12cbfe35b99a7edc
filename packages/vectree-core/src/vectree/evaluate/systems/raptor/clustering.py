"""Soft clusters of vectors: reduced by UMAP, fitted by Gaussian mixtures, their number chosen by BIC.

As in RAPTOR's repository, twice: over all, then within each cluster. Departures, each against a fault seen
there: everything is seeded and runs on one thread, so that a tree can be built again to the byte; small
inputs are one cluster; members are places, not vectors, so that equal texts stay apart; a cluster that
clustering cannot make smaller is cut in document order. UMAP starts from seeded random places: its spectral
start gives other places each time where the graph of neighbours falls apart, whatever the seed.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from vectree._extras import require
from vectree.evaluate.systems.raptor.presets import RaptorSettings
from vectree.index.embedder import Vectors

SMALLEST = 4
"""So few nodes are one cluster; the reduction fails on them."""

_GROWTH = 2.0
"""Clustering a cluster again may at most double its tokens, since nodes belong to several."""

Cluster = tuple[int, ...]
"""Places of nodes, ascending."""

_Reduced = NDArray[np.float64]


def cluster(vectors: Vectors, tokens: Sequence[int], settings: RaptorSettings) -> list[Cluster]:
    """Cluster nodes so that no cluster is too long to summarise at once.

    Args:
        vectors: Shape (n, dimension).
        tokens: Length of each of the n nodes.
        settings: Of the tree.

    Returns:
        Clusters in the order of their first members; every node is in at least one, a cluster of several
        nodes within ``cluster_tokens``.
    """
    everyone = tuple(range(len(tokens)))
    if not everyone:
        return []
    with _one_thread():
        found = _within_budget(_two_passes(vectors, everyone, settings), vectors, tokens, settings)
    return sorted(set(found))


def _within_budget(
    clusters: list[Cluster], vectors: Vectors, tokens: Sequence[int], settings: RaptorSettings
) -> list[Cluster]:
    found: list[Cluster] = []
    waiting = list(clusters)
    while waiting:
        members = waiting.pop()
        length = sum(tokens[place] for place in members)
        if len(members) == 1 or length <= settings.cluster_tokens:
            found.append(members)
            continue
        parts = _two_passes(vectors, members, settings)
        grown = sum(tokens[place] for part in parts for place in part)
        if members in parts or grown > _GROWTH * length:
            found += _in_order(members, tokens, settings.cluster_tokens)
        else:
            waiting += parts
    return found


def _in_order(members: Cluster, tokens: Sequence[int], room: int) -> list[Cluster]:
    parts: list[list[int]] = []
    used = 0
    for place in members:
        if parts and used + tokens[place] <= room:
            parts[-1].append(place)
            used += tokens[place]
        else:
            parts.append([place])
            used = tokens[place]
    return [tuple(part) for part in parts]


def _two_passes(vectors: Vectors, members: Cluster, settings: RaptorSettings) -> list[Cluster]:
    """Clusters over all members, and within each of those."""
    found: list[Cluster] = []
    neighbours = max(2, int((len(members) - 1) ** 0.5))
    for group in _soft(vectors, members, neighbours, settings):
        if len(group) <= settings.dimension + 1:
            found.append(group)
        else:
            found += _soft(vectors, group, settings.local_neighbours, settings)
    return list(dict.fromkeys(found))


def _soft(vectors: Vectors, members: Cluster, neighbours: int, settings: RaptorSettings) -> list[Cluster]:
    if len(members) <= SMALLEST:
        return [members]
    reduced = _reduce(vectors[list(members)], neighbours, settings)
    parts = _memberships(reduced, settings) > settings.membership
    groups = [tuple(np.asarray(members)[parts[:, label]].tolist()) for label in range(parts.shape[1])]
    return [group for group in groups if group]


def _reduce(vectors: Vectors, neighbours: int, settings: RaptorSettings) -> _Reduced:
    umap: Any = require("umap", extra="eval")
    reducer = umap.UMAP(
        n_neighbors=min(neighbours, len(vectors) - 1),
        n_components=min(settings.dimension, len(vectors) - 2),
        metric="cosine",
        init="random",
        random_state=settings.seed,
        n_jobs=1,
    )
    return np.asarray(reducer.fit_transform(vectors), dtype=np.float64)


def _memberships(reduced: _Reduced, settings: RaptorSettings) -> _Reduced:
    """Shape (n, clusters): probabilities; the likeliest cluster of a node counts as certain."""
    mixture = require("sklearn.mixture", extra="eval").GaussianMixture
    best: Any = None
    lowest = float("inf")
    for count in range(1, max(2, min(settings.most_clusters, len(reduced)))):
        fitted = mixture(n_components=count, random_state=settings.seed).fit(reduced)
        value = float(fitted.bic(reduced))
        if best is None or value < lowest:
            best, lowest = fitted, value
    found = np.asarray(best.predict_proba(reduced), dtype=np.float64)
    found[np.arange(len(found)), found.argmax(axis=1)] = 1.0
    return found


@contextmanager
def _one_thread() -> Generator[None]:
    """Sums in one order, so that results do not hang on timing; the libraries' warnings stay inside."""
    limits = cast("Callable[..., Any]", require("threadpoolctl", extra="eval").threadpool_limits)
    with warnings.catch_warnings(), limits(limits=1):
        warnings.simplefilter("ignore")
        yield
