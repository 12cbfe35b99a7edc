"""The sentences of an answer, each with the pages it cites."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

from vectree.agent.citations import check_citations
from vectree.evaluate.records import Unit
from vectree.sentences import sentences

_BRACKET = re.compile(r"\([^()\[\]]{3,2000}\)|\[[^()\[\]]{3,2000}\]")
_MARK = re.compile("\ue000(\\d+)\ue001")
_LETTER = re.compile(r"[^\W\d_]")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_MANY = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSentence:
    """A sentence that states something.

    Attributes:
        text: As written, without its citations.
        units: Pages it cites that were read, in order; empty if there are none.
    """

    text: str
    units: tuple[Unit, ...]


def cited_sentences(answer: str, read: Set[Unit]) -> tuple[CitedSentence, ...]:
    """Find the sentences of an answer and what each of them cites.

    A citation belongs to the sentence it stands in or directly after. Headings, and lines that only introduce
    what follows, are left out.

    Args:
        answer: The answer.
        read: Pages that were read.

    Returns:
        Sentences in order.
    """
    kept: list[tuple[Unit, ...]] = []

    def mark(bracket: re.Match[str]) -> str:
        cited = check_citations(bracket[0], read=frozenset(), total_pages=lambda _: _MANY)
        if not cited:
            return bracket[0]
        kept.append(tuple((citation.doc_id, citation.page) for citation in cited))
        return f"\ue000{len(kept) - 1}\ue001"

    found: list[CitedSentence] = []
    for sentence in sentences(_BRACKET.sub(mark, answer.replace("\ue000", " "))):
        units = [unit for number in _MARK.findall(sentence) for unit in kept[int(number)] if unit in read]
        text = " ".join(_MARK.sub("", sentence).split())
        if found and not _LETTER.search(text):
            units = [*found[-1].units, *units]
            text = found.pop().text
        elif _HEADING.match(sentence) or text.rstrip("*_ ").endswith(":") or not _LETTER.search(text):
            continue
        found.append(CitedSentence(text=text, units=tuple(dict.fromkeys(units))))
    return tuple(found)


def without_citations(answer: str) -> str:
    """An answer without the brackets that cite pages, for comparing its words with a reference.

    Args:
        answer: The answer.

    Returns:
        The text.
    """

    def drop(bracket: re.Match[str]) -> str:
        cited = check_citations(bracket[0], read=frozenset(), total_pages=lambda _: _MANY)
        return "" if cited else bracket[0]

    return re.sub(r"\s+([.,;:!?])", r"\1", _BRACKET.sub(drop, answer)).strip()
