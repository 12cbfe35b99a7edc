"""The one normal form of text for matching titles, quotes and names.

Verification, repair, slicing and citation checks all compare text through this module, so that a ligature,
a line-end hyphen, a markdown mark or an accent never decides differently in two places.
"""

from __future__ import annotations

import re
import unicodedata

_LIGATURES = {
    "ﬀ": "ff",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "ﬅ": "ft",
    "ﬆ": "st",
}
_SPACES = "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000\ufeff\t\x92"
_CLEAN = {
    **{ord(glyph): letters for glyph, letters in _LIGATURES.items()},
    **{ord(space): " " for space in _SPACES},
    **{ord(invisible): None for invisible in "\u00ad\u200b\u200c\u200d\ufffe\x00"},
}
_STROKES = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "þ": "th", "æ": "ae", "œ": "oe"}
)
"""Letters that Unicode does not take apart into a letter and an accent."""

_LINE_END_HYPHEN = re.compile(r"(?<=\w)[-\u2010]\s*\n\s*(?=\w)")
_NOT_WORD = re.compile(r"[\W_]+")
_SPACE_RUN = re.compile(r"\s+")


def clean(text: str) -> str:
    """Replace ligatures and odd spaces, drop invisible characters; letters and line breaks stay.

    Args:
        text: Text as extracted.

    Returns:
        The text with ordinary spaces and no ligature glyphs.
    """
    return text.translate(_CLEAN)


def one_line(text: str) -> str:
    """Clean a title or name and put it on one line.

    Args:
        text: Text that may span lines.

    Returns:
        The text with single spaces and none at its ends.
    """
    return _SPACE_RUN.sub(" ", clean(text)).strip()


def match_key(text: str) -> str:
    """The normal form under which two titles are the same.

    NFKC, case folded, line-end hyphens joined, everything but letters and digits dropped. Insensitive to
    spacing, punctuation, markdown marks and ligatures; sensitive to accents.

    Args:
        text: A title or a stretch of page text.

    Returns:
        Letters and digits only.
    """
    if text.isascii() and "\n" not in text:
        return _NOT_WORD.sub("", text.lower())  # the same by a shorter way, for most lines of most papers
    folded = unicodedata.normalize("NFKC", _LINE_END_HYPHEN.sub("", clean(text))).casefold()
    return _NOT_WORD.sub("", unicodedata.normalize("NFKC", folded))


def name_key(text: str) -> str:
    """The normal form for finding people and journals: case and accents do not matter.

    Args:
        text: A name as printed or as typed.

    Returns:
        Lower-case words without accents, single spaces between.
    """
    decomposed = unicodedata.normalize("NFKD", clean(text).casefold().translate(_STROKES))
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return _NOT_WORD.sub(" ", bare).strip()
