"""A tool's output as the model observes it: note on figures, reminder, and the step it is in the trajectory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from llama_index.core.agent.workflow.workflow_events import ToolCallResult
from llama_index.core.base.llms.types import ContentBlock, TextBlock

from llama_index_vectree.convert.results import Artifact, image_refs, is_artifact
from llama_index_vectree.images import NOT_SHOWN, Placement
from vectree.agent.images import load_image
from vectree.agent.library import Library
from vectree.agent.results import ImageRef
from vectree.agent.tools import find_tool, run_tool
from vectree.errors import ToolError, VecTreeError
from vectree.evidence import Step
from vectree.llm.chat import ToolCall
from vectree.tokens import count_tokens

_MAX_NAME = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """An answered call.

    Attributes:
        result: For LlamaIndex, with the text that the model reads.
        step: For the trajectory.
        figures: What is to be shown with it.
    """

    result: ToolCallResult
    step: Step
    figures: tuple[ImageRef, ...] = ()


def observe(
    library: Library,
    call: ToolCall,
    result: ToolCallResult,
    *,
    round_number: int,
    ordinal: int,
    reminder: str,
    where: Placement,
    only_ours: bool,
) -> Observed:
    """Take in the result of a call.

    Args:
        library: The corpus.
        call: The call as the model wrote it.
        result: What LlamaIndex made of the call.
        round_number: Round of the loop, from 1.
        ordinal: Ordinal of the call in the run, from 1.
        reminder: Put behind the text; may be empty.
        where: Where figures go.
        only_ours: Whether the agent has VecTree's tools alone. Then unknown names are answered in VecTree's words.

    Returns:
        The observation.
    """
    artifact = result.tool_output.raw_output
    if is_artifact(artifact):
        text, sources, figures = _shown(library, artifact, result.tool_output.content, where)
        step = Step(
            round=round_number,
            call=ordinal,
            tool=call.name[:_MAX_NAME],
            layer=artifact.get("layer"),
            arguments=artifact.get("arguments", {}),
            tokens=artifact.get("tokens", 0),
            error=artifact.get("error", ""),
            sources=sources,
        )
        return Observed(result=_said(result, text, reminder), step=step, figures=figures)
    text = result.tool_output.content
    arguments: dict[str, Any] = cast("Any", result).tool_kwargs
    if only_ours and find_tool(call.name) is None and result.tool_output.is_error:
        missing = run_tool(library, call.name, call.arguments)
        text, arguments = missing.text, missing.arguments
    step = Step(
        round=round_number,
        call=ordinal,
        tool=call.name[:_MAX_NAME],
        layer=None,
        arguments=arguments,
        tokens=count_tokens(text),
        error=text if result.tool_output.is_error else "",
    )
    return Observed(result=_said(result, text, reminder), step=step)


def _shown(
    library: Library, artifact: Artifact, text: str, where: Placement
) -> tuple[str, tuple[tuple[str, int], ...], tuple[ImageRef, ...]]:
    """Text, sources and figures; a figure that cannot be shown was not read and is no source."""
    sources = tuple((str(doc_id), int(page)) for doc_id, page in artifact.get("sources", []))
    figures = image_refs(artifact)
    if figures and where == "none":
        return text + NOT_SHOWN, (), ()
    try:
        for figure in figures:
            load_image(library, figure)
    except ToolError as error:
        return f"{text} [Not attached: {error}]", (), ()
    return text, sources, figures


def _said(result: ToolCallResult, text: str, reminder: str) -> ToolCallResult:
    """The result with another text; blocks of other tools that are no text stay."""
    said = f"{text}\n\n{reminder}" if reminder else text
    rest: list[ContentBlock] = [b for b in result.tool_output.blocks if not isinstance(b, TextBlock)]
    output = result.tool_output.model_copy(update={"blocks": [TextBlock(text=said), *rest]})
    return result.model_copy(update={"tool_output": output})


def not_the_model_s(results: Iterable[ToolCallResult]) -> VecTreeError | None:
    """What a tool raised that no model can correct: LlamaIndex would show it to the model and go on.

    Args:
        results: Of the calls of a round.

    Returns:
        The first such error, if there is one.
    """
    errors = (result.tool_output.exception for result in results)
    return next((e for e in errors if isinstance(e, VecTreeError) and not isinstance(e, ToolError)), None)
