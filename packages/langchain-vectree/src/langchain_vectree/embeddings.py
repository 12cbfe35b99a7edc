"""Any LangChain embeddings as VecTree's embedder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from langchain_core.embeddings import Embeddings

from vectree.index.called_embedder import CalledEmbedder, EmbeddingCalls
from vectree.index.embedder import PAPER_GATES, SimilarityGates, Vectors

_NAMES = ("model_name", "model", "model_id", "deployment")


class LangChainEmbedder(CalledEmbedder):
    """LangChain embeddings as VecTree's `Embedder`: ``Corpus.open(path, embedder=LangChainEmbedder(e))``.

    A corpus remembers what made its vectors, so that give a ``name`` that changes when the model does; the
    default is the model's own name, if it has one.

    Args:
        embeddings: The embeddings.
        name: Name of the model.
        revision: Revision or hash of its weights, if there is one.
        dimension: Length of a vector; by default one short text is embedded when it is first needed.
        gates: Similarity thresholds. The default is the paper's, measured on SPECTER2; other models score
            unrelated texts higher or lower, so measure them with `measure_gates`.
    """

    def __init__(
        self,
        embeddings: Embeddings,
        *,
        name: str | None = None,
        revision: str = "",
        dimension: int | None = None,
        gates: SimilarityGates = PAPER_GATES,
    ) -> None:
        super().__init__(
            EmbeddingCalls(documents=embeddings.embed_documents, query=embeddings.embed_query),
            family="langchain",
            name=name or _name_of(embeddings),
            revision=revision,
            dimension=dimension,
            gates=gates,
        )


def measure_gates(
    embeddings: Embeddings, related: Sequence[tuple[str, str]], unrelated: Sequence[tuple[str, str]]
) -> SimilarityGates:
    """Measure the two thresholds of §3.4 for a model, on pairs of query and entry from one's own field.

    The pre-fusion gate lies midway between the 95th percentile of what unrelated pairs score and the 5th of
    related ones; the gate for strong matches is the median of related pairs.

    Args:
        embeddings: The model.
        related: Queries, each with the text of an entry that answers it; twenty or more.
        unrelated: Queries, each with the text of an entry about something else; twenty or more.

    Returns:
        Thresholds for `LangChainEmbedder`.
    """
    close, far = _cosines(embeddings, related), _cosines(embeddings, unrelated)
    relevant = (float(np.percentile(far, 95)) + float(np.percentile(close, 5))) / 2
    return SimilarityGates(relevant=relevant, strong=max(relevant, float(np.median(close))))


def _cosines(embeddings: Embeddings, pairs: Sequence[tuple[str, str]]) -> Vectors:
    embedder = LangChainEmbedder(embeddings)
    entries = embedder.embed_documents([text for _, text in pairs])
    queries = np.stack([embedder.embed_query(query) for query, _ in pairs])
    return np.sum(entries * queries, axis=1)


def _name_of(embeddings: Embeddings) -> str:
    for attribute in _NAMES:
        value = getattr(embeddings, attribute, None)
        if isinstance(value, str) and value:
            return value
    return type(embeddings).__name__
