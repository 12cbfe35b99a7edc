"""Chat models: the protocol, and models that need no network.

Services, kept and recorded replies, and structured replies are imported from their own modules, so that
importing ``vectree`` stays cheap.
"""

from vectree.llm.chat import ChatModel, ChatRequest, Image, Message, Reply, Role, ToolCall, ToolSpec, Usage
from vectree.llm.scripted import FunctionModel, ScriptedModel

__all__ = [
    "ChatModel",
    "ChatRequest",
    "FunctionModel",
    "Image",
    "Message",
    "Reply",
    "Role",
    "ScriptedModel",
    "ToolCall",
    "ToolSpec",
    "Usage",
]
