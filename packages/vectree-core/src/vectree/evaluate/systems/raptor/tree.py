"""Building a RAPTOR tree: cluster a layer, summarise each cluster, go on with the summaries."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vectree.evaluate.records import Unit
from vectree.evaluate.systems.chunks import Chunk
from vectree.evaluate.systems.raptor.clustering import cluster
from vectree.evaluate.systems.raptor.presets import RaptorSettings
from vectree.evaluate.systems.raptor.reduction import Reduce, reduce_by_umap
from vectree.index.embedder import Vectors
from vectree.tokens import count_tokens

Summarise = Callable[[Sequence[Sequence[str]]], list[str]]
"""From the texts of each cluster to its summary; an empty one leaves the cluster without a node."""

Embed = Callable[[Sequence[str]], Vectors]
"""From n texts to an array of shape (n, dimension), rows of norm 1 or 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaptorNode:
    """A leaf or a summary.

    Attributes:
        text: What is embedded and shown.
        units: Every page below it.
        layer: 0 for leaves.
        children: Places of the nodes it summarises.
    """

    text: str
    units: tuple[Unit, ...]
    layer: int = 0
    children: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RaptorTree:
    """A tree; with several nodes in its top layer, if clustering ended there.

    Attributes:
        nodes: Layer by layer, leaves first.
        vectors: Shape (nodes, dimension).
    """

    nodes: tuple[RaptorNode, ...]
    vectors: Vectors

    def serialized(self) -> bytes:
        """Write the nodes down.

        Returns:
            JSON, a node a line; the same tree gives the same bytes.
        """
        rows = [
            {"layer": node.layer, "text": node.text, "units": node.units, "children": node.children}
            for node in self.nodes
        ]
        return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def build_tree(
    leaves: Sequence[Chunk],
    settings: RaptorSettings,
    embed: Embed,
    summarise: Summarise,
    reduce: Reduce = reduce_by_umap,
) -> RaptorTree:
    """Build a tree.

    Args:
        leaves: The lowest layer.
        settings: Of the tree.
        embed: Embeds leaves and summaries.
        summarise: Summarises clusters.
        reduce: Takes vectors to few dimensions.

    Returns:
        The tree. It ends with the layer that is small enough, or that clustering does not make smaller.
    """
    nodes = [RaptorNode(text=leaf.text, units=leaf.units) for leaf in leaves]
    vectors = embed([node.text for node in nodes])
    layer = range(len(nodes))
    for height in range(1, settings.layers + 1):
        if len(layer) <= settings.smallest_layer:
            break
        lengths = [count_tokens(nodes[place].text) for place in layer]
        found = cluster(vectors[layer.start : layer.stop], lengths, settings, reduce)
        clusters = [tuple(layer.start + place for place in members) for members in found]
        if len(clusters) >= len(layer):
            break
        texts = summarise([[nodes[place].text for place in members] for members in clusters])
        made = [
            RaptorNode(text=text, units=_units(nodes, members), layer=height, children=members)
            for text, members in zip(texts, clusters, strict=True)
            if text
        ]
        if not made:
            break
        layer = range(len(nodes), len(nodes) + len(made))
        nodes += made
        vectors = np.concatenate([vectors, embed([node.text for node in made])])
    return RaptorTree(nodes=tuple(nodes), vectors=vectors)


def _units(nodes: Sequence[RaptorNode], members: Sequence[int]) -> tuple[Unit, ...]:
    return tuple(sorted({unit for place in members for unit in nodes[place].units}))
