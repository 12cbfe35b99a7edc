"""VecTree's own models as LlamaIndex models."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, cast

from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ChatResponseAsyncGen,
    ChatResponseGen,
    CompletionResponse,
    CompletionResponseAsyncGen,
    CompletionResponseGen,
    LLMMetadata,
    MessageRole,
)
from llama_index.core.bridge.pydantic import Field
from llama_index.core.llms import LLM
from llama_index.core.llms.callbacks import (
    llm_chat_callback,  # pyright: ignore[reportUnknownVariableType]  # LlamaIndex leaves them untyped
    llm_completion_callback,  # pyright: ignore[reportUnknownVariableType]
)
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.tools import BaseTool

from llama_index_vectree.convert.calls import to_calls, to_selection
from llama_index_vectree.convert.messages import from_message, from_reply, text_of
from vectree.agent.extractive import ExtractiveModel
from vectree.errors import UsageError
from vectree.llm.chat import ChatModel, ChatRequest, ToolSpec

_UNBOUNDED = 1_000_000
"""Window that is told where the model has none; LlamaIndex's memory cuts conversations to a part of it."""


class VecTreeLLM(FunctionCallingLLM):
    """A chat model of VecTree's core as a LlamaIndex model.

    By default it is ``extractive``: a fixed policy that searches, opens trees and quotes pages, costs nothing and
    needs no key; it works only through VecTree's tools. `vectree.ScriptedModel` makes agents testable without a
    service.

    Attributes:
        model: The core's model.
    """

    model: Any = Field(default_factory=ExtractiveModel, exclude=True, repr=False)

    @classmethod
    def class_name(cls) -> str:
        """Name in traces.

        Returns:
            ``VecTreeLLM``.
        """
        return "VecTreeLLM"

    @property
    def metadata(self) -> LLMMetadata:
        """What the model can do."""
        model: ChatModel = self.model
        return LLMMetadata(
            context_window=model.context_window or _UNBOUNDED,
            is_chat_model=True,
            is_function_calling_model=True,
            model_name=model.name,
        )

    @llm_chat_callback()  # pyright: ignore[reportUntypedFunctionDecorator]
    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """Answer a conversation.

        Args:
            messages: The conversation.
            **kwargs: ``tools``, ``temperature``, ``max_tokens``; others are ignored.

        Returns:
            The response.
        """
        return self._respond(messages, kwargs)

    @llm_chat_callback()  # pyright: ignore[reportUntypedFunctionDecorator]
    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """`chat` without blocking the event loop.

        Args:
            messages: The conversation.
            **kwargs: As `chat`.

        Returns:
            The response.
        """
        return await asyncio.to_thread(self._respond, messages, kwargs)

    @llm_chat_callback()  # pyright: ignore[reportUntypedFunctionDecorator]
    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseGen:
        """`chat` as a stream of one part.

        Args:
            messages: The conversation.
            **kwargs: As `chat`.

        Returns:
            The stream.
        """

        def stream() -> ChatResponseGen:
            yield self._respond(messages, kwargs)

        return stream()

    @llm_chat_callback()  # pyright: ignore[reportUntypedFunctionDecorator]
    async def astream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseAsyncGen:
        """`stream_chat` without blocking the event loop.

        Args:
            messages: The conversation.
            **kwargs: As `chat`.

        Returns:
            The stream.
        """

        async def stream() -> ChatResponseAsyncGen:
            yield await asyncio.to_thread(self._respond, messages, kwargs)

        return stream()

    @llm_completion_callback()  # pyright: ignore[reportUntypedFunctionDecorator]
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """Answer a prompt.

        Args:
            prompt: The prompt.
            formatted: Unused.
            **kwargs: As `chat`.

        Returns:
            The response.
        """
        return CompletionResponse(text=text_of(self._respond([_user(prompt)], kwargs).message))

    @llm_completion_callback()  # pyright: ignore[reportUntypedFunctionDecorator]
    async def acomplete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """`complete` without blocking the event loop.

        Args:
            prompt: The prompt.
            formatted: Unused.
            **kwargs: As `chat`.

        Returns:
            The response.
        """
        response = await asyncio.to_thread(self._respond, [_user(prompt)], kwargs)
        return CompletionResponse(text=text_of(response.message))

    @llm_completion_callback()  # pyright: ignore[reportUntypedFunctionDecorator]
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        """`complete` as a stream of one part.

        Args:
            prompt: The prompt.
            formatted: Unused.
            **kwargs: As `chat`.

        Returns:
            The stream.
        """

        def stream() -> CompletionResponseGen:
            text = text_of(self._respond([_user(prompt)], kwargs).message)
            yield CompletionResponse(text=text, delta=text)

        return stream()

    @llm_completion_callback()  # pyright: ignore[reportUntypedFunctionDecorator]
    async def astream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> CompletionResponseAsyncGen:
        """`stream_complete` without blocking the event loop.

        Args:
            prompt: The prompt.
            formatted: Unused.
            **kwargs: As `chat`.

        Returns:
            The stream.
        """

        async def stream() -> CompletionResponseAsyncGen:
            response = await asyncio.to_thread(self._respond, [_user(prompt)], kwargs)
            text = text_of(response.message)
            yield CompletionResponse(text=text, delta=text)

        return stream()

    def get_tool_calls_from_response(
        self, response: ChatResponse, error_on_no_tool_call: bool = True, **kwargs: Any
    ) -> list[ToolSelection]:
        """Read the calls of a response.

        Args:
            response: The response.
            error_on_no_tool_call: Whether a response without calls is refused.
            **kwargs: Unused.

        Returns:
            The calls in the order of issue.

        Raises:
            ValueError: If there are none and that is refused.
        """
        calls = to_calls(response.message, None)
        if not calls and error_on_no_tool_call:
            raise ValueError("The model called no tool.")
        return [to_selection(call) for call in calls]

    def _prepare_chat_with_tools(
        self,
        tools: Sequence[BaseTool],
        user_msg: str | ChatMessage | None = None,
        chat_history: list[ChatMessage] | None = None,
        verbose: bool = False,
        allow_parallel_tool_calls: bool = False,
        tool_required: bool = False,
        **kwargs: Any,
    ) -> dict[str, Any]:
        messages = list(chat_history or [])
        if user_msg is not None:
            messages.append(_user(user_msg) if isinstance(user_msg, str) else user_msg)
        specs = [
            ToolSpec(
                name=tool.metadata.get_name(),
                description=tool.metadata.description,
                parameters=cast("Any", tool.metadata).get_parameters_dict(),
            )
            for tool in tools
        ]
        return {"messages": messages, "tools": specs, **kwargs}

    def _respond(self, messages: Sequence[ChatMessage], settings: dict[str, Any]) -> ChatResponse:
        model: ChatModel = self.model
        request = ChatRequest(
            messages=tuple(from_message(message, None) for message in messages),
            tools=tuple(settings.get("tools") or ()),
            temperature=settings.get("temperature"),
            max_tokens=settings.get("max_tokens"),
        )
        return from_reply(model.complete(request))


def as_llm(model: LLM | ChatModel | str | None) -> LLM:
    """Find a model for an agent. LlamaIndex's global default is never asked for: it wants a key (C26).

    Args:
        model: A LlamaIndex model, a model of VecTree's core, or ``None`` or ``"extractive"`` for the one that needs
            no service.

    Returns:
        A LlamaIndex model.

    Raises:
        UsageError: If it is none of these, or calls no functions.
    """
    if model is None or model == "extractive":
        return VecTreeLLM()
    if isinstance(model, FunctionCallingLLM) and model.metadata.is_function_calling_model:
        return model
    if isinstance(model, LLM):
        raise UsageError(
            f"{type(model).__name__} calls no functions, so it cannot use VecTree's tools.",
            hint="Pass a model whose metadata says is_function_calling_model.",
        )
    if isinstance(model, ChatModel):
        return VecTreeLLM(model=model)
    raise UsageError(
        f"{str(model)[:80]!r} is no model.", hint="Pass a LlamaIndex LLM, or a chat model of VecTree's core."
    )


def _user(text: str) -> ChatMessage:
    return ChatMessage(role=MessageRole.USER, content=text)
