"""The paper's agent as a LlamaIndex workflow agent."""

from llama_index_vectree.agent.answer import AnswerData
from llama_index_vectree.agent.events import VecTreeStep
from llama_index_vectree.agent.vectree_agent import VecTreeAgent

__all__ = ["AnswerData", "VecTreeAgent", "VecTreeStep"]
