"""Everything that touches Marker's own classes: from its ``Document`` to pages, figures and heading claims.

Its finished outputs lose what a citation needs, so none of them is used. In its paginated Markdown the page
after a blank one is lost to whoever splits it, and text may hold a look-alike of the separator; the ``page``
of its chunks is a counter of blocks; its table of contents has no levels. Here every page is rendered by
itself from the built document, and figures and headings are taken from their blocks.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vectree._extras import require
from vectree.document import Box, Figure, Heading, HeadingSource, TextStatus
from vectree.ingest.page_writer import figure_reference
from vectree.ingest.parse import ParsedDocument, ParsedPage, ParseLimits
from vectree.ingest.parsers.marker.levels import heading_levels
from vectree.normal import match_key, one_line

EXTRA = "marker"

_FONT_PATH = "FONT_PATH"
_CONFIG: dict[str, Any] = {
    "disable_tqdm": True,
    "pdftext_workers": 1,  # a pool inside a worker process can deadlock
    "paginate_output": False,
}
_IMAGE = re.compile(r"!\[[^\]]*\]\((?P<name>[^()\s]+)\)")
_MARKS = re.compile(r"[*_`]{1,3}|\\(?=[^\w\s])|<[^<>]{1,80}>")
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*)$", re.MULTILINE)
_JPEG_QUALITY = 90


def convert(
    path: Path,
    *,
    figures: Path,
    limits: ParseLimits,
    ocr: bool = False,
    models: dict[str, Any] | None = None,
    config: Mapping[str, Any] | None = None,
) -> ParsedDocument:
    """Read a PDF with Marker, in this process.

    Args:
        path: The source file.
        figures: An existing empty folder that receives figure files.
        limits: Bounds on figures.
        ocr: Whether models may read text off page images.
        models: Marker's models; made and shut down here if not given.
        config: Marker's settings, beside those that are needed here.

    Returns:
        Pages as Markdown, every physical page in order. Their status is what the text says alone.
    """
    # Without this, making a converter downloads a font that PDFs do not need.
    os.environ.setdefault(_FONT_PATH, __file__)
    converters = require("marker.converters.pdf", extra=EXTRA)
    registry = require("marker.models", extra=EXTRA)
    own = registry.create_model_dict() if models is None else models
    chosen = {**_CONFIG, "disable_ocr": not ocr, **(config or {})}
    try:
        # Marker writes into its settings, and takes a path as text only.
        converter = converters.PdfConverter(artifact_dict=own, config=dict(chosen))
        return _read(converter.build_document(str(path)), converter, figures, limits)
    finally:
        if models is None:
            registry.shutdown_models(own)  # else its servers outlive this process


def _read(document: Any, converter: Any, folder: Path, limits: ParseLimits) -> ParsedDocument:
    renderers = require("marker.renderers.markdown", extra=EXTRA)
    renderer = renderers.MarkdownRenderer(converter.config)
    output = document.render(renderer.block_config)
    pages: list[ParsedPage] = []
    figures: list[Figure] = []
    for rendered in output.children:
        page = document.get_page(rendered.id.page_id)
        html, images = renderer.extract_html(document, rendered)
        kept = _figures(document, page, images, folder, limits, len(figures))
        figures.extend(kept.values())
        text = renderers.cleanup_text(renderer.md_cls.convert(html))
        pages.append(_page(document, page, _with_names(text, kept)))
    return ParsedDocument(
        pages=tuple(pages),
        figures=tuple(figures),
        headings=_headings(document),
        parser=f"marker {_version()}",
    )


def _page(document: Any, page: Any, text: str) -> ParsedPage:
    width, height = page.polygon.size
    readable = any(map(str.isalnum, _IMAGE.sub("", text)))
    return ParsedPage(
        number=page.page_id + 1,
        width=float(width),
        height=float(height),
        raw=page.raw_text(document),
        status=TextStatus.TEXT if readable else TextStatus.BLANK,
        markdown=_HEADING.sub(lambda match: f"{match[1]} {_bare(match[2])}", text),
    )


def _figures(
    document: Any, page: Any, images: Mapping[str, Any], folder: Path, limits: ParseLimits, before: int
) -> dict[str, Figure]:
    """Save the images of a page; by the name Marker gave them, which repeats from document to document."""
    blocks = {f"{block.id.to_path()}": block for block in page.contained_blocks(document, None)}
    captions = _captions(document, page)
    kept: dict[str, Figure] = {}
    for given, image in images.items():
        block = blocks.get(given.rpartition(".")[0])
        too_many = before + len(kept) >= limits.max_figures
        if block is None or image is None or too_many or image.width * image.height > limits.max_pixels:
            continue
        name = f"p{page.page_id + 1:03d}-{len(kept) + 1}.jpg"
        image.convert("RGB").save(folder / name, "JPEG", quality=_JPEG_QUALITY)
        x0, y0, x1, y1 = block.polygon.bbox
        kept[given] = Figure(
            name=name,
            page=page.page_id + 1,
            box=Box(x0=float(x0), y0=float(y0), x1=float(x1), y1=float(y1)),
            kind="image",
            width=image.width,
            height=image.height,
            media_type="image/jpeg",
            caption=captions.get(str(block.id)),
        )
    return kept


def _captions(document: Any, page: Any) -> dict[str, str]:
    """Captions by the figures Marker grouped them with."""
    types = require("marker.schema", extra=EXTRA).BlockTypes
    found: dict[str, str] = {}
    for group in page.contained_blocks(document, (types.FigureGroup, types.PictureGroup)):
        members = group.structure_blocks(document)
        words = [one_line(each.raw_text(document)) for each in members if each.block_type == types.Caption]
        if any(words):
            found.update(dict.fromkeys((str(each.id) for each in members), " ".join(words)))
    return found


def _with_names(text: str, kept: Mapping[str, Figure]) -> str:
    """References under our names; one to an image that was not kept is left out."""
    return _IMAGE.sub(
        lambda match: figure_reference(kept[match["name"]]) if match["name"] in kept else "", text
    )


def _headings(document: Any) -> tuple[Heading, ...]:
    types = require("marker.schema", extra=EXTRA).BlockTypes
    blocks = [
        block
        for block in document.contained_blocks((types.SectionHeader,))
        if not block.ignore_for_output and match_key(block.raw_text(document))
    ]
    titles = [_bare(block.raw_text(document)) for block in blocks]
    levels = heading_levels(titles, _stated(blocks))
    return tuple(
        Heading(number="", title=title, page=block.page_id + 1, level=level, source=HeadingSource.PARSER)
        for block, title, level in zip(blocks, titles, levels, strict=True)
    )


def _stated(blocks: Sequence[Any]) -> list[int | None]:
    """Levels from the blocks: the processor that sets them runs after the one that lists the contents."""
    return [block.heading_level for block in blocks]


def _bare(words: str) -> str:
    return one_line(_MARKS.sub("", words))


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("marker-pdf")
    except PackageNotFoundError:
        return "2"
