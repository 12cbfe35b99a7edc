"""Any LlamaIndex model as VecTree's chat model: for reading papers, asking questions and tree search."""

from __future__ import annotations

import json
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from llama_index.core.llms import LLM
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.tools import BaseTool, FunctionTool, ToolMetadata

from llama_index_vectree.convert.messages import images_last, to_message, to_reply
from llama_index_vectree.images import ImageDelivery, placement
from vectree.agent.tools import find_tool
from vectree.errors import ModelRequestError, ModelUnavailable, VecTreeError
from vectree.llm.chat import ChatRequest, Message, Reply, ToolSpec
from vectree.prompts import fill

_BUSY = frozenset({408, 409, 429})
_UNREACHABLE = ("timeout", "connection", "ratelimit", "overloaded", "unavailable")


class LlamaIndexChatModel:
    """A LlamaIndex model as VecTree's: ``corpus.ask(question, model=LlamaIndexChatModel(llm))``.

    Answering questions takes a model that calls functions; reading papers takes any. A form for the reply is asked
    for in words, which every model understands; VecTree reads it leniently.

    Args:
        llm: The model.
        name: Name shown in outputs and used in cache keys; by default the model's own.
        context_window: Tokens a request and its reply may have; by default what the model says.
        images: Where figures of tool results go; ``"auto"`` decides by the class of the model.
    """

    def __init__(
        self,
        llm: LLM,
        *,
        name: str | None = None,
        context_window: int | None = None,
        images: ImageDelivery = "auto",
    ) -> None:
        self._llm = llm
        metadata = llm.metadata
        known = metadata.model_name if metadata.model_name != "unknown" else ""
        self._name = name or known or llm.class_name()
        self._context_window = context_window or metadata.context_window or None
        self._placement = placement(llm, images)

    @property
    def name(self) -> str:
        """Name shown in outputs."""
        return self._name

    @property
    def context_window(self) -> int | None:
        """Tokens a request and its reply may have together, if known."""
        return self._context_window

    def complete(self, request: ChatRequest) -> Reply:
        """Answer one request.

        Args:
            request: Messages, tools and settings.

        Returns:
            The reply; its cost is unknown to LlamaIndex.
        """
        try:
            return to_reply(self._respond(request), self._llm)
        except VecTreeError:
            raise
        except Exception as error:
            # Every integration has errors of its own; the core knows two kinds.
            raise _failure(self._name, error) from error

    def _respond(self, request: ChatRequest) -> ChatResponse:
        settings = {"temperature": request.temperature, "max_tokens": request.max_tokens}
        given: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
        messages = self._messages(request)
        if not request.tools:
            return self._llm.chat(messages, **given)
        if not isinstance(self._llm, FunctionCallingLLM):
            raise ModelRequestError(
                f"{self._name} cannot call functions, so it cannot use VecTree's tools.",
                hint="Pass a model of LlamaIndex's class FunctionCallingLLM.",
            )
        return self._llm.chat_with_tools(
            [_tool(spec) for spec in request.tools],
            chat_history=messages,
            allow_parallel_tool_calls=True,
            **given,
        )

    def _messages(self, request: ChatRequest) -> list[ChatMessage]:
        messages = request.messages
        if self._placement == "none":
            messages = tuple(_without_images(message) for message in messages)
        converted = images_last(messages) if self._placement == "user" else [to_message(m) for m in messages]
        if request.schema is not None:
            words = fill("follow_schema", schema=json.dumps(request.schema, ensure_ascii=False))
            converted.append(ChatMessage(role=MessageRole.USER, content=words))
        return converted


class _OfferedMetadata(ToolMetadata):
    """Metadata whose schema is the one VecTree's own agent shows; LlamaIndex would derive it from a class."""

    parameters: dict[str, Any]

    def get_parameters_dict(self) -> dict[str, Any]:
        return self.parameters


def _tool(spec: ToolSpec) -> BaseTool:
    """A tool to show to a model; VecTree runs its calls itself."""
    metadata = _OfferedMetadata(name=spec.name, description=spec.description)
    if known := find_tool(spec.name):
        metadata.fn_schema = known.arguments
    metadata.parameters = spec.parameters
    return FunctionTool(fn=_never_run, metadata=metadata)


def _never_run(**_: Any) -> str:
    raise AssertionError("VecTree runs the calls of its own requests")


def _without_images(message: Message) -> Message:
    return Message(
        role=message.role,
        text=message.text,
        tool_calls=message.tool_calls,
        tool_call_id=message.tool_call_id,
    )


def _failure(name: str, error: Exception) -> ModelRequestError:
    status = getattr(error, "status_code", None)
    status = status if isinstance(status, int) else None
    text = f"{name}: {type(error).__name__}: {str(error)[:500]}"
    kind = type(error).__name__.casefold()
    busy = status in _BUSY or (status is not None and status >= 500)
    if busy or (status is None and any(word in kind for word in _UNREACHABLE)):
        return ModelUnavailable(text, hint="Try again later.", status=status)
    return ModelRequestError(text, hint="Check the model's name, key and limits.", status=status)
