"""Chat models, both ways: LangChain's in VecTree's core, and VecTree's own in a chain or graph."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ConfigDict, Field

from langchain_vectree.convert.messages import (
    from_message,
    from_reply,
    to_message,
    to_reply,
    user_messages_last,
)
from langchain_vectree.images import ImageDelivery, placement
from vectree.agent.extractive import ExtractiveModel
from vectree.errors import ModelReplyError, ModelRequestError, ModelUnavailable, UsageError, VecTreeError
from vectree.llm.chat import ChatModel, ChatRequest, Message, Reply, ToolSpec
from vectree.prompts import fill

_BUSY = frozenset({408, 409, 429})
_UNREACHABLE = ("timeout", "connection", "ratelimit", "overloaded", "unavailable")


class LangChainChatModel:
    """Any LangChain chat model as VecTree's: ``corpus.ask(question, model=LangChainChatModel(model))``.

    A form for the reply is asked for in words, which every model understands; VecTree reads it leniently.

    Args:
        model: The model.
        name: Name shown in outputs and used in cache keys; by default the model's own.
        context_window: Tokens a request and its reply may have; by default from the model's profile.
        images: Where figures of tool results go; ``"auto"`` decides by the model's profile.
    """

    def __init__(
        self,
        model: BaseChatModel,
        *,
        name: str | None = None,
        context_window: int | None = None,
        images: ImageDelivery = "auto",
    ) -> None:
        self._model = model
        self._name = name or _name_of(model)
        profile: dict[str, Any] = cast("Any", getattr(model, "profile", None)) or {}
        self._context_window = context_window or profile.get("max_input_tokens")
        self._placement = placement(model, images)

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
            The reply; its cost is unknown to LangChain.

        Raises:
            ModelReplyError: If what came back is no message of a model.
        """
        try:
            message = self._bound(request).invoke(self._messages(request))
        except VecTreeError:
            raise
        except Exception as error:
            # Every provider package has errors of its own; the core knows two kinds.
            raise _failure(self._name, error) from error
        if not isinstance(message, AIMessage):
            raise ModelReplyError(f"{self._name} returned a {type(message).__name__}, not a message.")
        return to_reply(message)

    def _bound(self, request: ChatRequest) -> Runnable[LanguageModelInput, Any]:
        settings = {"temperature": request.temperature, "max_tokens": request.max_tokens}
        given: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
        if request.tools:
            return self._model.bind_tools([_openai_tool(tool) for tool in request.tools], **given)
        return self._model.bind(**given) if given else self._model

    def _messages(self, request: ChatRequest) -> list[BaseMessage]:
        messages = request.messages
        if self._placement == "none":
            messages = tuple(_without_images(message) for message in messages)
        converted = (
            user_messages_last(messages) if self._placement == "user" else [to_message(m) for m in messages]
        )
        if request.schema is not None:
            words = fill("follow_schema", schema=json.dumps(request.schema, ensure_ascii=False))
            converted.append(HumanMessage(words))
        return converted


class VecTreeChatModel(BaseChatModel):
    """A chat model of VecTree's core as a LangChain chat model.

    By default it is ``extractive``: a fixed policy that searches, opens trees and quotes pages, costs nothing
    and needs no key. `vectree.ScriptedModel` makes chains and graphs testable without a service.

    Attributes:
        model: The core's model.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    model: Any = Field(default_factory=ExtractiveModel, exclude=True, repr=False)

    @property
    def _llm_type(self) -> str:
        return "vectree"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model": self.model.name}

    def bind_tools(
        self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Let the model call tools.

        Args:
            tools: Tools in any form LangChain takes.
            tool_choice: Ignored: no model of the core can be forced to call.
            **kwargs: Passed on with every request.

        Returns:
            The model with the tools.
        """
        del tool_choice
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        request = ChatRequest(
            messages=tuple(from_message(message) for message in messages),
            tools=tuple(_spec(tool) for tool in kwargs.get("tools") or ()),
            temperature=kwargs.get("temperature"),
            max_tokens=kwargs.get("max_tokens"),
        )
        core: ChatModel = self.model
        message = from_reply(core.complete(request))
        if stop and isinstance(message.content, str):
            message = message.model_copy(update={"content": _cut(message.content, stop)})
        return ChatResult(generations=[ChatGeneration(message=message)])


def as_chat_model(model: BaseChatModel | ChatModel | str | None) -> BaseChatModel:
    """Find a chat model for a graph.

    Args:
        model: A LangChain model, a model of VecTree's core, ``None`` or ``"extractive"`` for the one that
            needs no service, or a name such as ``"openai:gpt-4.1"``, which needs the package ``langchain``
            (extra ``agents``) and the provider's.

    Returns:
        A LangChain model.

    Raises:
        UsageError: If it is none of these, or a name without the package that resolves names.
    """
    if model is None or model == "extractive":
        return VecTreeChatModel()
    if isinstance(model, BaseChatModel):
        return model
    if isinstance(model, str):
        try:
            from langchain.chat_models import init_chat_model
        except ImportError as error:
            raise UsageError(
                f"The name {model!r} needs the package langchain.",
                hint='Install it with: pip install "langchain-vectree[agents]", or pass a chat model.',
            ) from error
        return init_chat_model(model)
    if isinstance(model, ChatModel):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may be untyped
        return VecTreeChatModel(model=model)
    raise UsageError(f"{type(model).__name__!r} is no chat model of LangChain or VecTree.")


def openai_tools(specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Tools in the form that every provider package of LangChain accepts.

    Args:
        specs: Tools as VecTree's own agent shows them to a model.

    Returns:
        The same, flat schemas untouched.
    """
    return [_openai_tool(spec) for spec in specs]


def _openai_tool(spec: ToolSpec) -> dict[str, Any]:
    function = {"name": spec.name, "description": spec.description, "parameters": spec.parameters}
    return {"type": "function", "function": function}


def _spec(tool: dict[str, Any]) -> ToolSpec:
    function: dict[str, Any] = tool["function"]
    return ToolSpec(
        name=function["name"],
        description=function.get("description", ""),
        parameters=function.get("parameters", {}),
    )


def _name_of(model: BaseChatModel) -> str:
    for attribute in ("model_name", "model", "model_id"):
        value = getattr(model, attribute, None)
        if isinstance(value, str) and value:
            return value
    return model.get_name()


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


def _cut(text: str, stop: Sequence[str]) -> str:
    ends = [place for word in stop if word and (place := text.find(word)) >= 0]
    return text[: min(ends)] if ends else text
