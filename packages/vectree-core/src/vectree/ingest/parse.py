"""The seam to a parser, and what a parser hands over: pages as lines, figures, bookmarks."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from vectree.document import Box, Figure, Heading, TextStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The start of a line, where its font differs from the rest; the mark of a run-in heading."""

    text: str
    size: float
    bold: bool
    italic: bool
    font: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of text in reading order.

    Attributes:
        text: Cleaned text (no ligature glyphs, ordinary spaces), without a soft hyphen at its end.
        box: Where it stands.
        size: Font size in points, scaled by the text matrix.
        bold: Whether all of it is bold.
        italic: Whether all of it is italic.
        font: Font name without its subset prefix.
        hyphen: Whether a word was broken at its end.
        furniture: Running head, footer, page number or margin text.
        column: -1 for a line that spans columns or a page without columns, else 0, 1, … from the left.
        in_figure: Whether it stands inside a figure's region.
        run: Its leading run, if the rest of the line has another font.
        order: Position on the page, from 0.
    """

    text: str
    box: Box
    size: float
    bold: bool
    italic: bool
    font: str
    hyphen: bool = False
    furniture: bool = False
    column: int = -1
    in_figure: bool = False
    run: Run | None = None
    order: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPage:
    """One physical page as the parser saw it.

    Attributes:
        number: Physical page, from 1.
        width: Displayed width in points.
        height: Displayed height in points.
        raw: Text as extracted, in the order of the file.
        status: What the text layer is worth.
        lines: Lines in reading order; empty if the parser gives markdown instead.
        markdown: Page text as markdown, from parsers that produce it; else ``None``.
        label: Printed page label, if the file has one that differs from the number.
        hidden_share: Share of characters that are drawn invisibly, 0 to 1.
    """

    number: int
    width: float
    height: float
    raw: str
    status: TextStatus
    lines: tuple[Line, ...] = ()
    markdown: str | None = None
    label: str | None = None
    hidden_share: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """An entry of the file's outline, uncleaned.

    Attributes:
        title: As stored.
        page: Physical page it points at; ``None`` if it points nowhere.
        level: Depth from 1.
    """

    title: str
    page: int | None
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedDocument:
    """A document after parsing.

    Attributes:
        pages: Every physical page, blank ones too, in order, numbers 1 to n without a gap.
        figures: Figures; their files lie in the folder given to the parser.
        bookmarks: The file's outline.
        headings: Headings the parser itself claims (Marker, Markdown); empty for the PDF reader.
        info: ``title``, ``author``, ``subject``, ``keywords`` from the file, where present; ``date`` if it
            states when the work appeared; ``abstract`` from formats that keep it apart from the text.
        warnings: Sentences for the report, e.g. which pages could not be read.
        parser: Name and version of the parser.
    """

    pages: tuple[ParsedPage, ...]
    figures: tuple[Figure, ...] = ()
    bookmarks: tuple[Bookmark, ...] = ()
    headings: tuple[Heading, ...] = ()
    info: dict[str, str] = field(default_factory=lambda: dict[str, str]())
    warnings: tuple[str, ...] = ()
    parser: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseLimits:
    """Bounds on one document, against hostile input.

    Attributes:
        max_pages: Pages.
        max_bytes: Size of the file.
        max_pixels: Pixels of one rendered figure.
        max_figures: Figures kept per document.
        max_characters: Characters kept per page.
        page_seconds: Time without a finished page after which the reader is stopped.
        total_seconds: Time for the whole document, beside 0.5 s for each page.
        memory_bytes: Address space of the reading process, where the system can bound it.
    """

    max_pages: int = 5_000
    max_bytes: int = 1 << 30
    max_pixels: int = 40_000_000
    max_figures: int = 2_000
    max_characters: int = 200_000
    page_seconds: float = 12.0
    total_seconds: float = 60.0
    memory_bytes: int = 4 << 30


@runtime_checkable
class Parser(Protocol):
    """Reads one source file."""

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        """Read a document.

        Args:
            path: The source file.
            figures: An existing empty folder that receives figure files.
            password: For encrypted documents.

        Returns:
            All pages, figures and bookmarks.

        Raises:
            EncryptedDocument: If a password is needed or wrong.
            CorruptDocument: If the bytes cannot be read as a document.
            ParseLimit: If a bound was reached.
        """
        ...
