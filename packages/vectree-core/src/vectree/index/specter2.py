"""SPECTER2, the paper's embedder (§3.4): the base model, CLS pooling, 768 dimensions, 512 tokens."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any

from vectree.errors import EmbedderError
from vectree.index.embedder import PAPER_GATES, Fingerprint, SimilarityGates
from vectree.index.model_folder import files_hash
from vectree.index.sentence_model import SentenceModelEmbedder

HUB_NAME = "allenai/specter2_base"
"""Where the weights are published. The adapters that were trained on top of them need a library that cannot be
installed beside sentence-transformers 6."""

MAX_TOKENS = 512
"""Tokens that the model reads, the two special ones included; entries that are cut are counted and reported."""


class Specter2Embedder(SentenceModelEmbedder):
    """``allenai/specter2_base``: the vector of the first token, scaled to norm 1.

    The weights are not part of any package. They come from the local cache of the hub, from a download if
    that is allowed, or from a folder.

    Args:
        source: A folder that holds the weights, or a name on the hub.
        offline: Take a model of the hub from the local cache only; False allows a download.
    """

    def __init__(self, source: str = HUB_NAME, *, offline: bool = True) -> None:
        super().__init__(source, offline=offline)

    @cached_property
    def _fingerprint(self) -> Fingerprint:
        folder = self._folder
        return Fingerprint(
            name="specter2", revision=files_hash(folder), pooling="cls", dimension=_width(folder)
        )

    @property
    def gates(self) -> SimilarityGates:
        """The paper's thresholds (§3.4)."""
        return PAPER_GATES

    @cached_property
    def _dimension(self) -> int:
        return self.fingerprint.dimension

    def _load(self, library: Any, folder: Path) -> Any:
        loaded = super()._load(library, folder)
        transformer, pooling = loaded[0], loaded[1]
        # The folder is a plain encoder, for which the library's default is the mean over tokens.
        modules = [transformer, type(pooling)(_width(folder), pooling_mode="cls")]
        model = library.SentenceTransformer(modules=modules)
        model.max_seq_length = min(MAX_TOKENS, loaded.max_seq_length or MAX_TOKENS)
        return model


def _width(folder: Path) -> int:
    try:
        return int(json.loads((folder / "config.json").read_text(encoding="utf-8"))["hidden_size"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EmbedderError(
            f"The configuration of SPECTER2 in {folder} cannot be read: {error!r}",
            hint=f"Fetch the model again: hf download {HUB_NAME}.",
        ) from error
