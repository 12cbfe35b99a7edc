"""Tool results: content for the model, and an artifact of plain JSON types for programs and checkpointers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, TypedDict

from vectree.agent.results import ImageRef, ToolResult
from vectree.agent.tool import ToolDef
from vectree.tokens import count_tokens


class ImageReference(TypedDict):
    """A figure by reference: what `vectree.agent.results.ImageRef` holds."""

    doc_id: str
    name: str
    page: int
    media_type: str
    width: int
    height: int
    size: int


class Artifact(TypedDict, total=False):
    """What goes with a tool message.

    ``tool``, ``layer`` (absent where there is no such tool), ``arguments`` as validated, ``tokens`` of the
    payload, ``sources`` as ``[doc_id, page]`` pairs whose text or figure is in it, ``images`` by reference,
    ``error`` (empty if nothing went wrong) and, outside a graph, ``data``: the result as plain JSON.
    A graph adds ``round`` and ``call``, the ordinal of the call in the run, both from 1.
    """

    tool: str
    layer: int
    arguments: dict[str, Any]
    tokens: int
    sources: list[list[Any]]
    images: list[ImageReference]
    error: str
    data: dict[str, Any]
    round: int
    call: int


def to_artifact(name: str, tool: ToolDef | None, result: ToolResult, *, data: bool) -> Artifact:
    """Describe a result in plain JSON types.

    Args:
        name: Name of the tool as issued.
        tool: The tool, if there is one of that name.
        result: What it returned.
        data: Whether to include the result's data. For pages it repeats their text, so that graphs, whose
            checkpointers write every message at every step, leave it out.

    Returns:
        The artifact.
    """
    artifact = Artifact(
        tool=tool.name if tool else name[:200],
        arguments=result.arguments,
        tokens=count_tokens(result.text),
        sources=[[doc_id, page] for doc_id, page in result.sources],
        images=[ImageReference(**asdict(image)) for image in result.images],
        error=result.text if result.error else "",
    )
    if tool:
        artifact["layer"] = int(tool.layer)
    if data:
        artifact["data"] = result.data
    return artifact


def image_refs(artifact: Any) -> tuple[ImageRef, ...]:
    """The figures that an artifact refers to.

    Args:
        artifact: Of a tool message; another tool's may be anything.

    Returns:
        References; none for other tools.
    """
    if not isinstance(artifact, dict) or "images" not in artifact or "tool" not in artifact:
        return ()
    return tuple(ImageRef(**image) for image in artifact["images"])  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
