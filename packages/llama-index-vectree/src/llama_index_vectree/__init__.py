"""VecTree for LlamaIndex: a retriever, the seven tools, the paper's agent, a reader, and models both ways."""

from llama_index_vectree.agent import VecTreeAgent, VecTreeStep
from llama_index_vectree.chat_model import LlamaIndexChatModel
from llama_index_vectree.embedding import LlamaIndexEmbedder
from llama_index_vectree.llm import VecTreeLLM
from llama_index_vectree.reader import VecTreeReader
from llama_index_vectree.retriever import VecTreeRetriever
from llama_index_vectree.tools import VecTreeTool, VecTreeToolSpec
from llama_index_vectree.vector_store import LlamaIndexVectorStore

__all__ = [
    "LlamaIndexChatModel",
    "LlamaIndexEmbedder",
    "LlamaIndexVectorStore",
    "VecTreeAgent",
    "VecTreeLLM",
    "VecTreeReader",
    "VecTreeRetriever",
    "VecTreeStep",
    "VecTreeTool",
    "VecTreeToolSpec",
]
