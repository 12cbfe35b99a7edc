"""VecTree's retriever in a query engine, where a vector index's retriever stood.

    python examples/llama_index_query_engine.py papers-corpus "Which electrolyte conducts above 80 °C?"

Put your model in place of ``QuotingLLM``, which is here so that the example runs without a key.
"""

import sys
from typing import Any

from llama_index.core.base.llms.types import CompletionResponse, LLMMetadata
from llama_index.core.llms import LLM, MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine

from llama_index_vectree import VecTreeRetriever
from vectree import Corpus


class QuotingLLM(MockLLM):
    """Stands for a model: gives back the first page it is shown, under its header."""

    @property
    def metadata(self) -> LLMMetadata:
        """A window that holds several pages; LlamaIndex would ask about them one by one otherwise."""
        return LLMMetadata(context_window=128_000)

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """Answer a prompt."""
        pages = prompt.split("---------------------\n")[1]
        return CompletionResponse(text=pages.split("\n\ntitle: ")[0].strip())


def make_engine(corpus: Corpus, llm: LLM) -> RetrieverQueryEngine:
    # before: retriever = index.as_retriever(similarity_top_k=4)
    retriever = VecTreeRetriever(corpus, similarity_top_k=4)
    return RetrieverQueryEngine.from_args(retriever, llm=llm)


if __name__ == "__main__":
    response = make_engine(Corpus.open(sys.argv[1]), QuotingLLM()).query(sys.argv[2])
    print(response)
    for source in response.source_nodes:
        print(source.node.metadata["doc_id"], "page", source.node.metadata["page_label"], source.score)
