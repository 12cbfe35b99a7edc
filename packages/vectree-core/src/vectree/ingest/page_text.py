"""Page text as markdown: what tools return, what summaries are made of, what quotes are checked against.

Paragraphs are joined, words broken at line ends put together, headings marked, figures referenced where they
stand, rows of tables kept as rows. Furniture is left out; every other word of the page is there, in reading
order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vectree.document import Figure, Heading, HeadingSource, Match, Page
from vectree.ingest.abstract import find_abstract
from vectree.ingest.claims import row_of
from vectree.ingest.hyphens import Hyphens
from vectree.ingest.layout.body import BodyText, measure_body
from vectree.ingest.layout.neighbours import in_figure
from vectree.ingest.lexicon import is_caption
from vectree.ingest.page_writer import Mark, PageWriter, figure_reference
from vectree.ingest.parse import ParsedDocument, ParsedPage
from vectree.ingest.rows import PageRows, rows_of
from vectree.ingest.verify import Site, Verifier


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPages:
    """Pages with their text, and the headings with their places in it.

    Attributes:
        pages: Every physical page, in order.
        headings: As given, ``offset`` and ``begins_page`` filled where known.
    """

    pages: tuple[Page, ...]
    headings: tuple[Heading, ...]


def render_pages(
    document: ParsedDocument, headings: Sequence[Heading], *, verifier: Verifier | None = None
) -> RenderedPages:
    """Write every page as markdown.

    Args:
        document: As parsed.
        headings: Verified headings in document order.
        verifier: Of this document, where there is one already.

    Returns:
        Pages, and the headings with their offsets.
    """
    if verifier is None:
        laid_out = rows_of(document)
        verifier = Verifier(laid_out, measure_body(laid_out))
    rows, body = verifier.pages, verifier.body
    marks = _marks(headings, verifier)
    hyphens = Hyphens(rows)
    placed = list(headings)
    pages: list[Page] = []
    for parsed, page in zip(document.pages, rows, strict=True):
        here = {mark.site.first: mark for mark in marks if mark is not None and mark.site.page == page.number}
        figures = [figure for figure in document.figures if figure.page == page.number]
        if parsed.markdown is None:
            text, offsets = PageWriter(page, marks=here, figures=figures, body=body, hyphens=hyphens).write()
        else:
            text, offsets = _with_figures(parsed.markdown, figures), _markdown_offsets(page)
        for index, mark in enumerate(marks):
            if mark is not None and mark.site.page == page.number:
                first = mark.site.first
                placed[index] = replace(
                    headings[index], offset=offsets.get(first), begins_page=begins_page(page, first, body)
                )
        pages.append(_page(parsed, text, figures))
    return RenderedPages(pages=tuple(pages), headings=tuple(placed))


def begins_page(page: PageRows, first: int, body: BodyText) -> bool:
    """Whether nothing but furniture, figures and their captions stands above a row on its page.

    Args:
        page: The page.
        first: Position of the heading's first row.
        body: What running text looks like.

    Returns:
        True if the section starts with the page.
    """
    caption_size: float | None = None
    for place, row in enumerate(page.rows[:first]):
        if row.furniture or in_figure(page.rows, place, body):
            continue
        if is_caption(row.text):
            caption_size = row.line.size
        elif caption_size is None or abs(row.line.size - caption_size) > 0.2 or body.carries(row.line):
            return False
    return True


def _marks(headings: Sequence[Heading], verifier: Verifier) -> list[Mark | None]:
    """Find the rows of every heading again: its page is known, its order among equal titles decides."""
    rows, body = verifier.pages, verifier.body
    marks: list[Mark | None] = []
    taken: set[tuple[int, int]] = set()
    for heading in headings:
        mark = None if heading.source is HeadingSource.SYNTHETIC else _mark(heading, verifier, rows, taken)
        if mark is not None:
            taken.add((mark.site.page, mark.site.first))
        marks.append(mark)
    for index, heading in enumerate(headings):
        if heading.source is HeadingSource.SYNTHETIC:
            after = next((mark for mark in marks[index + 1 :] if mark is not None), None)
            place = find_abstract(rows, body, (after.site.page, after.site.first) if after else None)
            site = Site(page=place[0], first=place[1], last=place[1]) if place else None
            marks[index] = Mark(heading=heading, site=site, printed=False) if site else None
    return marks


def _mark(
    heading: Heading, verifier: Verifier, rows: Sequence[PageRows], taken: set[tuple[int, int]]
) -> Mark | None:
    if heading.match is Match.SUBSTRING:
        row = row_of(heading.title, rows[heading.page - 1])
        free = (heading.page, row) not in taken
        return (
            Mark(heading=heading, site=Site(page=heading.page, first=row, last=row), printed=False)
            if free
            else None
        )
    sites = [
        site
        for site in verifier.sites(heading.title)
        if site.page == heading.page and (site.page, site.first) not in taken
    ]
    return Mark(heading=heading, site=sites[0]) if sites else None


def _with_figures(markdown: str, figures: Sequence[Figure]) -> str:
    """Append references to figures that the parser's markdown does not mention."""
    missing = [figure_reference(figure) for figure in figures if f"({figure.name})" not in markdown]
    return "\n\n".join([markdown, *missing]) if missing else markdown


def _markdown_offsets(page: PageRows) -> dict[int, int]:
    return {place: row.offset for place, row in enumerate(page.rows)}


def _page(parsed: ParsedPage, text: str, figures: Sequence[Figure]) -> Page:
    return Page(
        number=parsed.number,
        raw=parsed.raw,
        text=text,
        status=parsed.status,
        label=parsed.label,
        figures=tuple(figure.name for figure in figures),
    )
