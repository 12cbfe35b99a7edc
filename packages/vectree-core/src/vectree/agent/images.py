"""Figures for a model: measured before they are decoded, converted and made smaller only when attached (C21).

The media type comes from the bytes. Only these formats are read, so that a file named ``.png`` cannot reach a
decoder that nobody needs; what models do not accept (TIFF, BMP, CMYK) is converted.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vectree.agent.library import Library
from vectree.agent.results import ImageRef
from vectree.document import Figure
from vectree.errors import ToolError
from vectree.llm.chat import Image

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_SENT_AS_THEY_ARE = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
_MEDIA_TYPES = {**_SENT_AS_THEY_ARE, "TIFF": "image/tiff", "BMP": "image/bmp"}
_PLAIN_MODES = frozenset({"1", "L", "LA", "P", "RGB", "RGBA"})
_HINT = "Read the page's text and caption with get_page_content instead."


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageLimits:
    """Bounds on figures, against hostile files and for the services that read them.

    Attributes:
        max_bytes: Largest stored file that is opened.
        max_pixels: Most pixels that are decoded.
        longest_edge: Pixels to which the longer side is reduced; larger images cost more and show models no
        more. sent_bytes: Largest encoded image that is sent; base64 makes it a third longer.
    """

    max_bytes: int = 32 << 20
    max_pixels: int = 40_000_000
    longest_edge: int = 1_568
    sent_bytes: int = 3_500_000


def refer(doc_id: str, figure: Figure, data: bytes, limits: ImageLimits = ImageLimits()) -> ImageRef:
    """Measure a figure's file without decoding it.

    Args:
        doc_id: The document.
        figure: The figure as recorded.
        data: The file's bytes.
        limits: Bounds.

    Returns:
        The image by reference, media type and size as its bytes say.

    Raises:
        ToolError: If it is no image, of an unknown format, or larger than the bounds.
    """
    picture = _open(figure.name, data, limits)
    return ImageRef(
        doc_id=doc_id,
        name=figure.name,
        page=figure.page,
        media_type=_MEDIA_TYPES[picture.format or "PNG"],
        width=picture.width,
        height=picture.height,
        size=len(data),
    )


def attachable(name: str, data: bytes, limits: ImageLimits = ImageLimits()) -> Image:
    """Make a figure's file fit for a model.

    Args:
        name: Recorded name of the figure.
        data: The file's bytes.
        limits: Bounds.

    Returns:
        The file as it is where models take it so, else reduced and encoded anew.

    Raises:
        ToolError: If it is no image, damaged, or larger than the bounds.
    """
    picture = _open(name, data, limits)
    media_type = _SENT_AS_THEY_ARE.get(picture.format or "")
    small = max(picture.size) <= limits.longest_edge and len(data) <= limits.sent_bytes
    if media_type and small and picture.mode in _PLAIN_MODES:
        return Image(data=data, media_type=media_type, name=name)
    return _encoded(name, _reduced(name, picture, limits), limits)


def load_image(library: Library, image: ImageRef, limits: ImageLimits = ImageLimits()) -> Image:
    """Load an image that a result refers to, fit for a model.

    Args:
        library: The corpus.
        image: The reference.
        limits: Bounds.

    Returns:
        The image, converted and reduced where models need it.

    Raises:
        ToolError: If it is gone, damaged or larger than the bounds.
    """
    return attachable(image.name, library.figure_bytes(image.doc_id, image.name), limits)


def _open(name: str, data: bytes, limits: ImageLimits) -> Picture:
    """Read the header only."""
    if len(data) > limits.max_bytes:
        raise ToolError(f"{name} has {len(data)} bytes; {limits.max_bytes} are allowed.", hint=_HINT)
    reader = _reader(data)
    if reader is None:
        raise ToolError(f"{name} is not an image that can be read.", hint=_HINT)
    try:
        picture = reader(io.BytesIO(data))
    except Exception:
        # Decoders raise all kinds of errors on broken headers; to the model they mean the same.
        raise ToolError(f"{name} is not an image that can be read.", hint=_HINT) from None
    if picture.width * picture.height > limits.max_pixels:
        size = f"{picture.width}x{picture.height}"
        raise ToolError(f"{name} has {size} pixels; {limits.max_pixels} are allowed.", hint=_HINT)
    return picture


def _reader(data: bytes) -> Callable[[io.BytesIO], Picture] | None:
    """The decoder that the first bytes call for.

    Pillow's own ``open`` would try every format it knows and warn about large images through the process-wide
    warning filters, which threads share; the bound on pixels is ours and is checked right after the header.
    """
    from PIL import (
        BmpImagePlugin,
        GifImagePlugin,
        JpegImagePlugin,
        PngImagePlugin,
        TiffImagePlugin,
        WebPImagePlugin,
    )

    readers: dict[bytes, Callable[[io.BytesIO], Picture]] = {
        b"\x89PNG\r\n\x1a\n": PngImagePlugin.PngImageFile,
        b"\xff\xd8\xff": JpegImagePlugin.JpegImageFile,
        b"GIF8": GifImagePlugin.GifImageFile,
        b"II*\x00": TiffImagePlugin.TiffImageFile,
        b"MM\x00*": TiffImagePlugin.TiffImageFile,
        b"BM": BmpImagePlugin.BmpImageFile,
    }
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return WebPImagePlugin.WebPImageFile
    return next((reader for prefix, reader in readers.items() if data.startswith(prefix)), None)


def _reduced(name: str, picture: Picture, limits: ImageLimits) -> Picture:
    """Decode, bring to grey or colour with or without transparency, and reduce."""
    from PIL import Image as pillow

    target = (limits.longest_edge, limits.longest_edge)
    try:
        picture.draft(None, target)
        if picture.mode.startswith("I") or picture.mode == "F":
            picture = _stretched(picture)
        plain = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    except Exception:
        raise ToolError(f"{name} is damaged and cannot be decoded.", hint=_HINT) from None
    plain.thumbnail(target, pillow.Resampling.LANCZOS)
    return plain


def _stretched(picture: Picture) -> Picture:
    """16- and 32-bit grey as 8-bit grey over its own range; a plain conversion would show white."""
    low, high = _extrema(picture)
    scale = 255.0 / (high - low) if high > low else 0.0
    return picture.convert("F").point(lambda value: value * scale - low * scale).convert("L")


def _extrema(picture: Picture) -> tuple[float, float]:
    extrema: Any = picture.getextrema()
    return float(extrema[0]), float(extrema[1])


def _encoded(name: str, picture: Picture, limits: ImageLimits) -> Image:
    """PNG where it fits, else JPEG, smaller and smaller until it does."""
    data = _saved(picture, "PNG")
    if len(data) <= limits.sent_bytes:
        return Image(data=data, media_type="image/png", name=name)
    flat = picture.convert("RGB")
    data = _saved(flat, "JPEG")
    while len(data) > limits.sent_bytes and max(flat.size) > 64:
        flat = flat.resize((max(1, flat.width * 3 // 4), max(1, flat.height * 3 // 4)))
        data = _saved(flat, "JPEG")
    return Image(data=data, media_type="image/jpeg", name=name)


def _saved(picture: Picture, format_name: str) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, format=format_name)
    return buffer.getvalue()
