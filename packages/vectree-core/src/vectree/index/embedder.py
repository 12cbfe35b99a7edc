"""The seam to an embedding model, and an embedder that needs no model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vectree.errors import EmbedderError
from vectree.words import words

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What must agree for two sets of vectors to be comparable.

    Attributes:
        name: Name of the embedder.
        revision: Revision or weights hash.
        pooling: ``"cls"``, ``"mean"`` or another word.
        dimension: Length of a vector.
    """

    name: str
    revision: str
    pooling: str
    dimension: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityGates:
    """The two similarity thresholds of §3.4; they belong to the embedder.

    Attributes:
        relevant: Pre-fusion gate: a document stays with at least this similarity.
        strong: Post-fusion gate of small corpora: a strong match has at least this similarity.
    """

    relevant: float
    strong: float


PAPER_GATES = SimilarityGates(relevant=0.35, strong=0.55)
"""The paper's thresholds, measured on SPECTER2 (§3.4)."""


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors. Queries and documents are different inputs."""

    @property
    def fingerprint(self) -> Fingerprint:
        """What identifies the vectors."""
        ...

    @property
    def gates(self) -> SimilarityGates:
        """Similarity thresholds measured for this embedder."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed entries.

        Args:
            texts: Any number of texts.

        Returns:
            Array of shape (len(texts), dimension), float32, each row of L2 norm 1 (or 0 for an empty text).

        Raises:
            EmbedderError: If the model cannot be loaded or used.
        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """Embed a query.

        Args:
            text: The query.

        Returns:
            Array of shape (dimension,), float32, L2 norm 1 (or 0 for an empty text).

        Raises:
            EmbedderError: If the model cannot be loaded or used.
        """
        ...


@runtime_checkable
class TokenCapped(Protocol):
    """What an embedder adds if it cuts long texts: its cap, counted by its own tokenizer."""

    @property
    def max_tokens(self) -> int:
        """Tokens of a text that it reads, special ones included."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of texts, uncut.

        Args:
            texts: Any number of texts.

        Returns:
            One count for each, special tokens included.
        """
        ...


def check_vectors(vectors: Vectors, shape: tuple[int, ...], name: str) -> None:
    """Refuse what no index can hold.

    Args:
        vectors: What an embedder returned.
        shape: The shape it should have.
        name: Name of the embedder, for the error.

    Raises:
        EmbedderError: If the shape is another, or a value is no number.
    """
    if vectors.shape != shape:
        raise EmbedderError(f"The embedder {name!r} returned an array of shape {vectors.shape}, not {shape}.")
    if not np.isfinite(vectors).all():
        raise EmbedderError(f"The embedder {name!r} returned values that are not finite numbers.")


def normalized(vectors: Vectors) -> Vectors:
    """Scale rows to L2 norm 1; rows of zeros stay zeros.

    Args:
        vectors: Array of shape (n, dimension) or (dimension,).

    Returns:
        Array of the same shape, float32.
    """
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.divide(vectors, norms, out=np.zeros_like(vectors, dtype=np.float32), where=norms > 0).astype(
        np.float32
    )


class HashEmbedder:
    """Hashed words as vectors: deterministic, instant, needs no model. For tests, not for science.

    Args:
        dimension: Length of a vector.
    """

    def __init__(self, dimension: int = 256) -> None:
        self._dimension = dimension

    @property
    def fingerprint(self) -> Fingerprint:
        """What identifies the vectors."""
        return Fingerprint(name="hash", revision="1", pooling="sum", dimension=self._dimension)

    @property
    def gates(self) -> SimilarityGates:
        """Thresholds for hashed words: shared words, not meaning."""
        return SimilarityGates(relevant=0.15, strong=0.35)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as sums of signed word hashes.

        Args:
            texts: Any number of texts.

        Returns:
            Array of shape (len(texts), dimension), float32, rows of norm 1 or 0.
        """
        if not texts:
            return np.zeros((0, self._dimension), dtype=np.float32)
        return normalized(np.stack([self._sum(text) for text in texts]))

    def embed_query(self, text: str) -> Vectors:
        """Embed a query the same way.

        Args:
            text: The query.

        Returns:
            Array of shape (dimension,), float32, norm 1 or 0.
        """
        return normalized(self._sum(text))

    def _sum(self, text: str) -> Vectors:
        total = np.zeros(self._dimension, dtype=np.float32)
        for word in words(text):
            digest = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
            total[(digest >> 1) % self._dimension] += 1.0 if digest & 1 else -1.0
        return total
