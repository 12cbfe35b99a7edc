"""Images that lie inside a text as ``data:`` addresses: taken out, checked, and kept as figures."""

from __future__ import annotations

import base64
import binascii
import io
import re
from dataclasses import dataclass
from pathlib import Path

from vectree.document import Box, Figure
from vectree.ingest.parse import ParseLimits

_DATA_IMAGE = re.compile(
    r"!\[(?P<alt>[^\[\]]{0,2000})\]\(\s*<?data:image/[\w.+-]{1,40};base64,(?P<data>[A-Za-z0-9+/=\s%]*)>?(?:\s+\"[^\"]*\")?\s*\)"
)
_POINTS_PER_PIXEL = 0.75
_KEPT = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenImages:
    """A text without its embedded images.

    Attributes:
        text: The text, with a figure's name where its bytes stood; the alternative text stays.
        figures: What was kept; ``page`` is 1 until the text has pages.
        warnings: What was not, and why.
    """

    text: str
    figures: tuple[Figure, ...]
    warnings: tuple[str, ...]


def take_images(markdown: str, folder: Path, limits: ParseLimits) -> TakenImages:
    """Move embedded images into files.

    A synthetic page has no geometry: a figure's box is its own size, at 96 pixels an inch.

    Args:
        markdown: A text.
        folder: Receives the files.
        limits: Bounds on their number and their pixels.

    Returns:
        The text, the figures and warnings.
    """
    if "data:image/" not in markdown:
        return TakenImages(text=markdown, figures=(), warnings=())
    figures: list[Figure] = []
    lost = 0

    def replace(match: re.Match[str]) -> str:
        nonlocal lost
        figure = None
        if len(figures) < limits.max_figures:
            figure = _kept(match["data"], f"image-{len(figures) + 1:03d}", match["alt"], folder, limits)
        if figure is None:
            lost += 1
            return match["alt"]
        figures.append(figure)
        return f"![{match['alt']}]({figure.name})"

    text = _DATA_IMAGE.sub(replace, markdown)
    warnings = (f"{lost} embedded images could not be read and were left out.",) if lost else ()
    return TakenImages(text=text, figures=tuple(figures), warnings=warnings)


def _kept(data: str, stem: str, alt: str, folder: Path, limits: ParseLimits) -> Figure | None:
    from PIL import Image

    try:
        image_bytes = base64.b64decode(data, validate=False)
        with Image.open(io.BytesIO(image_bytes), formats=tuple(_KEPT)) as image:
            width, height = image.size
            kind = image.format or ""
            if width * height > limits.max_pixels:
                return None
            image.verify()
    except (binascii.Error, OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return None
    name = f"{stem}.{kind.lower().replace('jpeg', 'jpg')}"
    (folder / name).write_bytes(image_bytes)
    return Figure(
        name=name,
        page=1,
        box=Box(x0=0.0, y0=0.0, x1=width * _POINTS_PER_PIXEL, y1=height * _POINTS_PER_PIXEL),
        kind="image",
        width=width,
        height=height,
        media_type=_KEPT[kind],
        caption=" ".join(alt.split()) or None,
    )
