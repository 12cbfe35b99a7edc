"""A corpus built with the application's own embedding, vector store and language model.

    python examples/llama_index_own_models.py papers/ "Which electrolyte conducts above 80 °C?"

`WordEmbedding` and `VecTreeLLM` stand for the application's models, so that the example runs without a key.
"""

import hashlib
import sys
import tempfile
from pathlib import Path

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import LLM
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.core.vector_stores.types import BasePydanticVectorStore

from llama_index_vectree import LlamaIndexChatModel, LlamaIndexEmbedder, LlamaIndexVectorStore, VecTreeLLM
from vectree import Corpus
from vectree.index.embedder import SimilarityGates


class WordEmbedding(BaseEmbedding):
    """Stands for an embedding: counts hashed words."""

    model_name: str = "words-128"

    def _get_text_embedding(self, text: str) -> list[float]:
        counts = [0.0] * 128
        for word in text.lower().split():
            counts[hashlib.sha256(word.encode()).digest()[0] % 128] += 1.0
        return counts

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


def make_corpus(
    folder: Path,
    papers: Path,
    embedding: BaseEmbedding,
    store: BasePydanticVectorStore,
    reader: LLM | None = None,
) -> Corpus:
    embedder = LlamaIndexEmbedder(
        embedding,
        name="words-128 v1",  # the corpus refuses another one from now on
        gates=SimilarityGates(relevant=0.30, strong=0.60),  # measured for this model, not the paper's
    )
    corpus = Corpus.open(folder, embedder=embedder, index=LlamaIndexVectorStore(store))
    # A model that reads finds headings where layout leaves doubt, writes summaries and completes metadata.
    corpus.add(papers, model=LlamaIndexChatModel(reader) if reader else None)
    return corpus


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        corpus = make_corpus(Path(scratch), Path(sys.argv[1]), WordEmbedding(), SimpleVectorStore())
        answer = corpus.ask(sys.argv[2], model=LlamaIndexChatModel(VecTreeLLM()))
        print(answer.text)
