"""An embedder made of two functions, such as those of a framework's embeddings."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

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


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingCalls:
    """What is called.

    Attributes:
        documents: Texts → one vector each.
        query: A text → its vector.
    """

    documents: Callable[[list[str]], Sequence[Sequence[float]]]
    query: Callable[[str], Sequence[float]]


class CalledEmbedder:
    """Functions as an `Embedder`: batches, norms, empty texts and failures are seen to here.

    Whatever a function raises becomes `EmbedderError`, and so does an array of another shape.

    Args:
        calls: The functions; safe to call from several threads.
        family: Whose they are, ``"langchain"`` for example; the first half of the embedder's name.
        name: Name of the model, the second half.
        revision: Revision or hash of its weights, if there is one.
        dimension: Length of a vector; by default one short text is embedded when it is first needed.
        gates: Similarity thresholds; by default the paper's, measured on SPECTER2.
    """

    def __init__(
        self,
        calls: EmbeddingCalls,
        *,
        family: str,
        name: str,
        revision: str = "",
        dimension: int | None = None,
        gates: SimilarityGates = PAPER_GATES,
    ) -> None:
        self._calls = calls
        self._family = family
        self._name = name
        self._revision = revision
        self._dimension = dimension
        self._gates = gates
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> Fingerprint:
        """What identifies the vectors."""
        return Fingerprint(
            name=f"{self._family}:{self._name}",
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
            return np.asarray(self._calls.query(text), dtype=np.float32)
        except Exception as error:
            raise self._failure(error) from error

    def _embedded(self, texts: list[str]) -> Vectors:
        try:
            vectors = np.asarray(self._calls.documents(texts), dtype=np.float32)
        except Exception as error:
            raise self._failure(error) from error
        check_vectors(vectors, (len(texts), self._known_dimension()), self._name)
        return vectors

    def _failure(self, error: Exception) -> EmbedderError:
        return EmbedderError(f"{self._name}: {type(error).__name__}: {str(error)[:500]}")
