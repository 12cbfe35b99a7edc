"""The payloads of ``list_images`` and ``get_page_image``: names, never paths, and no image as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vectree.agent.results import ImageRef
from vectree.document import Figure
from vectree.tree.outline import clip

MAX_CAPTIONED = 60
MAX_LISTED = 400
MAX_IMAGE_TEXT = 200
"""Characters of the text that goes with an image (C21)."""


def render_figures(doc_id: str, figures: Sequence[Figure]) -> str:
    """List figures for a model.

    Args:
        doc_id: The document.
        figures: Its figures in page order.

    Returns:
        A line a figure: name, page, size in pixels, caption; long lists go without captions.
    """
    if not figures:
        return f"0 images are recorded for {doc_id}. Tables and figures may still stand in the page text."
    lines = [
        f"{len(figures)} image{'' if len(figures) == 1 else 's'} in {doc_id}; open one with get_page_image."
    ]
    width = 100 if len(figures) <= MAX_CAPTIONED else 0
    for figure in figures[:MAX_LISTED]:
        caption = f" | {clip(figure.caption, width)}" if figure.caption and width else ""
        whole = " | whole page" if figure.kind == "page" else ""
        lines.append(f"{figure.name} | p.{figure.page} | {figure.width}x{figure.height}{whole}{caption}")
    if len(figures) > MAX_LISTED:
        lines.append(f"{len(figures) - MAX_LISTED} more are named on their pages; see get_page_content.")
    return "\n".join(lines)


def figures_data(doc_id: str, figures: Sequence[Figure]) -> dict[str, Any]:
    """Figures as plain JSON types.

    Args:
        doc_id: The document.
        figures: Its figures in page order.

    Returns:
        ``{"doc_id", "images": [{"name", "page", "width", "height", "kind", "media_type", "caption"}]}``.
    """
    return {"doc_id": doc_id, "images": [_figure_data(figure) for figure in figures]}


def render_image(figure: Figure, image: ImageRef) -> str:
    """The text that goes with an image.

    Args:
        figure: The figure as recorded.
        image: The image as found in its bytes.

    Returns:
        At most ``MAX_IMAGE_TEXT`` characters.
    """
    head = f"{image.name}, p.{image.page} of {image.doc_id} ({image.width}x{image.height})."
    room = MAX_IMAGE_TEXT - len(head) - 12
    caption = f" Caption: {clip(figure.caption, room)}" if figure.caption and room > 20 else ""
    return (head + caption)[:MAX_IMAGE_TEXT]


def image_data(figure: Figure, image: ImageRef) -> dict[str, Any]:
    """An image by reference, as plain JSON types.

    Args:
        figure: The figure as recorded.
        image: The image as found in its bytes.

    Returns:
        Everything but the bytes.
    """
    return {
        **_figure_data(figure),
        "doc_id": image.doc_id,
        "media_type": image.media_type,
        "width": image.width,
        "height": image.height,
        "bytes": image.size,
    }


def _figure_data(figure: Figure) -> dict[str, Any]:
    return {
        "name": figure.name,
        "page": figure.page,
        "width": figure.width,
        "height": figure.height,
        "kind": figure.kind,
        "media_type": figure.media_type,
        "caption": figure.caption,
    }
