"""Pages that a text names as its sources, read out of its brackets.

The form is ``(Author et al., Year, doc_id, p.X)`` (Appendix F). Models also write ``pp.3-5``, ``p.3, p.7``,
and several citations in one bracket. What is certain is only ``doc_id, p.X``; author and year are not relied
on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_RANGE = 50
"""Pages of one cited range that are checked one by one; of a longer one also the last page."""

BRACKET = re.compile(r"\([^()\[\]]{3,2000}\)|\[[^()\[\]]{3,2000}\]")
"""A bracket that may hold citations; brackets inside brackets do not."""

_PAGE = r"(?:pages?\s+|pp?\.\s*|pp?(?=\d))"
_SPAN = r"\d{1,9}(?!\.?\d)(?:\s*[-\u2010-\u2015]\s*(?:pp?\.?\s*)?\d{1,9})?"
_MORE = rf"(?:\s*(?:,\s*and\b|,|&|and\b)\s*{_PAGE}?{_SPAN}(?![\w.-]*[A-Za-z]))*"
_CITED = re.compile(
    rf"""(?: (?P<doc>[A-Za-z0-9][\w.\-]{{0,99}}) [`"']? \s*,\s* | ^\s* )   # or more pages of the one before
        (?: {_PAGE} (?P<pages>{_SPAN}{_MORE}) | pp?\.\s*[A-Za-z]\w{{0,9}}\b )""",
    re.VERBOSE,
)
_FROM_TO = re.compile(r"(\d{1,9})(?:\s*[-\u2010-\u2015]\s*(?:pp?\.?\s*)?(\d{1,9}))?")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A page named in a bracket.

    Attributes:
        doc_id: The document named.
        page: The page named; 0, which no document has, where it is no number.
        text: The citation as written.
    """

    doc_id: str
    page: int
    text: str


def mentions(bracket: str) -> Iterator[Mention]:
    """The pages a bracket names, one by one. Pages without a document belong to the document before.

    Args:
        bracket: A match of ``BRACKET``.

    Yields:
        Mention: Each page named.
    """
    doc_id = ""
    for part in bracket[1:-1].split(";"):
        for match in _CITED.finditer(part):
            named = match["doc"] or ""
            if named and not (_LETTER.search(named) or re.fullmatch(r"\d{4}", named)):
                continue
            doc_id = named or doc_id
            if doc_id:
                written = f"({part.strip()})"
                yield from (
                    Mention(doc_id=doc_id, page=page, text=written) for page in _numbers(match["pages"])
                )


def _numbers(pages: str | None) -> Iterator[int]:
    """Each page of ``3-5, 7``; 0, which no document has, where a page is no number."""
    if pages is None:
        yield 0
        return
    for span in _FROM_TO.finditer(pages):
        first, last = int(span[1]), int(span[2] or span[1])
        if last < first:
            yield from (first, last)
        else:
            yield from range(first, min(last, first + MAX_RANGE - 1) + 1)
            if last >= first + MAX_RANGE:
                yield last
