"""The words of rows: joining them, and recognising the pieces that carry only a number."""

from __future__ import annotations

from collections.abc import Sequence

from vectree.ingest.layout.body import BodyText
from vectree.ingest.numbering import readings
from vectree.ingest.rows import Row
from vectree.normal import one_line

_HYPHENS = ("-", "\u2010", "\u2011")
_MAX_NUMBER = 8


def joined(rows: Sequence[Row]) -> str:
    """The words of consecutive rows on one line.

    Args:
        rows: In reading order.

    Returns:
        One line; words broken at line ends are put together.
    """
    return join_rows([(row.text, row.line.hyphen) for row in rows])


def join_rows(texts: Sequence[tuple[str, bool]]) -> str:
    """Join lines to one, putting words broken at line ends together.

    Args:
        texts: Pairs of a line and whether a word was broken at its end.

    Returns:
        One line.
    """
    joined, broken = "", False
    for text, hyphen in texts:
        if broken:
            joined += text
        elif joined.endswith(_HYPHENS) and text[:1].islower() and joined[-2:-1].islower():
            joined = joined[:-1] + text
        elif joined.endswith((*_HYPHENS, "–", "/")) and joined[-2:-1] != " ":
            joined += text
        else:
            joined = f"{joined} {text}" if joined else text
        broken = hyphen
    return one_line(joined)


def bare_number(text: str) -> bool:
    """Whether a row is a section number whose title was split off by a wide space.

    Args:
        text: The row.

    Returns:
        True for a number alone.
    """
    return len(text) <= _MAX_NUMBER and bool(readings(f"{text} X")) and not any(map(str.islower, text))


def label_only(text: str) -> bool:
    """Whether a row is a label such as "Chapter 3" whose title stands on the next line.

    Args:
        text: The row.

    Returns:
        True for a label word with its number and nothing after it.
    """
    found = readings(text)
    return bool(found) and bool(found[0][0].label) and not found[0][1].strip()


def labels(label: Row, row: Row, body: BodyText) -> bool:
    """Whether a row such as "Chapter 3" belongs to the heading below, and is not the end of a paragraph.

    Args:
        label: A row for which ``label_only`` holds.
        row: The row below.
        body: What running text looks like.

    Returns:
        False if the row below has a number of its own, or if the label closes a sentence in the look of
        running text ("… can be found in / Appendix C.").
    """
    return not readings(row.text) and (body.stands_out(label.line) or not label.text.endswith("."))
