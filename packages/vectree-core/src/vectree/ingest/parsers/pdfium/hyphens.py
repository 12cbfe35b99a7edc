"""Words broken at line ends: is the hyphen the printer's, or does the word have one?

PDFium drops the hyphen either way. Joined blindly, "yeast-based" broken after its hyphen would become
"yeastbased", and a search for either word would miss it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from vectree.ingest.parsers.pdfium.fragment import Fragment

LOOK_AHEAD = 200
"""Lines after a broken word among which its other half is sought; a figure may stand between."""

SIZE_TOLERANCE = 0.7
SHORTEST_WORD = 4
"""Parts of at least this many letters, each used alone elsewhere, are words joined by a hyphen."""

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_BROKEN = re.compile(r"\S+-\n\S+")
_LAST = re.compile(r"[^\W_]+(?:-[^\W_]+)*-?$")
_FIRST = re.compile(r"^[^\W_]+(?:-[^\W_]+)*")
_HYPHENS = "-\u2010"


def mend_hyphens(pages: list[list[Fragment]], raws: list[str]) -> None:
    """Decide about every hyphen at a line end.

    A line that breaks a word gets ``hyphen``; its text keeps the hyphen only where the word has one. In
    both cases the next line continues it without a space.

    Args:
        pages: Lines of every page in reading order.
        raws: Text of every page, from which the document's words are counted.
    """
    breaks = list(_breaks([line for lines in pages for line in lines]))
    if not breaks:
        return
    words = count_words(raws)
    for line, following, adjacent in breaks:
        stem = line.text.rstrip(_HYPHENS)
        left, right = _LAST.search(stem), _FIRST.match(following.text)
        if left is None or right is None:
            continue
        line.hyphen = True
        keep = keeps_hyphen(left.group(), right.group(), words, adjacent=adjacent)
        line.text = f"{stem}-" if keep else stem


def count_words(raws: list[str]) -> Counter[str]:
    """Count the words of a document, leaving out those that a line end breaks.

    Args:
        raws: Text of every page; broken words end in a hyphen and a line break.

    Returns:
        Case-folded words, hyphenated ones whole.
    """
    return Counter(word.casefold() for raw in raws for word in _WORD.findall(_BROKEN.sub(" ", raw)))


def keeps_hyphen(left: str, right: str, words: Counter[str], *, adjacent: bool = True) -> bool:
    """Whether a word broken after a hyphen is written with one.

    Args:
        left: The part before the break, without the hyphen.
        right: The part after it.
        words: How often the document uses a word elsewhere, case folded.
        adjacent: Whether the parts stand on neighbouring lines, so that they surely belong together.

    Returns:
        True if the document says so, or the parts look like words of their own.
    """
    joined, hyphenated = words[f"{left}{right}".casefold()], words[f"{left}-{right}".casefold()]
    if joined or hyphenated:
        return hyphenated > joined
    if "-" in left or any(char.isdigit() or char.isupper() for char in left[1:]):
        return True
    if not left.isascii() and len(left) == 1:
        return True
    if not right[0].islower():
        return adjacent
    other = right.partition("-")[0]
    alone = min(words[left.casefold()], words[other.casefold()]) > 0
    return alone and min(len(left), len(other)) >= SHORTEST_WORD


def _breaks(lines: list[Fragment]) -> Iterator[tuple[Fragment, Fragment, bool]]:
    """Lines that end in a broken word, the line that continues each, and whether that is the next one."""
    for at, line in enumerate(lines):
        if line.furniture or not line.level or not (line.hyphen or _ends_in_hyphen(line.text)):
            continue
        for ahead, other in enumerate(lines[at + 1 : at + 1 + LOOK_AHEAD]):
            alike = abs(other.size - line.size) <= SIZE_TOLERANCE
            if alike and other.level and not other.furniture:
                yield line, other, ahead == 0
                break


def _ends_in_hyphen(text: str) -> bool:
    """Whether a line ends in a letter and a hyphen."""
    return len(text) > 2 and text[-1] in _HYPHENS and text[-2].isalpha()
