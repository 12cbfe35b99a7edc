"""Settings of RAPTOR: those of its paper, of its repository, and with the passages of the other baselines.

The VecTree-RAG paper names RAPTOR and gives none of its parameters. Its token counts (Table 8) are near those
of ten passages of 800 tokens, so the third preset is the default here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Leaves(StrEnum):
    """What the lowest layer is made of."""

    SENTENCES = "sentences"
    """Whole sentences, up to a number of tokens, without overlap."""
    PASSAGES = "passages"
    """The overlapping passages of the other baselines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaptorSettings:
    """How the tree is built and searched.

    Attributes:
        preset: Name of these settings.
        leaves: What the lowest layer is made of.
        leaf_tokens: Length of a leaf.
        overlap_tokens: What a leaf shares with the next one.
        summary_tokens: Length that a summary is asked to have.
        cluster_tokens: Most tokens summarised at once; a larger cluster is clustered again.
        layers: Most layers above the leaves.
        smallest_layer: A layer of so many nodes or fewer is not clustered any more.
        dimension: Dimensions that vectors are reduced to.
        local_neighbours: Neighbours of the second, local reduction.
        most_clusters: Bound on the clusters tried, exclusive.
        membership: A node belongs to each cluster of which it is a part with more than this probability.
        top_k: Most nodes shown; ``None`` for no bound but tokens.
        shown_tokens: Most tokens shown; ``None`` for no bound but ``top_k``.
        seed: Of everything random in building.
    """

    preset: str
    leaves: Leaves
    leaf_tokens: int
    overlap_tokens: int = 0
    summary_tokens: int = 100
    cluster_tokens: int = 3_500
    layers: int = 5
    smallest_layer: int = 11
    dimension: int = 10
    local_neighbours: int = 10
    most_clusters: int = 50
    membership: float = 0.1
    top_k: int | None = None
    shown_tokens: int | None = None
    seed: int = 224


PAPER = RaptorSettings(
    preset="paper", leaves=Leaves.SENTENCES, leaf_tokens=100, summary_tokens=130, shown_tokens=2_000
)
"""The paper of RAPTOR: leaves of 100 tokens, as many nodes as fit into 2,000 tokens."""

REPOSITORY = RaptorSettings(
    preset="repository", leaves=Leaves.SENTENCES, leaf_tokens=100, top_k=10, shown_tokens=3_500
)
"""The defaults of RAPTOR's repository: ten nodes, 3,500 tokens at most."""

PASSAGES = RaptorSettings(
    preset="passages",
    leaves=Leaves.PASSAGES,
    leaf_tokens=800,
    overlap_tokens=400,
    summary_tokens=400,
    cluster_tokens=12_000,
    smallest_layer=4,
    top_k=10,
)
"""The passages of the other baselines, ten nodes; a paper of twelve passages still gets a layer of summaries."""
