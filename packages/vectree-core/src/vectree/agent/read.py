"""Layer 2: page text and figures (§3.4, §3.3: at most ten pages a call, figures as vision inputs)."""

from __future__ import annotations

from collections import Counter

from vectree.agent.arguments import GetPageContent, GetPageImage, ListImages
from vectree.agent.images import ImageLimits, refer
from vectree.agent.library import Library
from vectree.agent.page_spec import PageOfLabel, select_pages
from vectree.agent.payloads.figure_list import figures_data, image_data, render_figures, render_image
from vectree.agent.payloads.page_text import render_pages
from vectree.agent.results import ToolResult
from vectree.document import Record
from vectree.errors import ToolError, UnknownFigure
from vectree.normal import one_line

_MAX_NAMED = 12
_MAX_LABELLED = 5_000


def get_page_content(library: Library, arguments: GetPageContent) -> ToolResult:
    """Quote whole pages.

    Args:
        library: The corpus.
        arguments: Validated arguments.

    Returns:
        At most ten pages in the order asked for; its sources are the pages whose text is in it.

    Raises:
        UnknownDocument: If there is no such document.
        InvalidArguments: If the pages cannot be understood or none of them exists.
    """
    record = library.record(arguments.doc_id)
    selection = select_pages(
        arguments.pages, total_pages=record.total_pages, page_of_label=_labels(library, record)
    )
    by_number = {page.number: page for page in library.pages(record.doc_id, selection.pages)}
    pages = [by_number[number] for number in selection.pages if number in by_number]
    payload = render_pages(record, pages, selection.notes)
    return ToolResult(
        text=payload.text,
        data=payload.data,
        sources=tuple((record.doc_id, number) for number in payload.quoted),
    )


def list_images(library: Library, arguments: ListImages) -> ToolResult:
    """Name a paper's figures.

    Args:
        library: The corpus.
        arguments: Validated arguments.

    Returns:
        Names, pages, sizes and captions.

    Raises:
        UnknownDocument: If there is no such document.
    """
    record = library.record(arguments.doc_id)
    figures = library.figures(record.doc_id)
    return ToolResult(text=render_figures(record.doc_id, figures), data=figures_data(record.doc_id, figures))


def get_page_image(library: Library, arguments: GetPageImage) -> ToolResult:
    """Fetch a figure by its recorded name.

    The name is compared with the recorded names and never used as a path; whatever else it is, the message is
    the same (C37).

    Args:
        library: The corpus.
        arguments: Validated arguments.

    Returns:
        The figure by reference; its source is the page it stands on.

    Raises:
        UnknownDocument: If there is no such document.
        UnknownFigure: If no figure is recorded under this name.
        ToolError: If its file is no image or larger than the bounds.
    """
    record = library.record(arguments.doc_id)
    figures = library.figures(record.doc_id)
    figure = next((figure for figure in figures if figure.name == arguments.image), None)
    if figure is None:
        named = ", ".join(figure.name for figure in figures[:_MAX_NAMED]) or "none"
        more = " and more; see list_images" if len(figures) > _MAX_NAMED else ""
        raise UnknownFigure(f"Unknown image in {record.doc_id}.", hint=f"Recorded images: {named}{more}.")
    limits = ImageLimits()
    if figure.width * figure.height > limits.max_pixels:
        raise ToolError(
            f"{figure.name} has {figure.width}x{figure.height} pixels; {limits.max_pixels} are allowed.",
            hint=f"Read page {figure.page} with get_page_content instead.",
        )
    image = refer(record.doc_id, figure, library.figure_bytes(record.doc_id, figure.name), limits)
    return ToolResult(
        text=render_image(figure, image),
        data=image_data(figure, image),
        images=(image,),
        sources=((record.doc_id, figure.page),),
    )


def _labels(library: Library, record: Record) -> PageOfLabel:
    """Finds the page with a printed label; the document's labels are read once, and only if asked for."""
    known: dict[str, int] | None = None

    def page_of_label(label: str) -> int | None:
        nonlocal known
        if known is None:
            numbers = range(1, min(record.total_pages, _MAX_LABELLED) + 1)
            printed = [
                (_label_key(page.label), page.number)
                for page in library.pages(record.doc_id, numbers)
                if page.label
            ]
            times = Counter(key for key, _ in printed)
            known = {key: number for key, number in printed if times[key] == 1}
        return known.get(_label_key(label))

    return page_of_label


def _label_key(label: str) -> str:
    return one_line(label).casefold()
