"""Any LlamaIndex embedding as VecTree's embedder."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding

from vectree.errors import EmbedderError
from vectree.index.embedder import (
    PAPER_GATES,
    Fingerprint,
    SimilarityGates,
    Vectors,
    check_vectors,
    normalized,
)

_BATCH = 256
_PROBE = "ionic conductivity"


class LlamaIndexEmbedder:
    """A LlamaIndex embedding as VecTree's `Embedder`: ``Corpus.open(path, embedder=LlamaIndexEmbedder(e))``.

    A corpus remembers what made its vectors, so that give a ``name`` that changes when the model does; the
    default is the model's own name.

    Args:
        embedding: The embedding.
        name: Name of the model.
        revision: Revision or hash of its weights, if there is one.
        dimension: Length of a vector; by default one short text is embedded when it is first needed.
        gates: Similarity thresholds. The default is the paper's, measured on SPECTER2; other models score unrelated
            texts higher or lower, so measure them on your own corpus.
    """

    def __init__(
        self,
        embedding: BaseEmbedding,
        *,
        name: str | None = None,
        revision: str = "",
        dimension: int | None = None,
        gates: SimilarityGates = PAPER_GATES,
    ) -> None:
        self._embedding = embedding
        known = embedding.model_name if embedding.model_name != "unknown" else ""
        self._name = name or known or embedding.class_name()
        self._revision = revision
        self._dimension = dimension
        self._gates = gates
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> Fingerprint:
        """What identifies the vectors."""
        return Fingerprint(
            name=f"llama-index:{self._name}",
            revision=self._revision,
            pooling="unknown",
            dimension=self._known_dimension(),
        )

    @property
    def gates(self) -> SimilarityGates:
        """Similarity thresholds."""
        return self._gates

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed entries.

        Args:
            texts: Any number of texts.

        Returns:
            Array of shape (len(texts), dimension), float32, rows of norm 1, or 0 for an empty text.
        """
        vectors = np.zeros((len(texts), self._known_dimension()), dtype=np.float32)
        filled = [place for place, text in enumerate(texts) if text.strip()]  # services refuse empty texts
        for start in range(0, len(filled), _BATCH):
            places = filled[start : start + _BATCH]
            vectors[places] = self._embedded([texts[place] for place in places])
        return normalized(vectors)

    def embed_query(self, text: str) -> Vectors:
        """Embed a query.

        Args:
            text: The query.

        Returns:
            Array of shape (dimension,), float32, norm 1, or 0 for an empty text.
        """
        if not text.strip():
            return np.zeros(self._known_dimension(), dtype=np.float32)
        vector = self._query(text)
        check_vectors(vector, (self._known_dimension(),), self._name)
        return normalized(vector)

    def _known_dimension(self) -> int:
        with self._lock:
            if self._dimension is None:
                self._dimension = len(self._query(_PROBE))
            return self._dimension

    def _query(self, text: str) -> Vectors:
        try:
            return np.asarray(self._embedding.get_query_embedding(text), dtype=np.float32)
        except Exception as error:
            raise self._failure(error) from error

    def _embedded(self, texts: list[str]) -> Vectors:
        try:
            vectors = np.asarray(self._embedding.get_text_embedding_batch(texts), dtype=np.float32)
        except Exception as error:
            raise self._failure(error) from error
        check_vectors(vectors, (len(texts), self._known_dimension()), self._name)
        return vectors

    def _failure(self, error: Exception) -> EmbedderError:
        return EmbedderError(f"{self._name}: {type(error).__name__}: {str(error)[:500]}")
