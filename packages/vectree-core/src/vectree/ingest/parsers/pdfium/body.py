"""What running text looks like in this document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from vectree.ingest.parsers.pdfium.fragment import Fragment

LONG_LINE = 30
"""Lines longer than this many characters are likely running text."""

SIZE_TOLERANCE = 0.5
LETTER_SHARE = 0.6
"""Share of letters in running text; the rows of a table have fewer."""

PARAGRAPH_LINE = 25
"""A line of running text in a narrow column has at least this many characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyText:
    """The font of most of a document.

    Attributes:
        font: Its name; empty if the file does not name it.
        size: Points; 0 for a document without text.
        heavy: Whether that font is bold by its descriptor alone, which then means nothing.
    """

    font: str = ""
    size: float = 0.0
    heavy: bool = False

    def carries(self, line: Fragment) -> bool:
        """Whether a line is running text.

        Args:
            line: A line of the document.

        Returns:
            True for a line of some length in this font and size that is mostly letters.
        """
        if line.furniture or not line.level or len(line.text) < PARAGRAPH_LINE:
            return False
        if line.face.name != self.font or abs(line.size - self.size) > SIZE_TOLERANCE:
            return False
        return sum(map(str.isalpha, line.text)) >= LETTER_SHARE * len(line.text)


def find_body(lines: Iterable[Fragment]) -> BodyText:
    """Find the font that sets most of a document.

    Args:
        lines: All lines of all pages.

    Returns:
        The font with most characters in long lines.
    """
    counts: Counter[tuple[str, float, bool]] = Counter()
    for line in lines:
        if len(line.text) > LONG_LINE and line.level and not line.furniture:
            counts[line.face.name, line.size, line.face.heavy] += len(line.text)
    if not counts:
        return BodyText()
    font, size, heavy = counts.most_common(1)[0][0]
    return BodyText(font=font, size=size, heavy=heavy)
