"""A graph node with a sync and an async side, on LangChain's public interface alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig

Sync = Callable[[Any, RunnableConfig], Any]
Async = Callable[[Any, RunnableConfig], Awaitable[Any]]


class Node(Runnable[Any, Any]):
    """A node made of one function, or of two.

    `RunnableLambda` would add a second run of the same name to every trace.

    Args:
        name: Name of the node.
        sync: Called with input and config.
        asynchronous: The same for event loops; by default ``sync`` in a thread.
    """

    def __init__(self, name: str, sync: Sync, asynchronous: Async | None = None) -> None:
        self.name = name
        self._sync = sync
        self._async = asynchronous

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Run the node.

        Args:
            input: The state, or what was sent to the node.
            config: Of the run.
            **kwargs: Unused.

        Returns:
            An update of the state.
        """
        return self._sync(input, config or {})

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Run the node without blocking the event loop.

        Args:
            input: The state, or what was sent to the node.
            config: Of the run.
            **kwargs: Unused.

        Returns:
            An update of the state.
        """
        if self._async is None:
            return await asyncio.to_thread(self._sync, input, config or {})
        return await self._async(input, config or {})
