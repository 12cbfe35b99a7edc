"""Answers with numbered sources: LlamaIndex's ``CitationQueryEngine`` over VecTree's pages.

    python examples/llama_index_citations.py papers-corpus "Which electrolyte conducts above 80 °C?"

Each source is a page and says so: its header holds title, authors, year, ``doc_id`` and ``page_label``, which is
also what a citation of VecTree's form needs. ``QuotingLLM`` stands for your model.
"""

import sys
from typing import Any

from llama_index.core.base.llms.types import CompletionResponse, LLMMetadata
from llama_index.core.llms import LLM, MockLLM
from llama_index.core.query_engine import CitationQueryEngine

from llama_index_vectree import VecTreeRetriever
from vectree import Corpus


class QuotingLLM(MockLLM):
    """Stands for a model: gives back the header of the first source it is shown, and its number."""

    @property
    def metadata(self) -> LLMMetadata:
        """A window that holds several pages; LlamaIndex would ask about them one by one otherwise."""
        return LLMMetadata(context_window=128_000)

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """Answer a prompt."""
        header = prompt.split("------\n")[1].split("\n\n")[0]
        return CompletionResponse(text=header.replace("\n", ", ") + " [1]")


def make_engine(corpus: Corpus, llm: LLM) -> CitationQueryEngine:
    return CitationQueryEngine.from_args(
        None,  # no index: the retriever is given
        retriever=VecTreeRetriever(corpus, similarity_top_k=3),
        llm=llm,
        citation_chunk_size=2048,  # a page stays one source; the default of 512 would make several of it
    )


if __name__ == "__main__":
    response = make_engine(Corpus.open(sys.argv[1]), QuotingLLM()).query(sys.argv[2])
    print(response)
    for number, source in enumerate(response.source_nodes, start=1):
        print(f"[{number}]", source.node.metadata["doc_id"], "page", source.node.metadata["page_label"])
