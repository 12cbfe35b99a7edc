"""The one place where an embedder's name becomes an embedder."""

from __future__ import annotations

import os
from pathlib import Path

from vectree.errors import UsageError
from vectree.index.embedder import Embedder, HashEmbedder
from vectree.index.endpoint_embedder import EndpointEmbedder
from vectree.index.minilm import MiniLmEmbedder
from vectree.index.sentence_model import SentenceModelEmbedder
from vectree.index.specter2 import HUB_NAME, Specter2Embedder

DEFAULT_EMBEDDER = "minilm"

FORMS = "'minilm', 'hash', 'specter2', 'specter2:FOLDER', 'st:FOLDER', 'st:ORG/MODEL', 'openai:MODEL', and a folder"
"""What a name may look like."""

VARIABLE = "VECTREE_EMBEDDER"
"""Says where the folder of a model is, for a corpus that keeps only the folder's name."""


def resolve_embedder(
    embedder: str | Embedder, *, offline: bool | None = None, dimension: int | None = None
) -> Embedder:
    """Find an embedder; no model is loaded and nothing is sent yet.

    Args:
        embedder: A name, or an embedder, which is returned as it is. ``minilm`` (the default) and ``hash``
            need nothing else; ``specter2`` is the paper's model from the hub, ``specter2:FOLDER`` the same
            from a folder; ``st:…`` is any model of sentence-transformers, as is the path of a folder that
            exists; ``openai:MODEL`` is a model behind an OpenAI-compatible endpoint.
        offline: True opens no connection at all, and refuses endpoints. ``None`` calls an endpoint that is
            named, but downloads nothing. False allows models to be downloaded from the hub.
        dimension: Length of the vectors if it is known, which saves asking an endpoint.

    Returns:
        The embedder.

    Raises:
        UsageError: If there is no embedder of that name, or it needs a connection and none is allowed.
    """
    if not isinstance(embedder, str):
        return embedder
    kind, separator, rest = embedder.partition(":")
    cached_only = offline is not False
    if embedder == "minilm":
        return MiniLmEmbedder()
    if embedder == "hash":
        return HashEmbedder()
    if kind == "specter2" and (rest or not separator):
        return Specter2Embedder(rest or _said("specter2:") or HUB_NAME, offline=cached_only)
    if kind == "st" and rest:
        return SentenceModelEmbedder(_placed(rest), offline=cached_only)
    if kind == "openai" and rest:
        if offline:
            raise UsageError(
                f"The embedder {embedder!r} needs a network connection, and --offline allows none.",
                hint="Leave --offline away, or use an embedder that runs here: minilm.",
            )
        return EndpointEmbedder(rest, dimension=dimension)
    if embedder.strip() and Path(embedder).expanduser().is_dir():
        return SentenceModelEmbedder(embedder, offline=cached_only)
    raise UsageError(f"Unknown embedder {embedder!r}; there are {FORMS}.")


def _placed(source: str) -> str:
    """A folder known by its name alone is looked for where the environment says."""
    if "/" in source or Path(source).is_dir():
        return source
    said = _said("st:")
    return said if Path(said).name == source and Path(said).expanduser().is_dir() else source


def _said(prefix: str) -> str:
    """The folder that the environment names for a kind of embedder, or nothing."""
    said = os.environ.get(VARIABLE, "")
    return said.removeprefix(prefix) if said.startswith(prefix) else ""
