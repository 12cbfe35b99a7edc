"""Which sentences answer the question best: word overlap, weighted by rarity within the pages read."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from vectree.agent.payloads.page_text import QuotedPage
from vectree.sentences import sentences
from vectree.words import content_words, words

MIN_WORDS = 5
MAX_WORDS = 90
_IDEAL_WORDS = 28
_HEADING_WEIGHT = 0.3
_NEIGHBOUR_WEIGHT = 0.2
_PAIR_WEIGHT = 0.5
_NUMBER_FACTOR = 1.3
_MIN_SHARE_OF_BEST = 0.5
_MAX_SHARED = 0.6

_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
_MARKS = re.compile(
    r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|`|<su[bp]>|</su[bp]>|^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+",
    re.M,
)
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*)")
_REFERENCES = re.compile(r"[\dIVX.\s]*(?:references?|bibliography|literature cited)\W*$", re.IGNORECASE)
_REFERENCE_LIKE = re.compile(
    r"\bdoi\b|\bet al\.,? \d{4}[a-z]?\.|\bpp?\. ?\d+[-–]\d+|https?://|\b\d+, ?\d+[-–]\d+\b"
)
_NUMBER = re.compile(r"(?<![\w\[])[~≈<>±−-]?\d+(?:[.,]\d+)?(?![\w\]])")
_STOP = re.compile(r"[.!?。！？][\"'”’)\]]*$")
_SUFFIX = re.compile(
    r"(?:ations?|ition|ing|edly|ed|ies|ally|ly|ness|ments?|ities|ity|als?|ives?|ers?|es|s|e|y)$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A sentence of a page that was read.

    Attributes:
        doc_id: The document.
        key: Author and year for a citation.
        page: Physical page.
        text: The sentence, verbatim but for white space and markdown marks.
        weight: How well it matches the question.
        stems: Its content word stems.
    """

    doc_id: str
    key: str
    page: int
    text: str
    weight: float
    stems: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A sentence with its surroundings."""

    page: QuotedPage
    text: str
    heading: str
    stems: tuple[str, ...]


def stem(word: str) -> str:
    """Cut common English endings, so that ``conducts`` and ``conducting`` agree.

    Args:
        word: An index word.

    Returns:
        At least three letters of it; words with digits stay whole.
    """
    if len(word) < 5 or not word.isalpha() or not word.isascii():
        return word
    short = _SUFFIX.sub("", word)
    return short if len(short) >= 4 else word[: max(4, len(word) - 1)].rstrip("s")


def rank_quotes(question: str, pages: Sequence[QuotedPage], *, wants_number: bool) -> list[Quote]:
    """Rank the sentences of pages by how well they match a question.

    Args:
        question: The question.
        pages: Pages that were read.
        wants_number: Whether sentences with numbers are preferred.

    Returns:
        Matching sentences, best first.
    """
    lines = [line for page in pages for line in _lines(page)]
    asked = [stem(word) for word in content_words(question)]
    weights = _weights(asked, lines)
    pairs = set(itertools.pairwise(asked))
    own = [_own_weight(line, weights, pairs) for line in lines]
    ranked: list[tuple[float, int]] = []
    for place, line in enumerate(lines):
        if not own[place]:
            continue
        weight = own[place] + _HEADING_WEIGHT * _sum(_stems(line.heading), weights)
        for other in (place - 1, place + 1):
            if 0 <= other < len(lines) and lines[other].page.number == line.page.number:
                weight += _NEIGHBOUR_WEIGHT * min(own[other], own[place])
        if wants_number and _NUMBER.search(line.text):
            weight *= _NUMBER_FACTOR
        ranked.append((weight * _shape(line), place))
    ranked.sort(key=lambda pair: (-pair[0], pair[1]))
    return [_quote(lines[place], weight) for weight, place in ranked]


def coverage(question: str, quotes: Sequence[Quote], pages: Sequence[QuotedPage]) -> float:
    """The share of a question's words, weighted by rarity in the pages, that some sentences contain.

    Args:
        question: The question.
        quotes: The sentences.
        pages: All pages read.

    Returns:
        0 to 1; 0 if the question has no content words.
    """
    asked = [stem(word) for word in content_words(question)]
    weights = _weights(asked, [line for page in pages for line in _lines(page)])
    total = sum(weights.values())
    covered = {word for quote in quotes for word in quote.stems} & set(weights)
    return sum(weights[word] for word in covered) / total if total else 0.0


def choose_quotes(ranked: Sequence[Quote], most: int) -> list[Quote]:
    """Take the best sentences that do not repeat one another.

    Args:
        ranked: Sentences, best first.
        most: How many to take.

    Returns:
        Up to ``most`` sentences, best first.
    """
    chosen: list[Quote] = []
    for quote in ranked:
        if len(chosen) == most or quote.weight < _MIN_SHARE_OF_BEST * ranked[0].weight:
            break
        if all(_shared(quote, other) < _MAX_SHARED for other in chosen):
            chosen.append(quote)
    return chosen


def _lines(page: QuotedPage) -> list[_Line]:
    """The sentences of a page, without headings, tables, image references and reference lists."""
    found: list[_Line] = []
    heading, skipping = "", False
    for block in re.split(r"\n(?=\s{0,3}#{1,6}\s)|\n\s*\n", _IMAGE.sub("", page.text)):
        text = block
        if head := _HEADING.match(block):
            heading = head[1].strip()
            skipping = _REFERENCES.match(heading) is not None
            text = block[head.end() :]
        if skipping:
            continue
        prose = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("|"))
        for sentence in sentences(_MARKS.sub("", prose)):
            if MIN_WORDS <= len(words(sentence)) <= MAX_WORDS:
                found.append(_Line(page=page, text=sentence, heading=heading, stems=tuple(_stems(sentence))))
    return found


def _stems(text: str) -> list[str]:
    return [stem(word) for word in content_words(text)]


def _weights(asked: Sequence[str], lines: Sequence[_Line]) -> dict[str, float]:
    """Rarity of the question's words among the sentences read."""
    wanted = set(asked)
    frequency = Counter(word for line in lines for word in wanted.intersection(line.stems))
    return {word: math.log(1 + (len(lines) + 1) / (frequency[word] + 0.5)) for word in wanted}


def _own_weight(line: _Line, weights: dict[str, float], pairs: set[tuple[str, str]]) -> float:
    together = [pair for pair in itertools.pairwise(line.stems) if pair in pairs]
    return _sum(line.stems, weights) + _PAIR_WEIGHT * sum(
        min(weights[first], weights[second]) for first, second in set(together)
    )


def _sum(stems: Sequence[str], weights: dict[str, float]) -> float:
    return sum(weights[word] for word in set(stems) if word in weights)


def _shape(line: _Line) -> float:
    """Prefers whole sentences of ordinary length; fragments and entries of reference lists are worth less."""
    length = len(words(line.text))
    factor = 1.0 / (1.0 + max(0, length - _IDEAL_WORDS) / 60)
    if not _STOP.search(line.text):
        factor *= 0.6
    if line.text[0].islower():
        factor *= 0.8
    if len(_REFERENCE_LIKE.findall(line.text)) > 1:
        factor *= 0.3
    if line.text.endswith("?"):
        factor *= 0.7
    return factor


def _quote(line: _Line, weight: float) -> Quote:
    return Quote(
        doc_id=line.page.doc_id,
        key=line.page.key,
        page=line.page.number,
        text=line.text,
        weight=weight,
        stems=frozenset(line.stems),
    )


def _shared(quote: Quote, other: Quote) -> float:
    smaller = min(len(quote.stems), len(other.stems))
    return len(quote.stems & other.stems) / smaller if smaller else 1.0
