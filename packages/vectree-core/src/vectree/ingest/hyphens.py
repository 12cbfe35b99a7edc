"""Putting words together that were broken at line ends.

A hyphen at a line end is either the printer's, to be dropped, or the word's own, to be kept. The document
itself knows: the form it uses elsewhere wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from vectree.ingest.rows import PageRows

_WORD = re.compile(r"[^\W_]+(?:[-\u2010\u2011][^\W_]+)*")
_LAST = re.compile(r"[^\W_]+(?:[-\u2010\u2011][^\W_]+)*$")
_FIRST = re.compile(r"^[^\W_]+(?:[-\u2010\u2011][^\W_]+)*")
_MAX_WORD = 80
_HYPHENS = ("-", "\u2010", "\u2011")


class Hyphens:
    """Joins lines by the words a document uses.

    Args:
        pages: Rows of every page.
    """

    def __init__(self, pages: Iterable[PageRows]) -> None:
        self._words: set[str] = set()
        for page in pages:
            for row in page.rows:
                found = _WORD.findall(row.text)
                self._words.update(found[1:-1] if row.line.hyphen else found[1:])

    def join(self, above: str, below: str, *, broken: bool) -> str:
        """Join two lines of a paragraph.

        Args:
            above: Text so far, without a hyphen the reader recognised as the printer's.
            below: The next line.
            broken: Whether the reader saw a word broken at the end of the first.

        Returns:
            Both, with a space between unless a word goes on.
        """
        if broken:
            return above + self._link(above, below, default="") + below
        if above.endswith(_HYPHENS) and above[-2:-1].isalnum() and below[:1].isalnum():
            bare = above[:-1]
            return bare + self._link(bare, below, default="-") + below
        return f"{above} {below}" if above else below

    def _link(self, above: str, below: str, *, default: str) -> str:
        """What stands between the two parts of a word: a hyphen or nothing."""
        left, right = _LAST.search(above[-_MAX_WORD:]), _FIRST.search(below[:_MAX_WORD])
        if left is None or right is None:
            return default
        first, second = left.group(), right.group()
        whole, hyphenated = first + second, f"{first}-{second}"
        if whole in self._words and hyphenated not in self._words:
            return ""
        compound = any(mark in second for mark in _HYPHENS)
        if compound or hyphenated in self._words or first.isupper() or first.isdigit() or second[0].isupper():
            return "-"
        return default
