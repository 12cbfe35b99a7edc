"""Embedders for tests: one with prescribed cosines, one that counts what it is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vectree.index.embedder import Embedder, Fingerprint, SimilarityGates, Vectors, normalized


class CosineEmbedder:
    """Gives every document text a prescribed cosine with every query.

    A query is the first unit vector; a document of cosine c is (c, √(1 - c²)).

    Args:
        cosine: Text of an entry → its cosine, -1 to 1.
        gates: Thresholds of this embedder.
    """

    def __init__(
        self,
        cosine: Callable[[str], float],
        *,
        gates: SimilarityGates | None = None,
    ) -> None:
        self._cosine = cosine
        self._gates = gates or SimilarityGates(relevant=0.35, strong=0.55)

    @property
    def fingerprint(self) -> Fingerprint:
        """What identifies the vectors."""
        return Fingerprint(name="cosine", revision="1", pooling="none", dimension=2)

    @property
    def gates(self) -> SimilarityGates:
        """As given."""
        return self._gates

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts at their cosines.

        Args:
            texts: Any number of texts.

        Returns:
            Array of shape (len(texts), 2), float32, rows of norm 1.
        """
        cosines = np.array([self._cosine(text) for text in texts], dtype=np.float64)
        return np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1).astype(np.float32)

    def embed_query(self, text: str) -> Vectors:
        """Embed a query.

        Args:
            text: Any text.

        Returns:
            The first unit vector.
        """
        return normalized(np.array([1.0, 0.0], dtype=np.float32))


class CountingEmbedder:
    """Passes everything on and counts it.

    Args:
        inner: The embedder that does the work.
    """

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.documents = 0
        self.queries = 0

    @property
    def fingerprint(self) -> Fingerprint:
        """The inner embedder's."""
        return self._inner.fingerprint

    @property
    def gates(self) -> SimilarityGates:
        """The inner embedder's."""
        return self._inner.gates

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Count the texts and embed them.

        Args:
            texts: Any number of texts.

        Returns:
            What the inner embedder returns.
        """
        self.documents += len(texts)
        return self._inner.embed_documents(texts)

    def embed_query(self, text: str) -> Vectors:
        """Count the query and embed it.

        Args:
            text: The query.

        Returns:
            What the inner embedder returns.
        """
        self.queries += 1
        return self._inner.embed_query(text)
