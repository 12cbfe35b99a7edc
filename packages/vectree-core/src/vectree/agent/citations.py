"""Citations in an answer, checked: does the document exist, does the page, and was it read?

The form is ``(Author et al., Year, doc_id, p.X)`` (Appendix F). Models also write ``pp.3-5``, ``p.3, p.7``,
and several citations in one bracket. What is certain is only ``doc_id, p.X``; author and year are not relied
on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass

from vectree.evidence import Citation, CitationStatus
from vectree.sentences import sentences

MAX_RANGE = 50
"""Pages of one cited range that are checked one by one; of a longer one also the last page."""

_BRACKET = re.compile(r"\([^()\[\]]{3,2000}\)|\[[^()\[\]]{3,2000}\]")
_PAGE = r"(?:pages?\s+|pp?\.\s*|pp?(?=\d))"
_SPAN = r"\d{1,9}(?!\.?\d)(?:\s*[-\u2010-\u2015]\s*(?:pp?\.?\s*)?\d{1,9})?"
_MORE = rf"(?:\s*(?:,\s*and\b|,|&|and\b)\s*{_PAGE}?{_SPAN}(?![\w.-]*[A-Za-z]))*"
_CITED = re.compile(
    rf"""(?: (?P<doc>[A-Za-z0-9][\w.\-]{{0,99}}) [`"']? \s*,\s* | ^\s* )   # or more pages of the one before
        (?: {_PAGE} (?P<pages>{_SPAN}{_MORE}) | pp?\.\s*[A-Za-z]\w{{0,9}}\b )""",
    re.VERBOSE,
)
_FROM_TO = re.compile(r"(\d{1,9})(?:\s*[-\u2010-\u2015]\s*(?:pp?\.?\s*)?(\d{1,9}))?")
_QUOTE = re.compile(r"“[^“”\n]{1,4000}”")
_QUOTE_MARK = re.compile(r"\ue000(\d+)\ue001([.!?]?)")
_CITATION_MARK = re.compile(r"\ue002(\d+)\ue001")
_LEADING = re.compile(r"(?:\ue002\d+\ue001[\s.,;]*)+")
_MARKS = re.compile("[\ue000-\ue002]")
_LETTER = re.compile(r"[^\W\d_]")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mention:
    """A page named in a bracket."""

    doc_id: str
    page: int
    text: str


def check_citations(
    text: str, *, read: Set[tuple[str, int]], total_pages: Callable[[str], int | None]
) -> tuple[Citation, ...]:
    """Find every citation in an answer and check it.

    Args:
        text: The answer.
        read: (doc_id, page) pairs that were read.
        total_pages: Number of pages of a document, ``None`` for an unknown one.

    Returns:
        One citation for each distinct document and page, in order of appearance.
    """
    totals: dict[str, int | None] = {}
    found: dict[tuple[str, int], Citation] = {}
    for bracket in _BRACKET.finditer(text):
        for mention in _mentions(bracket[0]):
            if mention.doc_id not in totals:
                totals[mention.doc_id] = total_pages(mention.doc_id)
            key = (mention.doc_id, mention.page)
            status = _status(mention, read, totals[mention.doc_id])
            found.setdefault(key, Citation(doc_id=key[0], page=key[1], status=status, text=mention.text))
    return tuple(found.values())


def uncited_sentences(text: str, *, read: Set[tuple[str, int]]) -> tuple[str, ...]:
    """The sentences of an answer that carry no citation of a page that was read.

    A citation belongs to the sentence it stands in or directly after. Headings, and lines that end with a
    colon and only introduce what follows, are no statements.

    Args:
        text: The answer.
        read: (doc_id, page) pairs that were read.

    Returns:
        Sentences in order, as written.
    """
    masked, kept = _mask(text)
    uncited: list[str] = []
    for sentence in _with_trailing_citations(sentences(masked)):
        cited = {
            (mention.doc_id, mention.page)
            for mark in _CITATION_MARK.findall(sentence)
            for mention in _mentions(kept[int(mark)])
        }
        bare = _ITEM.sub("", _unmask(sentence, kept))
        if cited.isdisjoint(read) and _is_statement(bare):
            uncited.append(bare)
    return tuple(uncited)


def _mentions(bracket: str) -> Iterator[_Mention]:
    """The pages a bracket names, one by one. Pages without a document belong to the document before."""
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
                    _Mention(doc_id=doc_id, page=page, text=written) for page in _numbers(match["pages"])
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


def _status(mention: _Mention, read: Set[tuple[str, int]], total: int | None) -> CitationStatus:
    if total is None:
        return CitationStatus.UNKNOWN_DOCUMENT
    if not 1 <= mention.page <= total:
        return CitationStatus.NO_SUCH_PAGE
    return CitationStatus.READ if (mention.doc_id, mention.page) in read else CitationStatus.UNREAD


def _mask(text: str) -> tuple[str, list[str]]:
    """Put a mark in place of each quotation and each citation, so that no sentence is split inside one.

    A copy of a quotation's final stop is left after its mark, since the sentence around it may end there too.
    """
    kept: list[str] = []

    def quotation(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\ue000{len(kept) - 1}\ue001{match[0][-2] if match[0][-2] in '.!?' else ''}"

    def citation(match: re.Match[str]) -> str:
        if next(_mentions(match[0]), None) is None:
            return match[0]
        kept.append(match[0])
        return f"\ue002{len(kept) - 1}\ue001"

    return _BRACKET.sub(citation, _QUOTE.sub(quotation, _MARKS.sub(" ", text))), kept


def _unmask(masked: str, kept: list[str]) -> str:
    text = _CITATION_MARK.sub(lambda mark: kept[int(mark[1])], masked)
    return _QUOTE_MARK.sub(
        lambda mark: kept[int(mark[1])] + ("" if kept[int(mark[1])][-2] == mark[2] else mark[2]), text
    )


def _with_trailing_citations(parts: list[str]) -> Iterator[str]:
    """Sentences, each with the citations that stand between it and the next one.

    A citation that opens a part belongs to the sentence before, unless the part goes on in lower case.
    """
    current = ""
    for part in parts:
        leading = _LEADING.match(part) if current else None
        if leading and not part[leading.end() : leading.end() + 1].islower():
            current, part = f"{current} {leading[0].strip()}", part[leading.end() :]
        if not part:
            continue
        if current:
            yield current
        current = part
    if current:
        yield current


def _is_statement(sentence: str) -> bool:
    """Whether a sentence states anything: no heading, no rule, no line that only introduces a list."""
    if _HEADING.match(sentence) or sentence.rstrip("*_ ").endswith(":"):
        return False
    return len(_LETTER.findall(sentence)) > 1
