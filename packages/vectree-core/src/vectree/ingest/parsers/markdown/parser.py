"""The Markdown reader: a file, or text that a converter made, as synthetic pages with headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from vectree.document import Figure, Heading, HeadingSource, TextStatus
from vectree.errors import CorruptDocument, ParseLimit
from vectree.ingest.parse import ParsedDocument, ParsedPage, ParseLimits
from vectree.ingest.parsers.embedded import take_images
from vectree.ingest.parsers.markdown.blocks import Block, BlockKind, heading_line, read_blocks
from vectree.ingest.parsers.markdown.front_matter import split_front_matter
from vectree.ingest.parsers.markdown.pages import paginate
from vectree.ingest.parsers.source_text import decode, read_bytes
from vectree.normal import match_key, one_line

MAX_HEADINGS = 3_000
"""Headings that become sections; as many as of a file's bookmarks are read."""

_DEFAULT_LIMITS = ParseLimits()


class MarkdownParser:
    """Reads Markdown; implements ``ingest.parse.Parser``.

    Headings are those of CommonMark; pages are synthetic (see ``markdown.pages``). Images that lie in the
    file itself as ``data:`` become figures; files it refers to are never opened.

    Args:
        limits: Bounds on one document.
    """

    name = "markdown"

    def __init__(self, limits: ParseLimits = _DEFAULT_LIMITS) -> None:
        self._limits = limits

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        """Read a Markdown file.

        Args:
            path: The source file.
            figures: An existing empty folder that receives figure files.
            password: Not used.

        Returns:
            Synthetic pages, with the file's headings as claims.
        """
        text, warnings = decode(read_bytes(path), path.name)
        return markdown_document(
            text, name=path.name, figures=figures, limits=self._limits, parser=self.name, warnings=warnings
        )


def markdown_document(
    source: str,
    *,
    name: str,
    figures: Path,
    limits: ParseLimits,
    parser: str,
    info: Mapping[str, str] | None = None,
    warnings: Sequence[str] = (),
) -> ParsedDocument:
    """Make a document of Markdown.

    Args:
        source: The text, with plain line feeds.
        name: Name of the file, for errors.
        figures: An existing empty folder that receives figure files.
        limits: Bounds on the document.
        parser: What the report calls the parser.
        info: Fields of ``ParsedDocument.info`` known from elsewhere; the text's own front matter wins.
        warnings: Sentences for the report.

    Returns:
        Synthetic pages and headings.

    Raises:
        CorruptDocument: If there is no text at all.
        ParseLimit: If there are more pages than allowed.
    """
    fields, body = split_front_matter(source)
    taken = take_images(body, figures, limits)
    pages = paginate(read_blocks(taken.text))
    if not any(page for page in pages):
        raise CorruptDocument(f"{name!r} holds no text.", hint="Fetch the file again.")
    if len(pages) > limits.max_pages:
        raise ParseLimit(
            f"{name!r} makes {len(pages):,} pages; at most {limits.max_pages:,} are read.",
            hint="Split the file or raise ParseLimits.max_pages.",
        )
    title = _document_title(pages)
    known = {**(info or {}), **fields}
    if title is not None:
        known["title"] = title.title
    elif known.get("title"):
        pages[0] = _titled(pages[0], known["title"])
    headings = _headings(pages, title)
    surplus = len(headings) - MAX_HEADINGS
    many = (f"Of {len(headings):,} headings, the last {surplus:,} stay text.",) if surplus > 0 else ()
    return ParsedDocument(
        pages=tuple(_page(number, page) for number, page in enumerate(pages, 1)),
        figures=_placed(taken.figures, pages),
        headings=headings[:MAX_HEADINGS],
        info=known,
        warnings=(*warnings, *taken.warnings, *many),
        parser=parser,
    )


def _document_title(pages: Sequence[Sequence[Block]]) -> Block | None:
    """The one heading of the first level that stands above all others: the title of the work, no section."""
    headings = [block for page in pages for block in page if block.kind is BlockKind.HEADING]
    levels = Counter(block.level for block in headings)
    if len(headings) < 2 or levels[headings[0].level] > 1 or min(levels) < headings[0].level:
        return None
    return headings[0]


def _titled(page: Sequence[Block], title: str) -> list[Block]:
    """Print a title that the file states apart from its text, as every viewer does."""
    if any(match_key(block.title) == match_key(title) for block in page):
        return list(page)
    return [Block(kind=BlockKind.TEXT, text=heading_line(1, one_line(title)), raw=""), *page]


def _headings(pages: Sequence[Sequence[Block]], title: Block | None) -> tuple[Heading, ...]:
    return tuple(
        Heading(number="", title=block.title, page=number, level=block.level, source=HeadingSource.PARSER)
        for number, page in enumerate(pages, 1)
        for block in page
        if block.kind is BlockKind.HEADING and block is not title
    )


def _page(number: int, blocks: Sequence[Block]) -> ParsedPage:
    text = "\n\n".join(block.text for block in blocks if block.text)
    status = TextStatus.TEXT if any(map(str.isalnum, text)) else TextStatus.BLANK
    raw = "\n\n".join(block.raw for block in blocks if block.raw)
    return ParsedPage(number=number, width=0.0, height=0.0, raw=raw, status=status, markdown=text)


def _placed(figures: Sequence[Figure], pages: Sequence[Sequence[Block]]) -> tuple[Figure, ...]:
    """Give every figure the page that refers to it."""
    texts = ["\n".join(block.text for block in page) for page in pages]
    return tuple(
        replace(figure, page=number)
        for figure in figures
        for number in [next((n for n, text in enumerate(texts, 1) if f"({figure.name})" in text), 0)]
        if number
    )
