"""Scoring candidates with a cross-encoder (§4.2: 30 candidates, 10 kept)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Protocol

from vectree._extras import require
from vectree.errors import ModelRequestError
from vectree.evaluate.systems.chunks import Chunk

CANDIDATES = 30
"""Passages that dense search hands over."""

KEPT = 10
"""Passages that the model sees."""

CHECKPOINT = "BAAI/bge-reranker-v2-m3"
"""Deviation: the paper says BGE and names no checkpoint."""


class Scorer(Protocol):
    """Says how well texts answer a query. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """Name for the record."""
        ...

    @property
    def measured(self) -> bool:
        """Whether figures may be taken as measured; ``False`` for a stand-in."""
        ...

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Score texts.

        Args:
            query: The query.
            texts: Any number of texts.

        Returns:
            One number for each, the larger the better.
        """
        ...


class CrossEncoderScorer:
    """A cross-encoder of sentence-transformers, loaded when it is first used.

    Args:
        checkpoint: Name or folder of its weights.
    """

    measured = True

    def __init__(self, checkpoint: str = CHECKPOINT) -> None:
        self._checkpoint = checkpoint
        self._lock = threading.Lock()
        self._model: Any = None

    @property
    def name(self) -> str:
        """Name of the checkpoint."""
        return self._checkpoint

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Score texts; one call at a time.

        Args:
            query: The query.
            texts: Any number of texts.

        Returns:
            Relevance logits or probabilities, as the checkpoint gives them.

        Raises:
            ModelRequestError: If the weights cannot be loaded.
        """
        if not texts:
            return []
        with self._lock:
            if self._model is None:
                library = require("sentence_transformers", extra="minilm")
                try:
                    self._model = library.CrossEncoder(self._checkpoint)
                except (OSError, ValueError) as error:
                    raise ModelRequestError(
                        f"The cross-encoder {self._checkpoint!r} cannot be loaded: {error}",
                        hint="It is downloaded on first use; without a network give a local folder.",
                    ) from error
            found = self._model.predict([(query, text) for text in texts], show_progress_bar=False)
        return [float(value) for value in found]


def rerank(query: str, chunks: Sequence[Chunk], scorer: Scorer, k: int) -> list[Chunk]:
    """Order candidates by their scores.

    Args:
        query: The query.
        chunks: Candidates, best first.
        scorer: Scores them.
        k: Most to keep.

    Returns:
        The best; ties keep their order.
    """
    scores = scorer.score(query, [chunk.text for chunk in chunks])
    order = sorted(range(len(chunks)), key=lambda place: (-scores[place], place))
    return [chunks[place] for place in order[:k]]
