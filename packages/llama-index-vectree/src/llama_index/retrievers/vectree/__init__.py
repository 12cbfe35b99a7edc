"""``VecTreeRetriever`` under the path where LlamaIndex users look for retrievers."""

from llama_index_vectree.retriever import VecTreeRetriever

__all__ = ["VecTreeRetriever"]
