"""The sentences of an answer, each with the pages it cites.

A citation belongs to the sentence it stands in or directly after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vectree.agent.mentions import BRACKET, Mention, mentions
from vectree.sentences import sentences

_QUOTE = re.compile(r"“[^“”\n]{1,4000}”")
_QUOTE_MARK = re.compile(r"\ue000(\d+)\ue001([.!?]?)")
_CITATION_MARK = re.compile(r"\ue002(\d+)\ue001")
_LEADING = re.compile(r"(?:\ue002\d+\ue001[\s.,;]*)+")
_MARKS = re.compile("[\ue000-\ue002]")
_LETTER = re.compile(r"[^\W\d_]")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSentence:
    """A sentence that states something.

    Attributes:
        text: As written, without the mark of a list item.
        claim: The same without its citations.
        mentions: The pages it cites, in order.
    """

    text: str
    claim: str
    mentions: tuple[Mention, ...]


def cited_sentences(text: str) -> Iterator[CitedSentence]:
    """Take an answer apart.

    Headings, and lines that end with a colon and only introduce what follows, are no statements.

    Args:
        text: The answer.

    Yields:
        CitedSentence: Each sentence in order.
    """
    masked, kept = _mask(text)
    for sentence in _with_trailing_citations(sentences(masked)):
        bare = _ITEM.sub("", _unmask(sentence, kept))
        if _is_statement(bare):
            cited = [kept[int(mark)] for mark in _CITATION_MARK.findall(sentence)]
            yield CitedSentence(
                text=bare,
                claim=_ITEM.sub("", _unmask(_CITATION_MARK.sub(" ", sentence), kept)),
                mentions=tuple(mention for bracket in cited for mention in mentions(bracket)),
            )


def _mask(text: str) -> tuple[str, list[str]]:
    """Put a mark in place of each quotation and each citation, so that no sentence is split inside one.

    A copy of a quotation's final stop is left after its mark, since the sentence around it may end there too.
    """
    kept: list[str] = []

    def quotation(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\ue000{len(kept) - 1}\ue001{match[0][-2] if match[0][-2] in '.!?' else ''}"

    def citation(match: re.Match[str]) -> str:
        if next(mentions(match[0]), None) is None:
            return match[0]
        kept.append(match[0])
        return f"\ue002{len(kept) - 1}\ue001"

    return BRACKET.sub(citation, _QUOTE.sub(quotation, _MARKS.sub(" ", text))), kept


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
