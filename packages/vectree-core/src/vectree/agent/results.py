"""What a tool call returns: text for the model, plain JSON for programs, images by reference, sources."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageRef:
    """An image that goes with a result. Bytes are loaded only when a model is called (``agent.images``).

    Attributes:
        doc_id: The document.
        name: Recorded name of the figure.
        page: Physical page.
        media_type: From the bytes, not from the name.
        width: Pixels, as stored.
        height: Pixels, as stored.
        size: Bytes, as stored.
    """

    doc_id: str
    name: str
    page: int
    media_type: str
    width: int
    height: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """The observation that answers one tool call; the paper's o (Eq. 2).

    Attributes:
        text: What the model reads; never empty.
        data: The same as plain JSON types.
        images: Images that go with it, by reference.
        sources: (doc_id, page) pairs whose text or figure is in the result.
        error: Whether the call failed; then ``text`` says what was seen, what is allowed and what to do next.
        arguments: The arguments as validated, or as written if they could not be.
    """

    text: str
    data: dict[str, Any] = field(default_factory=lambda: dict[str, Any]())
    images: tuple[ImageRef, ...] = ()
    sources: tuple[tuple[str, int], ...] = ()
    error: bool = False
    arguments: dict[str, Any] = field(default_factory=lambda: dict[str, Any]())
