"""Citations in an answer, checked: does the document exist, does the page, and was it read?"""

from __future__ import annotations

from collections.abc import Callable, Set

from vectree.agent.cited_sentences import cited_sentences
from vectree.agent.mentions import BRACKET, Mention, mentions
from vectree.evidence import Citation, CitationStatus


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
    for bracket in BRACKET.finditer(text):
        for mention in mentions(bracket[0]):
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
    return tuple(
        sentence.text
        for sentence in cited_sentences(text)
        if read.isdisjoint((mention.doc_id, mention.page) for mention in sentence.mentions)
    )


def _status(mention: Mention, read: Set[tuple[str, int]], total: int | None) -> CitationStatus:
    if total is None:
        return CitationStatus.UNKNOWN_DOCUMENT
    if not 1 <= mention.page <= total:
        return CitationStatus.NO_SUCH_PAGE
    return CitationStatus.READ if (mention.doc_id, mention.page) in read else CitationStatus.UNREAD
