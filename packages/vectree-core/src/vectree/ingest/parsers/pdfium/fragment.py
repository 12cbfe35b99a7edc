"""The reader's working line: what is known of a line before the document as a whole has been seen."""

from __future__ import annotations

from dataclasses import dataclass

from vectree.ingest.parse import Line, Run
from vectree.ingest.parsers.pdfium.fonts import Face
from vectree.ingest.parsers.pdfium.geometry import Rect, to_box


@dataclass(slots=True, kw_only=True)
class Lead:
    """The leading stretch of a line that is set in another font than the rest."""

    text: str
    size: float
    face: Face


@dataclass(slots=True, kw_only=True)
class Fragment:
    """A line under construction; stages fill the lower fields in.

    Attributes:
        text: Cleaned text.
        rect: Where it stands on the displayed page.
        size: Font size in points.
        face: The font of most of it.
        faces: The fonts of its samples: first, middle, last character.
        hyphen: Whether a word was broken at its end.
        level: Whether it is written from left to right on the displayed page.
        hidden: Share of its samples that are drawn invisibly.
        lead: Its leading run in another font.
        column: As in ``Line``.
        furniture: As in ``Line``.
        in_figure: As in ``Line``.
        prose: Whether it is running text, set like most of the document.
    """

    text: str
    rect: Rect
    size: float
    face: Face
    faces: tuple[Face, ...]
    hyphen: bool = False
    level: bool = True
    hidden: float = 0.0
    lead: Lead | None = None
    column: int = -1
    furniture: bool = False
    in_figure: bool = False
    prose: bool = False

    @property
    def middle(self) -> float:
        """Vertical centre in points from the top of the page."""
        return (self.rect[1] + self.rect[3]) / 2

    def bold(self, trust_weight: bool) -> bool:
        """Whether every sample is bold.

        Args:
            trust_weight: Whether to believe stem widths in this document.

        Returns:
            True if all of the line is bold.
        """
        return all(face.bold_name or (trust_weight and face.heavy) for face in self.faces)

    def finish(self, order: int, *, trust_weight: bool) -> Line:
        """The line as it leaves the parser.

        Args:
            order: Its position on the page, from 0.
            trust_weight: Whether to believe stem widths in this document.

        Returns:
            The frozen line.
        """
        run = None
        if self.lead is not None:
            face = self.lead.face
            run = Run(
                text=self.lead.text,
                size=self.lead.size,
                bold=face.bold_name or (trust_weight and face.heavy),
                italic=face.italic,
                font=face.name,
            )
        return Line(
            text=self.text,
            box=to_box(self.rect),
            size=self.size,
            bold=self.bold(trust_weight),
            italic=all(face.italic for face in self.faces),
            font=self.face.name,
            hyphen=self.hyphen,
            furniture=self.furniture,
            column=self.column,
            in_figure=self.in_figure,
            run=run,
            order=order,
        )
