"""``VecTreeToolSpec`` under the path where LlamaIndex users look for tools."""

from llama_index_vectree.tools import VecTreeTool, VecTreeToolSpec

__all__ = ["VecTreeTool", "VecTreeToolSpec"]
