"""The nodes ``search``, ``navigate`` and ``read``, one a layer, and ``reject`` for calls that fit none."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from threading import Thread
from typing import Any, cast

from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_stream_writer

from langchain_vectree.convert.calls import as_text
from langchain_vectree.convert.messages import text_of
from langchain_vectree.convert.results import Artifact, image_refs, to_artifact
from langchain_vectree.graph.state import LAYER_NODES, LayerName, LayerTask, policy_of
from langchain_vectree.images import NOT_SHOWN
from langchain_vectree.tools import VecTreeTool
from vectree.agent.images import load_image
from vectree.agent.layers import Layer
from vectree.agent.library import Library
from vectree.agent.results import ToolResult
from vectree.agent.tools import TOOLS, find_tool, run_tool
from vectree.errors import InvalidArguments, ToolError

Review = Callable[[dict[str, Any]], str | None]
"""Asked before a call runs, with ``layer``, ``tool``, ``arguments`` and ``call``; may call LangGraph's
``interrupt``. Returns ``None`` to let it run, or a sentence that answers the call in place of its result."""

_MAX_NAME = 200


class Layers:
    """Runs tool calls; safe to use by several runs at once.

    Args:
        library: The corpus.
        timeouts: Seconds a call of a layer may take; then the model is told so and goes on.
        review: Asked before each call.
    """

    def __init__(
        self, library: Library, *, timeouts: Mapping[LayerName, float], review: Review | None
    ) -> None:
        self._library = library
        self._timeouts = timeouts
        self._review = review
        self._tools = {
            tool.name: VecTreeTool.of(library, tool.name, images="reference", keep_data=False)
            for tool in TOOLS
        }

    def run(self, task: LayerTask, config: RunnableConfig) -> dict[str, Any]:
        """Run one call.

        Args:
            task: The call.
            config: Passed on, so that callbacks reach the tool.

        Returns:
            An update of the state: the tool message.
        """
        tool, call = self._tool(task), _tool_call(task)
        self._tell(task, "start")
        refused = self._refusal(task, tool)
        if refused is not None:
            return self._observed(task, refused)
        limit = self._timeouts.get(LAYER_NODES[tool.layer])
        try:
            message = _within(limit, lambda: tool.invoke(cast("Any", call), config))
        except FutureTimeout:
            message = _late(task, limit)
        return self._observed(task, message)

    async def arun(self, task: LayerTask, config: RunnableConfig) -> dict[str, Any]:
        """`run` without blocking the event loop.

        Args:
            task: The call.
            config: Passed on.

        Returns:
            As `run`.
        """
        tool, call = self._tool(task), _tool_call(task)
        self._tell(task, "start")
        refused = await asyncio.to_thread(self._refusal, task, tool)
        if refused is not None:
            return await asyncio.to_thread(self._observed, task, refused)
        limit = self._timeouts.get(LAYER_NODES[tool.layer])
        try:
            message = await asyncio.wait_for(tool.ainvoke(cast("Any", call), config), limit)
        except TimeoutError:
            message = _late(task, limit)
        return await asyncio.to_thread(self._observed, task, message)

    def reject(self, task: LayerTask, config: RunnableConfig) -> dict[str, Any]:
        """Answer a call that names no tool, or whose arguments are not JSON; nothing is executed.

        Args:
            task: The call.
            config: Of the run; unused.

        Returns:
            An update of the state: the tool message, in the words of VecTree's own agent.
        """
        del config
        call = task["call"]
        self._tell(task, "start")
        # As text, which is how the core's loop has the arguments of a call that nothing could be done with.
        result = run_tool(self._library, call["name"], as_text(call["arguments"]))
        artifact = to_artifact(call["name"], find_tool(call["name"]), result, data=False)
        message = _message(task, result.text, artifact, error=result.error)
        return self._observed(task, message)

    def _tool(self, task: LayerTask) -> VecTreeTool:
        return self._tools[task["call"]["name"].strip()]

    def _refusal(self, task: LayerTask, tool: VecTreeTool) -> ToolMessage | None:
        if self._review is None:
            return None
        arguments = task["call"]["arguments"]
        sentence = self._review(
            {"layer": tool.layer, "tool": tool.name, "arguments": arguments, "call": task["ordinal"]}
        )
        return None if sentence is None else _failed(task, f"Error: {sentence}")

    def _observed(self, task: LayerTask, message: ToolMessage) -> dict[str, Any]:
        """The tool message with its place in the run, the note on its figures and the reminder."""
        artifact = cast("Artifact", message.artifact) if message.artifact else _of_error(task, message)
        issued = task["call"]["name"][:_MAX_NAME]
        place: Artifact = {"tool": issued, "round": task["round"], "call": task["ordinal"]}
        artifact: Artifact = {**artifact, **place}
        text = text_of(message)
        if image_refs(artifact):
            artifact, note = self._figures_checked(artifact, task)
            text += note
        if reminder := policy_of(task["settings"]).reminder(task["ordinal"]):
            text += f"\n\n{reminder}"
        self._tell(task, "error" if message.status == "error" else "done", artifact)
        return {"messages": [message.model_copy(update={"content": text, "artifact": artifact})]}

    def _figures_checked(self, artifact: Artifact, task: LayerTask) -> tuple[Artifact, str]:
        """A figure that cannot be shown was not read: it is no source."""
        without: Artifact = {**artifact, "images": [], "sources": []}
        if task["settings"]["images"] == "none":
            return without, NOT_SHOWN
        try:
            for figure in image_refs(artifact):
                load_image(self._library, figure)
        except ToolError as error:
            return without, f" [Not attached: {error}]"
        return artifact, ""

    def _tell(self, task: LayerTask, status: str, artifact: Artifact | None = None) -> None:
        """Progress for those who stream with ``stream_mode="custom"``."""
        call = task["call"]
        tool = find_tool(call["name"])
        event: dict[str, Any] = {
            "layer": int(tool.layer) if tool else None,
            "node": LAYER_NODES[tool.layer] if tool else "reject",
            "tool": call["name"],
            "arguments": call["arguments"],
            "round": task["round"],
            "call": task["ordinal"],
            "status": status,
        }
        if artifact is not None:
            event |= {"tokens": artifact.get("tokens", 0), "sources": artifact.get("sources", [])}
        get_stream_writer()({"vectree": event})


def layer_of(node: LayerName) -> Layer:
    """The layer whose tools a node runs.

    Args:
        node: Its name.

    Returns:
        The layer.
    """
    return Layer(LAYER_NODES.index(node))


def _tool_call(task: LayerTask) -> dict[str, Any]:
    call = task["call"]
    return {"type": "tool_call", "id": call["id"], "name": call["name"].strip(), "args": call["arguments"]}


def _of_error(task: LayerTask, message: ToolMessage) -> Artifact:
    """LangChain drops the artifact of a tool that failed; what it would have said is known."""
    call = task["call"]
    tool = find_tool(call["name"])
    given: dict[str, Any] = cast("dict[str, Any]", call["arguments"])
    with suppress(InvalidArguments):
        given = tool.validate(given).model_dump(exclude_none=True, exclude_unset=True) if tool else given
    result = ToolResult(text=text_of(message), error=True, arguments=given)
    return to_artifact(call["name"], tool, result, data=False)


def _failed(task: LayerTask, text: str) -> ToolMessage:
    return _message(task, text, None, error=True)


def _late(task: LayerTask, seconds: float | None) -> ToolMessage:
    return _failed(task, f"Error: the call took longer than {seconds:g} s. Ask for less or go on without.")


def _message(task: LayerTask, text: str, artifact: Artifact | None, *, error: bool) -> ToolMessage:
    call = task["call"]
    return ToolMessage(
        text,
        tool_call_id=call["id"],
        name=call["name"] or "unknown",
        artifact=artifact,
        status="error" if error else "success",
    )


def _within(seconds: float | None, work: Callable[[], ToolMessage]) -> ToolMessage:
    """Work with a bound on the time that is waited for it; a thread that is late cannot be ended."""
    if seconds is None:
        return work()
    future: Future[ToolMessage] = Future()
    context = contextvars.copy_context()

    def target() -> None:
        try:
            future.set_result(context.run(work))
        except BaseException as error:
            future.set_exception(error)

    Thread(target=target, daemon=True, name="vectree-layer").start()
    return future.result(seconds)
