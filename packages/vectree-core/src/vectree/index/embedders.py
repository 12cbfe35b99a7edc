"""The one place where an embedder's name becomes an embedder."""

from __future__ import annotations

from vectree.errors import UsageError
from vectree.index.embedder import Embedder, HashEmbedder
from vectree.index.minilm import MiniLmEmbedder

EMBEDDERS = {"minilm": MiniLmEmbedder, "hash": HashEmbedder}
"""Embedders that can be asked for by name."""

DEFAULT_EMBEDDER = "minilm"


def resolve_embedder(embedder: str | Embedder) -> Embedder:
    """Find an embedder; no model is loaded yet.

    Args:
        embedder: A name, or an embedder, which is returned as it is.

    Returns:
        The embedder.

    Raises:
        UsageError: If there is no embedder of that name.
    """
    if not isinstance(embedder, str):
        return embedder
    if embedder not in EMBEDDERS:
        allowed = ", ".join(repr(name) for name in EMBEDDERS)
        raise UsageError(f"Unknown embedder {embedder!r}; there are {allowed}.")
    return EMBEDDERS[embedder]()
