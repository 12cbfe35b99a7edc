"""Models that need no service: a queue of replies, and a plain function. Shipped for users' tests."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Iterable
from typing import Any

from vectree.errors import ModelReplyError
from vectree.llm.chat import ChatRequest, Reply, ToolCall

_IDS = itertools.count(1)


def call(name: str, /, **arguments: Any) -> Reply:
    """A reply that issues one tool call.

    Args:
        name: Name of the tool.
        **arguments: Its arguments.

    Returns:
        The reply; its call has a fresh id.
    """
    return calls((name, arguments))


def calls(*issued: tuple[str, dict[str, Any] | str]) -> Reply:
    """A reply that issues several tool calls at once.

    Args:
        *issued: Pairs of name and arguments; a string is sent as written, broken or not.

    Returns:
        The reply; its calls have fresh ids.
    """
    return Reply(
        tool_calls=tuple(
            ToolCall(
                id=f"call-{next(_IDS)}",
                name=name,
                arguments=arguments if isinstance(arguments, str) else json.dumps(arguments),
            )
            for name, arguments in issued
        )
    )


class FunctionModel:
    """A chat model made of a function.

    Args:
        function: Called with each request; returns a reply, or a text.
        name: Name shown in outputs.
        context_window: Tokens, or ``None``.
    """

    def __init__(
        self,
        function: Callable[[ChatRequest], Reply | str],
        *,
        name: str = "function",
        context_window: int | None = None,
    ) -> None:
        self._function = function
        self._name = name
        self._context_window = context_window
        self.requests: list[ChatRequest] = []

    @property
    def name(self) -> str:
        """Name shown in outputs."""
        return self._name

    @property
    def context_window(self) -> int | None:
        """Tokens, or ``None``."""
        return self._context_window

    def complete(self, request: ChatRequest) -> Reply:
        """Call the function.

        Args:
            request: Passed on, and kept in ``requests``.

        Returns:
            What the function returned.
        """
        self.requests.append(request)
        reply = self._function(request)
        return Reply(text=reply) if isinstance(reply, str) else reply


class ScriptedModel(FunctionModel):
    """A chat model that gives prepared replies in order.

    Args:
        replies: Replies or texts, used once each.
        name: Name shown in outputs.
        context_window: Tokens, or ``None``.
    """

    def __init__(
        self,
        replies: Iterable[Reply | str],
        *,
        name: str = "scripted",
        context_window: int | None = None,
    ) -> None:
        self._replies = list(replies)
        self._lock = threading.Lock()
        super().__init__(self._next, name=name, context_window=context_window)

    @property
    def left(self) -> int:
        """How many replies have not been used; assert 0 at the end of a test."""
        return len(self._replies)

    def _next(self, _: ChatRequest) -> Reply | str:
        with self._lock:
            if not self._replies:
                raise ModelReplyError("The script has no reply left.", hint="Add a reply to the script.")
            return self._replies.pop(0)
