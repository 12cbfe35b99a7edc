"""Which sentences answer the question best: word overlap, weighted by rarity within the pages read."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vectree.agent.extractive.prose import Sentence, page_sentences, stems
from vectree.agent.payloads.page_text import QuotedPage
from vectree.search.vocabulary import relatives

_NEEDED_WORDS = 2
_IDEAL_WORDS = 28
_JOINED_WORDS = 60
_HEADING_WEIGHT = 0.3
_NEIGHBOUR_WEIGHT = 0.2
_PAIR_WEIGHT = 0.5
_NUMBER_FACTOR = 1.3
_MIN_SHARE_OF_BEST = 0.5
_MAX_SHARED = 0.6

_REFERENCE_LIKE = re.compile(
    r"\bdoi\b|\bet al\.,? \d{4}[a-z]?\.|\bpp?\. ?\d+[-–]\d+|https?://|\b\d+, ?\d+[-–]\d+\b"
)
_CAPTION = re.compile(
    r"(?:supplementary\s+)?(?:fig(?:ure)?|table|scheme)\.?\s*\w{1,4}\b|\([a-zA-Z]\)\s", re.IGNORECASE
)
_NUMBER = re.compile(r"(?<![\w\[])[~≈<>±−-]?\d+(?:[.,]\d+)?(?![\w\]])")
_STOP = re.compile(r"[.!?。！？][\"'”’)\]]*$")
_GOES_ON = re.compile(r"(?:this|these|those|such|both|the latter)\b", re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"(?:this|these|those|such|both|the latter|they|it|its|their|however|in contrast|by contrast|thus|hence|"
    r"therefore)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """What is quoted from a page that was read: a sentence, with the one it needs to be understood.

    Attributes:
        doc_id: The document.
        key: Author and year for a citation.
        page: Physical page.
        text: Verbatim but for white space and markdown marks.
        weight: How well the sentence matches the question.
        stems: Stems of its content words.
    """

    doc_id: str
    key: str
    page: int
    text: str
    weight: float
    stems: frozenset[str]


def rank_quotes(question: str, pages: Sequence[QuotedPage], *, wants_number: bool) -> list[Quote]:
    """Rank the sentences of pages by how well they match a question.

    A sentence that shares a single word with a question of three or more says nothing on it and is left
    out; its heading counts too.

    Args:
        question: The question.
        pages: Pages that were read.
        wants_number: Whether sentences with numbers are preferred.

    Returns:
        Matching sentences, best first.
    """
    lines = [sentence for page in pages for sentence in page_sentences(page)]
    asked = stems(question)
    weights = _rarity(asked, lines)
    needed = _NEEDED_WORDS if len(weights) > _NEEDED_WORDS else 1
    pairs = set(itertools.pairwise(asked))
    own = [_overlap(line, weights, pairs) for line in lines]
    ranked: list[tuple[float, int]] = []
    for place, line in enumerate(lines):
        heading = stems(line.heading)
        if not own[place] or len(weights.keys() & {*line.stems, *heading}) < needed:
            continue
        weight = own[place] + _HEADING_WEIGHT * _sum(heading, weights)
        for other in (place - 1, place + 1):
            if 0 <= other < len(lines) and lines[other].page is line.page:
                weight += _NEIGHBOUR_WEIGHT * min(own[other], own[place])
        if wants_number and _NUMBER.search(line.text):
            weight *= _NUMBER_FACTOR
        ranked.append((weight * _shape(line), place))
    ranked.sort(key=lambda pair: (-pair[0], pair[1]))
    return [_quote(lines, place, weight) for weight, place in ranked]


def coverage(question: str, quotes: Sequence[Quote], pages: Sequence[QuotedPage]) -> float:
    """The share of a question's words, weighted by rarity in the pages, that some quotations contain.

    What papers call the same thing counts as well: a question about a corpus is covered by a "dataset".

    Args:
        question: The question.
        quotes: The quotations.
        pages: All pages read.

    Returns:
        0 to 1; 0 if the question has no content words.
    """
    weights = _rarity(stems(question), [line for page in pages for line in page_sentences(page)])
    total = sum(weights.values())
    held = {word for quote in quotes for word in quote.stems}
    covered = (word for word in weights if word in held or held & relatives(word))
    return _sum(covered, weights) / total if total else 0.0


def choose_quotes(ranked: Sequence[Quote], most: int) -> list[Quote]:
    """Take the best quotations that do not repeat one another.

    Args:
        ranked: Quotations, best first.
        most: How many to take.

    Returns:
        Up to ``most`` of them, best first.
    """
    chosen: list[Quote] = []
    for quote in ranked:
        if len(chosen) == most or quote.weight < _MIN_SHARE_OF_BEST * ranked[0].weight:
            break
        if all(_shared(quote, other) < _MAX_SHARED for other in chosen):
            chosen.append(quote)
    return chosen


def _rarity(asked: Iterable[str], lines: Sequence[Sentence]) -> dict[str, float]:
    """Weights of the question's words: the fewer of the sentences read have one, the more it weighs."""
    wanted = set(asked)
    frequency = Counter(word for line in lines for word in wanted.intersection(line.stems))
    return {word: math.log(1 + (len(lines) + 1) / (frequency[word] + 0.5)) for word in wanted}


def _overlap(line: Sentence, weights: Mapping[str, float], pairs: set[tuple[str, str]]) -> float:
    together = {pair for pair in itertools.pairwise(line.stems) if pair in pairs}
    return _sum(line.stems, weights) + _PAIR_WEIGHT * sum(
        min(weights[first], weights[second]) for first, second in together
    )


def _sum(words: Iterable[str], weights: Mapping[str, float]) -> float:
    return sum(weights[word] for word in sorted(set(words)) if word in weights)


def _shape(line: Sentence) -> float:
    """Prefers whole sentences of ordinary length; fragments, captions and references are worth less."""
    factor = 1.0 / (1.0 + max(0, line.length - _IDEAL_WORDS) / 60)
    if not _STOP.search(line.text):
        factor *= 0.6
    if line.text[0].islower():
        factor *= 0.8
    if _CAPTION.match(line.text):
        factor *= 0.7
    if len(_REFERENCE_LIKE.findall(line.text)) > 1:
        factor *= 0.3
    if line.text.endswith("?"):
        factor *= 0.7
    return factor


def _quote(lines: Sequence[Sentence], place: int, weight: float) -> Quote:
    """A sentence, with the one before it if it points back, or the one after it if that points back to it."""
    line = lines[place]
    parts = [line]
    before = lines[place - 1] if place else None
    after = lines[place + 1] if place + 1 < len(lines) else None
    if before and line.follows(before) and _POINTS_BACK.match(line.text):
        parts.insert(0, before)
    elif after and after.follows(line) and _GOES_ON.match(after.text):
        parts.append(after)
    if sum(part.length for part in parts) > _JOINED_WORDS:
        parts = [line]
    return Quote(
        doc_id=line.page.doc_id,
        key=line.page.key,
        page=line.page.number,
        text=" ".join(part.text for part in parts),
        weight=weight,
        stems=frozenset(word for part in parts for word in part.stems),
    )


def _shared(quote: Quote, other: Quote) -> float:
    smaller = min(len(quote.stems), len(other.stems))
    return len(quote.stems & other.stems) / smaller if smaller else 1.0
