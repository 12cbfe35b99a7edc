"""VecTree's agent as a LangGraph graph; its nodes are the three layers of disclosure.

Importing this package imports LangGraph; `langchain_vectree` alone does not.
"""

from __future__ import annotations

from langchain_vectree.graph.build import LAYER_RETRY, build_vectree_graph, create_vectree_graph
from langchain_vectree.graph.ending import steps_of
from langchain_vectree.graph.state import (
    LAYER_NODES,
    AnswerData,
    VecTreeContext,
    VecTreeOutput,
    VecTreeState,
)

__all__ = [
    "LAYER_NODES",
    "LAYER_RETRY",
    "AnswerData",
    "VecTreeContext",
    "VecTreeOutput",
    "VecTreeState",
    "build_vectree_graph",
    "create_vectree_graph",
    "steps_of",
]
