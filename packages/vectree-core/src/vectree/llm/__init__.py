"""Chat models: the protocol, services, recorded and scripted models, and values asked for in a given form."""

from vectree.llm.cache import CachedModel
from vectree.llm.chat import ChatModel, ChatRequest, Image, Message, Reply, Role, ToolCall, ToolSpec, Usage
from vectree.llm.json_reader import Reading, Shape, read_json
from vectree.llm.names import resolve_model
from vectree.llm.openai import OpenAICompatibleModel, ServiceSettings
from vectree.llm.replay import RecordingModel, ReplayModel
from vectree.llm.scripted import FunctionModel, ScriptedModel
from vectree.llm.structured import Structured, ask, ask_with_report
from vectree.llm.throttle import ThrottledModel
from vectree.llm.usage import MeteredModel, Price, total

__all__ = [
    "CachedModel",
    "ChatModel",
    "ChatRequest",
    "FunctionModel",
    "Image",
    "Message",
    "MeteredModel",
    "OpenAICompatibleModel",
    "Price",
    "Reading",
    "RecordingModel",
    "ReplayModel",
    "Reply",
    "Role",
    "ScriptedModel",
    "ServiceSettings",
    "Shape",
    "Structured",
    "ThrottledModel",
    "ToolCall",
    "ToolSpec",
    "Usage",
    "ask",
    "ask_with_report",
    "read_json",
    "resolve_model",
    "total",
]
