"""Figures on their way to a model: by reference in the context, as bytes only in the request itself.

Where a figure may stand is decided here as well. LlamaIndex's formatter for OpenAI's Chat Completions drops
images of tool messages without a word, some services take them, and others take none at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from llama_index.core.base.llms.types import ChatMessage, ContentBlock, MessageRole, TextBlock

from llama_index_vectree.convert.messages import image_block
from vectree.agent.results import ImageRef
from vectree.errors import ToolError
from vectree.llm.chat import Image

ImageDelivery = Literal["auto", "tool", "user", "none"]
"""Where figures go: decided by the class of the model, into the tool message, into a user message behind the
tool messages, or nowhere (the caption and the page's text are what there is)."""

Placement = Literal["tool", "user", "none"]

NOT_SHOWN = " [This model takes no images; the caption and the page's text are what there is.]"

_IN_TOOL_MESSAGES = frozenset({"OpenAIResponses", "Anthropic", "VecTreeLLM"})
"""Classes of models known to send the images of a tool message on."""


def placement(llm: object, wanted: ImageDelivery = "auto") -> Placement:
    """Decide where figures go.

    Args:
        llm: The model. LlamaIndex does not say what a model takes, so the names of its classes decide.
        wanted: The caller's wish.

    Returns:
        Where figures go; into a user message for models that are not known.
    """
    if wanted != "auto":
        return wanted
    names = {base.__name__ for base in type(llm).__mro__}
    return "tool" if names & _IN_TOOL_MESSAGES else "user"


def attach(
    messages: Sequence[ChatMessage],
    figures: Mapping[str, Sequence[ImageRef]],
    load: Callable[[ImageRef], Image],
    where: Placement,
) -> list[ChatMessage]:
    """Put figures into a conversation that refers to them.

    Args:
        messages: The conversation; it is not changed.
        figures: Id of a tool call to the figures that its result refers to.
        load: Loads a figure; a `ToolError` becomes a note in its place.
        where: Where figures go.

    Returns:
        The conversation for one request.
    """
    out: list[ChatMessage] = []
    pending: list[ContentBlock] = []
    for message in messages:
        of_tool = message.role == MessageRole.TOOL
        if pending and not of_tool:
            out.append(ChatMessage(role=MessageRole.USER, blocks=pending))
            pending = []
        call_id = str(message.additional_kwargs.get("tool_call_id", ""))
        refs = figures.get(call_id, ()) if of_tool and where != "none" else ()
        blocks = [_block(ref, load) for ref in refs]
        if blocks and where == "tool":
            message = message.model_copy(update={"blocks": [*message.blocks, *blocks]})
        elif blocks:
            names = ", ".join(ref.name for ref in refs)
            pending += [TextBlock(text=f"Figure returned by get_page_image: {names}"), *blocks]
        out.append(message)
    return [*out, ChatMessage(role=MessageRole.USER, blocks=pending)] if pending else out


def _block(ref: ImageRef, load: Callable[[ImageRef], Image]) -> ContentBlock:
    try:
        return image_block(load(ref))
    except ToolError as error:
        return TextBlock(text=f"[{ref.name} cannot be shown: {error}]")
