"""What models that stand before another model have in common."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from vectree.llm.chat import ChatModel, ChatRequest


@runtime_checkable
class Forgetful(Protocol):
    """A model that keeps replies and can be told that one was of no use."""

    def forget(self, request: ChatRequest) -> None:
        """Drop the reply kept for a request, so that the next one is asked for anew.

        Args:
            request: The request whose reply could not be used.
        """
        ...


class ModelWrapper:
    """Shows the name and the window of the model behind it, and passes on what is to be forgotten.

    Args:
        inner: The model behind it.
    """

    def __init__(self, inner: ChatModel) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """Name of the model behind it."""
        return self._inner.name

    @property
    def context_window(self) -> int | None:
        """Window of the model behind it, in tokens."""
        return self._inner.context_window

    def forget(self, request: ChatRequest) -> None:
        """Pass on that a reply was of no use.

        Args:
            request: The request whose reply could not be used.
        """
        if isinstance(self._inner, Forgetful):
            self._inner.forget(request)
