"""A server of the seven tools: lists them, and runs them in a bounded number of threads."""

from __future__ import annotations

import logging
from typing import Any

import anyio
import anyio.to_thread
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from vectree.agent.library import Library
from vectree.agent.tools import TOOLS, run_tool
from vectree.errors import VecTreeError
from vectree.mcp.content import call_failure, call_result, tool_description
from vectree.prompts import template

MAX_CALLS_AT_ONCE = 4
"""Tool calls that run at the same time; others wait for their turn."""

_log = logging.getLogger(__name__)


def make_server(library: Library, *, version: str, at_once: int = MAX_CALLS_AT_ONCE) -> Server[Any]:
    """Make a server. It holds no state of a conversation, so one serves any number of clients.

    Args:
        library: The corpus; what other processes add to it is seen by the next call.
        version: Version told to clients.
        at_once: Tool calls that run at the same time.

    Returns:
        The server, ready for any transport.
    """
    limiter = anyio.CapacityLimiter(at_once)
    tools = [tool_description(tool) for tool in TOOLS]

    async def list_tools(
        context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        # Reading is file access and arithmetic: in a thread, so that the event loop answers meanwhile.
        return await anyio.to_thread.run_sync(
            _call, library, params.name, params.arguments or {}, limiter=limiter
        )

    return Server(
        "vectree",
        title="VecTree",
        version=version,
        instructions=template("mcp_instructions"),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _call(library: Library, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
    """One call. Unknown names are answered like wrong arguments, since a model can correct both."""
    try:
        return call_result(library, run_tool(library, name, arguments))
    except VecTreeError as error:
        _log.error("%s: %s", name, error)
        return call_failure(error)
