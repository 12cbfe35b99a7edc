"""Putting together what PDFium cut apart: pieces of one line that follow one another on one baseline."""

from __future__ import annotations

import re

from vectree.ingest.parsers.pdfium.fragment import Fragment
from vectree.ingest.parsers.pdfium.geometry import union

TOUCHING = 1.0
"""Pieces at most this many font sizes apart are one line."""

WORD_GAP = 0.16
"""Pieces closer than this many font sizes are one word."""

NUMBER_GAP = 5.0
"""A section or list number may stand this many font sizes before its text."""

OVERLAP = 0.5
"""Share of the lower piece's height that must lie beside the other piece."""

_NUMBER = re.compile(r"(?:\d{1,3}(?:\.\d{1,3}){0,4}|[A-Z](?:\.\d{1,3}){0,3}|[IVX]{1,6})[.)]?|[•▪■◦–]")


def mend(pieces: list[Fragment]) -> list[Fragment]:
    """Join pieces of lines.

    Args:
        pieces: Lines in the order of the file.

    Returns:
        Fewer or as many lines, in the same order.
    """
    lines: list[Fragment] = []
    for piece in pieces:
        if lines and _continues(lines[-1], piece):
            lines[-1] = _join(lines[-1], piece)
        else:
            lines.append(piece)
    return lines


def _continues(line: Fragment, piece: Fragment) -> bool:
    """Whether a piece goes on where a line stopped."""
    if line.hyphen or not (line.level and piece.level):
        return False
    beside = min(line.rect[3], piece.rect[3]) - max(line.rect[1], piece.rect[1])
    if beside < OVERLAP * min(line.rect[3] - line.rect[1], piece.rect[3] - piece.rect[1]):
        return False
    size = max(line.size, piece.size, 4.0)
    gap = (piece.rect[0] - line.rect[2]) / size
    if -0.3 <= gap <= TOUCHING:
        return True
    numbered = 0 < gap <= NUMBER_GAP and bool(_NUMBER.fullmatch(line.text))
    return numbered and abs(line.size - piece.size) < 1.0


def _join(line: Fragment, piece: Fragment) -> Fragment:
    """One line from two pieces; the longer one sets size and font."""
    gap = (piece.rect[0] - line.rect[2]) / max(line.size, piece.size, 4.0)
    main = line if len(line.text) >= len(piece.text) else piece
    lead = line.lead
    return Fragment(
        text=line.text + (" " if gap > WORD_GAP else "") + piece.text,
        rect=union(line.rect, piece.rect),
        size=main.size,
        face=main.face,
        faces=(line.faces[0], main.faces[len(main.faces) // 2], piece.faces[-1]),
        hyphen=piece.hyphen,
        level=True,
        hidden=(line.hidden * len(line.text) + piece.hidden * len(piece.text))
        / (len(line.text) + len(piece.text)),
        lead=lead,
    )
