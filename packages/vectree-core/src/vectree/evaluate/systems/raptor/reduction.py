"""Reducing vectors to a few dimensions before they are clustered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vectree._extras import require
from vectree.evaluate.systems.raptor.presets import RaptorSettings
from vectree.index.embedder import Vectors

Reduced = NDArray[np.float64]
"""Shape (n, fewer dimensions)."""

Reduce = Callable[[Vectors, int, RaptorSettings], Reduced]
"""From n vectors and a number of neighbours; the same result each time."""


def reduce_by_umap(vectors: Vectors, neighbours: int, settings: RaptorSettings) -> Reduced:
    """Reduce by UMAP.

    UMAP starts from seeded random places: its spectral start gives other places each time where the graph of
    neighbours falls apart, whatever the seed.

    Args:
        vectors: Shape (n, dimension), n at least 3.
        neighbours: How local the picture is.
        settings: Dimensions and seed.

    Returns:
        Shape (n, at most ``settings.dimension``).
    """
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
