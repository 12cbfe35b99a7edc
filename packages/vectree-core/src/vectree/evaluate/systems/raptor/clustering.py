"""Soft clusters of vectors: reduced by UMAP, fitted by Gaussian mixtures, their number chosen by BIC.

As in RAPTOR's repository, twice: over all, then within each cluster. Departures, each against a fault seen
there: everything is seeded and runs on one thread, so that a tree can be built again to the byte; small
inputs are one cluster; members are places, not vectors, so that equal texts stay apart; a cluster that
clustering cannot make smaller is cut in document order.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from vectree._extras import require
from vectree.evaluate.systems.raptor.presets import RaptorSettings
from vectree.evaluate.systems.raptor.reduction import Reduce, Reduced, reduce_by_umap
from vectree.index.embedder import Vectors

SMALLEST = 4
"""So few nodes are one cluster; the reduction fails on them."""

_GROWTH = 2.0
"""Clustering a cluster again may at most double its tokens, since nodes belong to several."""

Cluster = tuple[int, ...]
"""Places of nodes, ascending."""


def cluster(
    vectors: Vectors, tokens: Sequence[int], settings: RaptorSettings, reduce: Reduce = reduce_by_umap
) -> list[Cluster]:
    """Cluster nodes so that no cluster is too long to summarise at once.

    Args:
        vectors: Shape (n, dimension).
        tokens: Length of each of the n nodes.
        settings: Of the tree.
        reduce: Takes vectors to few dimensions.

    Returns:
        Clusters in the order of their first members; every node is in at least one, a cluster of several
        nodes within ``cluster_tokens``.
    """
    everyone = tuple(range(len(tokens)))
    if not everyone:
        return []
    with _one_thread():
        return sorted(set(_within_budget(_Passes(vectors, settings, reduce), everyone, tokens)))


def _within_budget(passes: _Passes, everyone: Cluster, tokens: Sequence[int]) -> list[Cluster]:
    settings = passes.settings
    found: list[Cluster] = []
    waiting = passes.both(everyone)
    while waiting:
        members = waiting.pop()
        length = sum(tokens[place] for place in members)
        if len(members) == 1 or length <= settings.cluster_tokens:
            found.append(members)
            continue
        parts = passes.both(members)
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


@dataclass(frozen=True, slots=True)
class _Passes:
    """Clusters over all members, and within each of those."""

    vectors: Vectors
    settings: RaptorSettings
    reduce: Reduce

    def both(self, members: Cluster) -> list[Cluster]:
        found: list[Cluster] = []
        for group in self._soft(members, max(2, int((len(members) - 1) ** 0.5))):
            if len(group) <= self.settings.dimension + 1:
                found.append(group)
            else:
                found += self._soft(group, self.settings.local_neighbours)
        return list(dict.fromkeys(found))

    def _soft(self, members: Cluster, neighbours: int) -> list[Cluster]:
        if len(members) <= SMALLEST:
            return [members]
        reduced = self.reduce(self.vectors[list(members)], neighbours, self.settings)
        parts = _memberships(reduced, self.settings) > self.settings.membership
        groups = [tuple(np.asarray(members)[parts[:, label]].tolist()) for label in range(parts.shape[1])]
        return [group for group in groups if group]


def _memberships(reduced: Reduced, settings: RaptorSettings) -> Reduced:
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
