"""C21: figures reach a model as images of its kind, measured before they are decoded."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import pytest
from PIL import Image as pillow

from vectree.agent.images import ImageLimits, attachable, load_image, refer
from vectree.errors import ToolError
from vectree.testing.library import MemoryLibrary, make_paper
from vectree.testing.sample_papers import grey_png


def encoded(format_name: str, mode: str = "RGB", size: tuple[int, int] = (60, 40), **options: Any) -> bytes:
    buffer = io.BytesIO()
    pillow.new(mode, size).save(buffer, format=format_name, **options)
    return buffer.getvalue()


def figure_of(data: bytes, name: str = "f.png") -> Any:
    return make_paper("a", title="A", pages=["x"], figures=[(name, 1, data)]).figures[0]


def giant_png(width: int, height: int) -> bytes:
    """A file that declares a size and holds no pixels."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    return (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", 13)
        + chunk
        + struct.pack(">I", zlib.crc32(chunk))
        + (struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT")))
    )


@pytest.mark.parametrize(
    ("format_name", "media_type"),
    [
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("GIF", "image/gif"),
        ("WEBP", "image/webp"),
        ("TIFF", "image/tiff"),
    ],
)
def test_the_media_type_comes_from_the_bytes(format_name: str, media_type: str) -> None:
    reference = refer("a", figure_of(b"", name="named.jpeg"), encoded(format_name))
    assert (reference.media_type, reference.width, reference.height) == (media_type, 60, 40)


def test_a_small_png_is_sent_as_it_is() -> None:
    data = encoded("PNG")
    assert attachable("f.jpeg", data).data is data
    assert attachable("f.jpeg", data).media_type == "image/png"


@pytest.mark.parametrize(
    ("format_name", "mode"),
    [("TIFF", "RGB"), ("BMP", "RGB"), ("JPEG", "CMYK"), ("TIFF", "CMYK"), ("TIFF", "I;16"), ("TIFF", "F")],
)
def test_what_models_do_not_take_is_converted(format_name: str, mode: str) -> None:
    image = attachable("f", encoded(format_name, mode))
    assert image.media_type == "image/png"
    assert pillow.open(io.BytesIO(image.data)).mode in ("RGB", "RGBA")


def test_large_images_are_reduced_to_the_longest_edge() -> None:
    image = attachable("f", encoded("PNG", size=(4000, 1000)))
    assert pillow.open(io.BytesIO(image.data)).size == (1568, 392)


def test_an_image_that_stays_large_is_encoded_until_it_fits() -> None:
    noise = pillow.effect_noise((300, 300), 90).convert("RGB")
    buffer = io.BytesIO()
    noise.save(buffer, format="PNG")
    image = attachable("f", buffer.getvalue(), ImageLimits(sent_bytes=12_000))
    assert image.media_type == "image/jpeg"
    assert len(image.data) <= 12_000


def test_giants_are_refused_undecoded(monkeypatch: pytest.MonkeyPatch) -> None:
    from PIL import ImageFile

    def decoded(self: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr(ImageFile.ImageFile, "load", decoded)
    for call in (lambda data: refer("a", figure_of(b""), data), lambda data: attachable("f", data)):
        with pytest.raises(ToolError, match=r"30000x30000 pixels; 40000000 are allowed"):
            call(giant_png(30_000, 30_000))


def test_large_files_are_refused_unopened() -> None:
    with pytest.raises(ToolError, match="bytes"):
        refer("a", figure_of(b""), grey_png(), ImageLimits(max_bytes=10))


@pytest.mark.parametrize(
    "data", [b"", b"GIF8", b"%PDF-1.4", b"\x89PNG\r\n\x1a\n", b"<svg/>", b"RIFF1234WEBPxxxx", b"II*\x00\xff"]
)
def test_what_is_no_image_is_refused(data: bytes) -> None:
    with pytest.raises(ToolError, match="not an image"):
        refer("a", figure_of(b""), data)


def test_a_damaged_image_is_refused_when_it_is_attached() -> None:
    with pytest.raises(ToolError, match="damaged"):
        attachable("f", encoded("TIFF", size=(300, 300))[:400])


def test_an_image_is_loaded_through_the_library_by_its_recorded_name() -> None:
    data = encoded("PNG")
    library = MemoryLibrary([make_paper("a", title="A", pages=["x"], figures=[("f.png", 1, data)])])
    reference = refer("a", library.figures("a")[0], data)
    assert load_image(library, reference).data == data
