"""``VecTreeReader`` under the path where LlamaIndex users look for readers."""

from llama_index_vectree.reader import VecTreeReader

__all__ = ["VecTreeReader"]
