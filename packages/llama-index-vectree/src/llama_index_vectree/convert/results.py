"""Tool results: blocks for the model, and plain JSON for programs and contexts that are saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, TypedDict, TypeGuard

from llama_index.core.base.llms.types import ContentBlock, TextBlock
from llama_index.core.tools import ToolOutput

from llama_index_vectree.convert.messages import image_block
from vectree.agent.results import ImageRef, ToolResult
from vectree.agent.tool import ToolDef
from vectree.llm.chat import Image
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
    """``ToolOutput.raw_output`` of the seven tools.

    ``tool``, ``layer``, ``arguments`` as validated, ``tokens`` of the payload, ``sources`` as
    ``[doc_id, page]`` pairs whose text or figure is in it, ``images`` by reference, ``error`` (empty if nothing
    went wrong) and, outside `llama_index_vectree.VecTreeAgent`, ``data``: the result as plain JSON.
    """

    tool: str
    layer: int
    arguments: dict[str, Any]
    tokens: int
    sources: list[list[Any]]
    images: list[ImageReference]
    error: str
    data: dict[str, Any]


def to_output(
    tool: ToolDef, given: dict[str, Any], result: ToolResult, images: Sequence[Image], *, data: bool
) -> ToolOutput:
    """What a tool returned, for LlamaIndex.

    Args:
        tool: The tool.
        given: Arguments as given.
        result: What it returned.
        images: Figures to show with it.
        data: Whether to include the result's data, which repeats the text of pages.

    Returns:
        The output: text first, always, because some agents read nothing else; then the figures.
    """
    artifact = Artifact(
        tool=tool.name,
        layer=int(tool.layer),
        arguments=result.arguments,
        tokens=count_tokens(result.text),
        sources=[[doc_id, page] for doc_id, page in result.sources],
        images=[ImageReference(**asdict(image)) for image in result.images],
        error=result.text if result.error else "",
    )
    if data:
        artifact["data"] = result.data
    blocks: list[ContentBlock] = [TextBlock(text=result.text), *(image_block(image) for image in images)]
    return ToolOutput(
        tool_name=tool.name,
        blocks=blocks,
        raw_input={"args": (), "kwargs": given},
        raw_output=artifact,
        is_error=result.error,
    )


def is_artifact(value: Any) -> TypeGuard[Artifact]:
    """Whether a raw output is one of the seven tools'.

    Args:
        value: ``ToolOutput.raw_output``.

    Returns:
        Whether it is.
    """
    return isinstance(value, dict) and {"tool", "layer", "sources", "images"} <= set(value)  # pyright: ignore[reportUnknownArgumentType]


def image_refs(artifact: Artifact) -> tuple[ImageRef, ...]:
    """The figures that an artifact refers to.

    Args:
        artifact: Of a tool's output.

    Returns:
        References.
    """
    return tuple(ImageRef(**image) for image in artifact.get("images", []))
