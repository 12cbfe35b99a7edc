"""VecTree for LangChain and LangGraph.

The graph is in `langchain_vectree.graph`, the middleware for ``create_agent`` in
`langchain_vectree.middleware` (extra ``agents``). Neither is imported here: whoever wants the retriever or
the tools does not wait for LangGraph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_vectree.chat_models import LangChainChatModel, VecTreeChatModel
from langchain_vectree.embeddings import LangChainEmbedder, measure_gates
from langchain_vectree.retrievers import VecTreeRetriever
from langchain_vectree.tools import VecTreeTool, VecTreeToolkit
from langchain_vectree.vector_stores import LangChainVectorStore

if TYPE_CHECKING:
    from langchain_vectree.graph import create_vectree_graph

__all__ = [
    "LangChainChatModel",
    "LangChainEmbedder",
    "LangChainVectorStore",
    "VecTreeChatModel",
    "VecTreeRetriever",
    "VecTreeTool",
    "VecTreeToolkit",
    "create_vectree_graph",
    "measure_gates",
]


def __getattr__(name: str) -> Any:
    if name == "create_vectree_graph":
        from langchain_vectree.graph import create_vectree_graph

        return create_vectree_graph
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
