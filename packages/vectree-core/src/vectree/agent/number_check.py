"""Numbers of an answer, looked up on the pages that the sentence cites.

A number that is not found is no proof of an error: it may be rounded, computed, counted, or stand in a figure.
It is one that a reader should look at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set

from vectree.agent.cited_sentences import CitedSentence, cited_sentences
from vectree.agent.numerals import Numeral, numerals, values_on_page
from vectree.document import Page
from vectree.errors import UnknownDocument
from vectree.evidence import UnfoundNumber

_PAGE_REFERENCE = re.compile(r"\b(?:pages?|pp?\.)\s*\d+(?:\s*[-,–]\s*\d+)*", re.IGNORECASE)
_ENUMERATOR = re.compile(r"\(\d{1,2}\)")
_ORDINAL = re.compile(r"\b\d+(?:st|nd|rd|th)\b")
_YEAR = re.compile(r"\b\d{4}\b")


def unfound_numbers(
    text: str, *, read: Set[tuple[str, int]], page: Callable[[str, int], Page]
) -> tuple[UnfoundNumber, ...]:
    """Look up the numbers of every sentence that cites pages which were read.

    Page references, numbers of a list, ordinals and the years of the sentence's own citations are left out.
    What cites only papers that were removed during the run cannot be looked up.

    Args:
        text: The answer.
        read: (doc_id, page) pairs that were read.
        page: Reads a page; `UnknownDocument` says that its paper is gone.

    Returns:
        The numbers that stand on none of the pages their sentence cites, in order.
    """
    known: dict[tuple[str, int], frozenset[str] | None] = {}

    def values(source: tuple[str, int]) -> frozenset[str] | None:
        if source not in known:
            known[source] = _values(page, source)
        return known[source]

    unfound: dict[tuple[str, str], UnfoundNumber] = {}
    for sentence in cited_sentences(text):
        cited = tuple(dict.fromkeys((mention.doc_id, mention.page) for mention in sentence.mentions))
        sources = tuple(source for source in cited if source in read and values(source) is not None)
        if not sources:
            continue
        held = frozenset[str]().union(*(values(source) or () for source in sources))
        for numeral in _claimed(sentence):
            if held.isdisjoint(numeral.values):
                missing = UnfoundNumber(number=numeral.text, sentence=sentence.text, pages=sources)
                unfound.setdefault((numeral.text, sentence.text), missing)
    return tuple(unfound.values())


def _values(page: Callable[[str, int], Page], source: tuple[str, int]) -> frozenset[str] | None:
    """Every number on a page; ``None`` if its paper is gone."""
    try:
        found = page(*source)
    except UnknownDocument:
        return None
    return values_on_page(found.text, found.raw)


def _claimed(sentence: CitedSentence) -> Iterator[Numeral]:
    """The numbers that a sentence states about the papers."""
    claim = sentence.claim
    for incidental in (_PAGE_REFERENCE, _ENUMERATOR, _ORDINAL):
        claim = incidental.sub(" ", claim)
    years = {year for mention in sentence.mentions for year in _YEAR.findall(mention.text)}
    for numeral in numerals(claim):
        if numeral.text not in years:
            yield numeral
