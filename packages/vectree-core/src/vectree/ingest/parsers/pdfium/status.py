"""What a page's text layer is worth."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass

from vectree.document import TextStatus
from vectree.ingest.parsers.pdfium.glyphs import HYPHEN

FEWEST_CHARACTERS = 25
"""Fewer visible characters than this are no text layer, where an image or a drawing fills the page."""

SCAN_COVER = 0.4
"""Share of the page one image must cover to make a page without text a scan."""

FIGURE_COVER = 0.05
FIGURE_PATHS = 300
HIDDEN_SHARE = 0.9
OCR_COVER = 0.5
BAD_SHARE = 0.03
MOST_BAD = 6
LEAST_ALPHANUMERIC = 0.35

_BAD_CATEGORIES = frozenset(("Co", "Cn", "Cc", "Cs"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What is drawn on a page besides text.

    Attributes:
        image: Share of the page under its largest image, 0 to 1.
        paths: Number of drawn paths.
    """

    image: float = 0.0
    paths: int = 0


def text_status(chars: str, coverage: Coverage, hidden_share: float) -> TextStatus:
    """Classify a page.

    Args:
        chars: The characters of the page, as ``Glyphs`` has them.
        coverage: What else is drawn.
        hidden_share: Share of the text that is drawn invisibly.

    Returns:
        The status; ``GARBLED`` and ``OCR_LAYER`` pages still have text that can be used with care.
    """
    visible = {char: count for char, count in Counter(chars).items() if not char.isspace()}
    total = sum(visible.values())
    if total < FEWEST_CHARACTERS:
        if coverage.image > SCAN_COVER:
            return TextStatus.SCAN
        drawn = coverage.image > FIGURE_COVER or coverage.paths > FIGURE_PATHS
        if drawn:
            return TextStatus.FIGURE_ONLY
        # A page number alone is a blank page; a few words, such as a part's title, are text.
        return TextStatus.TEXT if any(char.isalpha() for char in visible) else TextStatus.BLANK
    if is_garbled(visible):
        return TextStatus.GARBLED
    if hidden_share > HIDDEN_SHARE and coverage.image > OCR_COVER:
        return TextStatus.OCR_LAYER
    return TextStatus.TEXT


def is_garbled(counts: dict[str, int]) -> bool:
    """Whether the characters are not the letters a reader sees.

    Args:
        counts: Visible characters and how often they occur.

    Returns:
        True if too many are private, unassigned or control codes, or too few are letters and digits
        (dot leaders of a table of contents do not count).
    """
    total = sum(counts.values())
    bad = sum(count for char, count in counts.items() if _is_bad(char))
    if bad > max(MOST_BAD, BAD_SHARE * total):
        return True
    leaders = max(counts.get(".", 0) - total // 20, 0)
    alphanumeric = sum(count for char, count in counts.items() if char.isalnum())
    return alphanumeric < LEAST_ALPHANUMERIC * max(total - leaders, 1)


def _is_bad(char: str) -> bool:
    """Private use, unassigned, control, replacement; PDFium's hyphen mark is none of them."""
    return char != HYPHEN and (char == "\ufffd" or unicodedata.category(char) in _BAD_CATEGORIES)
