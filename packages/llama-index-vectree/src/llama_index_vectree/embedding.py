"""Any LlamaIndex embedding as VecTree's embedder."""

from __future__ import annotations

from llama_index.core.base.embeddings.base import BaseEmbedding

from vectree.index.called_embedder import CalledEmbedder, EmbeddingCalls
from vectree.index.embedder import PAPER_GATES, SimilarityGates


class LlamaIndexEmbedder(CalledEmbedder):
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
        known = embedding.model_name if embedding.model_name != "unknown" else ""
        super().__init__(
            EmbeddingCalls(documents=embedding.get_text_embedding_batch, query=embedding.get_query_embedding),
            family="llama-index",
            name=name or known or embedding.class_name(),
            revision=revision,
            dimension=dimension,
            gates=gates,
        )
