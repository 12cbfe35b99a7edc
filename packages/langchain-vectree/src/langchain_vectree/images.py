"""Figures on their way to a model: by reference in messages, as bytes only in the request itself.

A checkpointer writes all messages at every step; a figure of 200 kB inside one of them grew a run of thirty
calls to 18 MB. Where a figure may stand is decided here as well: some services take images in tool messages,
most take them from users alone, and others take none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, cast

from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage, ToolMessage

from langchain_vectree.convert.messages import Block, image_block, text_block, text_of
from langchain_vectree.convert.results import image_refs
from vectree.agent.results import ImageRef
from vectree.errors import ToolError
from vectree.llm.chat import Image

ImageDelivery = Literal["auto", "tool", "user", "none"]
"""Where figures go: decided by the model's profile, into the tool message, into a user message behind the
tool messages, or nowhere (the caption and the page's text are what there is)."""

Placement = Literal["tool", "user", "none"]

NOT_SHOWN = " [This model takes no images; the caption and the page's text are what there is.]"

_MARK = "vectree_images"


def placement(model: object, wanted: ImageDelivery = "auto") -> Placement:
    """Decide where figures go.

    Args:
        model: The chat model; its ``profile`` says what it takes. OpenAI's Chat Completions refuses images in
            tool messages whatever the profile says.
        wanted: The caller's wish.

    Returns:
        Where figures go.
    """
    if wanted != "auto":
        return wanted
    profile: Mapping[str, Any] = cast("Any", getattr(model, "profile", None)) or {}
    if profile.get("image_inputs") is False:
        return "none"
    if not profile.get("image_tool_message"):
        return "user"
    chat_completions = "OpenAI" in type(model).__name__ and not getattr(model, "use_responses_api", False)
    return "user" if chat_completions else "tool"


def attach(
    messages: Sequence[BaseMessage], load: Callable[[ImageRef], Image], where: Placement
) -> list[BaseMessage]:
    """Put figures into a conversation that refers to them.

    Args:
        messages: The conversation; it is not changed.
        load: Loads a figure; a `ToolError` becomes a note in its place.
        where: Where figures go.

    Returns:
        The conversation for one request.
    """
    out: list[BaseMessage] = []
    pending: list[Block] = []
    for message in messages:
        if pending and not isinstance(message, ToolMessage):
            out.append(_as_user(pending))
            pending = []
        refs = image_refs(message.artifact) if isinstance(message, ToolMessage) and where != "none" else ()
        blocks = _blocks(refs, load)
        if blocks and where == "tool":
            message = message.model_copy(update={"content": [text_block(text_of(message)), *blocks]})
        elif blocks:
            names = ", ".join(ref.name for ref in refs)
            pending += [text_block(f"Figure returned by get_page_image: {names}"), *blocks]
        out.append(message)
    return [*out, _as_user(pending)] if pending else out


def is_attached(message: AnyMessage | BaseMessage) -> bool:
    """Whether a user message only carries figures of tool results.

    Args:
        message: The message.

    Returns:
        Whether `attach` made it.
    """
    return bool(message.additional_kwargs.get(_MARK))


def _as_user(blocks: list[Block]) -> HumanMessage:
    return HumanMessage(cast("Any", blocks), additional_kwargs={_MARK: True})


def _blocks(refs: Sequence[ImageRef], load: Callable[[ImageRef], Image]) -> list[Block]:
    blocks: list[Block] = []
    for ref in refs:
        try:
            blocks.append(image_block(load(ref)))
        except ToolError as error:
            blocks.append(text_block(f"[{ref.name} cannot be shown: {error}]"))
    return blocks
