"""The nouns of a paper: pages, figures, headings, the section tree, bibliographic metadata.

Conventions, stated once. A *page* is the physical page of the source, counted from 1; printed page
labels are kept beside it and never used as coordinates. Lengths are PDF points (1/72 inch), measured
from the top left corner of the page as it is displayed (after rotation and cropping). All values
are frozen: no stage can edit what another stage produced.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class PageRange:
    """An inclusive range of physical pages, counted from 1.

    Attributes:
        first: First page, at least 1.
        last: Last page, at least ``first``.
    """

    first: int
    last: int

    def __post_init__(self) -> None:
        if not 1 <= self.first <= self.last:
            raise ValueError(f"page range {self.first}-{self.last}: needs 1 <= first <= last")

    def __contains__(self, page: object) -> bool:
        return isinstance(page, int) and self.first <= page <= self.last

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.first, self.last + 1))

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle on a displayed page, in points from its top left corner."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Width in points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Height in points."""
        return self.y1 - self.y0


class TextStatus(StrEnum):
    """What the text layer of a page is worth."""

    TEXT = "text"
    SCAN = "scan"
    OCR_LAYER = "ocr_layer"
    GARBLED = "garbled"
    FIGURE_ONLY = "figure_only"
    BLANK = "blank"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure cropped from a page.

    Attributes:
        name: File name within the document's figure folder, chosen by the parser, never by the source.
        page: Physical page.
        box: Where it stands on the page.
        caption: The caption next to it, if one was found.
        kind: ``"image"``, ``"vector"``, or ``"page"`` for a whole page kept because it has no text.
        width: Pixels.
        height: Pixels.
        media_type: From the bytes, e.g. ``"image/png"``.
    """

    name: str
    page: int
    box: Box
    kind: str
    width: int
    height: int
    media_type: str = "image/png"
    caption: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One physical page as stored.

    Attributes:
        number: Physical page, counted from 1.
        label: The printed page label, if the source has one that differs from the number.
        raw: The text as extracted, never edited.
        text: The same as markdown: headings marked, line-end hyphens joined, figures referenced where they
            stand, furniture left out. Never edited after parsing.
        status: What the text layer is worth.
        figures: Names of the figures on this page.
    """

    number: int
    raw: str
    text: str
    status: TextStatus
    label: str | None = None
    figures: tuple[str, ...] = ()


class Match(StrEnum):
    """How a heading was found on its page, best first.

    ``HEADING_LINE``: the title stands alone at its place. ``SUBSTRING``: the title occurs on the page.
    ``NONE``: it was not found.
    """

    HEADING_LINE = "heading_line"
    SUBSTRING = "substring"
    NONE = "none"


class HeadingSource(StrEnum):
    """Where a heading came from."""

    BOOKMARK = "bookmark"
    LAYOUT = "layout"
    PARSER = "parser"
    MODEL = "model"
    SYNTHETIC = "synthetic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading claimed for a page; the paper's (s, t, p) triple of §3.2.

    Attributes:
        number: The printed number as written (``"2.1"``, ``"IV"``, ``"A"``), without the title; may be empty.
        title: The title without its number.
        page: Physical page where the section starts.
        level: Depth from 1, as far as the source knows it; folding may correct it.
        source: Where the claim came from.
        match: What the verifier found; ``NONE`` until verified.
        begins_page: Whether nothing but furniture stands above it on its page.
        offset: Character offset of its line in the page's ``text``, if known.
    """

    number: str
    title: str
    page: int
    level: int
    source: HeadingSource
    match: Match = Match.NONE
    begins_page: bool = False
    offset: int | None = None

    @property
    def printed(self) -> str:
        """Number and title as one line."""
        return f"{self.number} {self.title}".strip()


class SummarySource(StrEnum):
    """What a node's summary is: the section's own text, sentences taken from it, or a model's words.

    ``MODEL_UNCONFIRMED``: a model's words with a number that the section does not hold.
    """

    TEXT = "text"
    EXTRACTIVE = "extractive"
    MODEL = "model"
    MODEL_UNCONFIRMED = "model_unconfirmed"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A section in the tree; the paper's Eq. 3.

    Attributes:
        id: Zero-padded, depth first, stable over re-runs of the same source.
        number: Printed number, may be empty.
        title: Title without its number.
        pages: Own range: from the start page to the next heading in document order. For a parent this
            is its preamble. It serves slicing, summaries and splitting.
        start: Character offset in the ``text`` of the first page where the section starts, if known.
        summary: See ``summary_source``.
        summary_source: What the summary is made of.
        source: Where the heading came from.
        match: How it was verified.
        synthetic: True for nodes the authors did not write (front matter, whole document, page group,
            an abstract that has no heading).
        oversize: True if it exceeds both splitting bounds and could not be split.
        children: Sub-sections in document order.
    """

    id: str
    number: str
    title: str
    pages: PageRange
    start: int | None = None
    summary: str = ""
    summary_source: SummarySource = SummarySource.NONE
    source: HeadingSource = HeadingSource.SYNTHETIC
    match: Match = Match.NONE
    synthetic: bool = False
    oversize: bool = False
    children: tuple[Node, ...] = ()

    @property
    def printed(self) -> str:
        """Number and title as one line."""
        return f"{self.number} {self.title}".strip()

    @property
    def covering(self) -> PageRange:
        """The range over this node and everything below it; what outputs show."""
        last = max((child.covering.last for child in self.children), default=self.pages.last)
        return PageRange(first=self.pages.first, last=max(last, self.pages.last))


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionTree:
    """The section tree of one document (§3.2). It holds no body text, except short sections kept as summary.

    Attributes:
        total_pages: Number of physical pages.
        nodes: Top-level nodes in document order; together they cover every page.
    """

    total_pages: int
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """Bibliographic metadata, with the origin of every field.

    Attributes:
        title: Title of the work.
        authors: Names as printed, in order.
        year: Year of publication.
        journal: Journal or venue.
        volume: Volume as printed.
        article_pages: Page range in the journal, as printed.
        doi: Lower-case DOI without a resolver address.
        description: One sentence on what the document is about.
        keywords: Domain keywords.
        provenance: Field name → ``"rules"`` (read off the pages), ``"file"`` (fields of the file),
            ``"model"``, ``"crossref"``, ``"file name"``.
        conflicts: Field name → what another source says, e.g. ``"crossref: 2019"``, where sources disagree.
    """

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    journal: str | None = None
    volume: str | None = None
    article_pages: str | None = None
    doi: str | None = None
    description: str = ""
    keywords: tuple[str, ...] = ()
    provenance: dict[str, str] = field(default_factory=lambda: dict[str, str]())
    conflicts: dict[str, str] = field(default_factory=lambda: dict[str, str]())


class DocumentStatus(StrEnum):
    """``OK``, or ``NEEDS_OCR`` for a document that is mostly pages without a text layer."""

    OK = "ok"
    NEEDS_OCR = "needs_ocr"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A document as the catalogue knows it.

    Attributes:
        doc_id: Short and readable; given once, never changed.
        sha256: Hash of the source bytes: the document's identity.
        sources: Every source path under which these bytes were added, relative to a labelled folder.
        total_pages: Number of physical pages.
        status: Whether its text can be used.
        metadata: Bibliographic metadata.
        related: ``doc_id`` of supplements or of the paper this is a supplement of.
    """

    doc_id: str
    sha256: str
    sources: tuple[str, ...]
    total_pages: int
    status: DocumentStatus
    metadata: Metadata
    related: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """The source path under which the document was first added."""
        return self.sources[0] if self.sources else ""
