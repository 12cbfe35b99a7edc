"""Keywords: the printed list if there is one, else terms that title, abstract and sections share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from vectree.ingest.front import front_lines
from vectree.ingest.front_words import DULL_WORDS
from vectree.ingest.parse import ParsedDocument
from vectree.normal import match_key, one_line
from vectree.words import STOPWORDS, words

MAX_KEYWORDS = 12
SALIENT_KEYWORDS = 8

_LABEL = re.compile(
    r"^\W*(?:key\s?-?words?(?: and phrases)?|index terms|schlüssel(?:wörter|begriffe)|schlagwörter"
    r"|mots[- ]clés?|palabras clave|palavras-chave|parole chiave|关键词|关键字|キーワード)\s*[:.—–：-]?\s*",
    re.IGNORECASE,
)
_END = re.compile(
    r"^\W*(?:\d+\.?\s+)?(?:introduction|background|abstract|a b s t r a c t|summary|received|accepted"
    r"|correspond|©|copyright|doi|https?:|abbreviations|citation|jel\b|msc\b|pacs|academic editor"
    r"|article history|open access|einleitung|introducción|1\b)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s*(?:[;·•|；、]|,\s|，)\s*")
_MAX_LINES = 6
_MAX_WORDS = 6


def find_keywords(
    document: ParsedDocument, title: str, abstract: str, titles: Iterable[str]
) -> tuple[str, ...]:
    """Find the keywords of a document.

    Args:
        document: A parsed document.
        title: Its title.
        abstract: Its abstract, or its first text.
        titles: Its section titles.

    Returns:
        At most ``MAX_KEYWORDS`` printed keywords, else those in the file's field, else at most
        ``SALIENT_KEYWORDS`` terms by rules; none if there is no text.
    """
    printed = _printed(front_lines(document))
    if len(printed) >= 2:
        return printed
    claimed = _terms(document.info.get("keywords", "").replace(",", ", "))
    if len(claimed) >= 2:
        return claimed
    return salient_terms(title, abstract, titles) if abstract else ()


def salient_terms(title: str, abstract: str, titles: Iterable[str]) -> tuple[str, ...]:
    """Terms that a document keeps coming back to, from its title and abstract.

    Args:
        title: Its title.
        abstract: Its abstract, or its first text.
        titles: Its section titles.

    Returns:
        At most ``SALIENT_KEYWORDS`` terms of one to three words, the weightiest first, none part of another.
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for weight, text in ((3, title), (1, abstract), *((1, line) for line in titles)):
        for phrase in _phrases(text):
            for size in (1, 2, 3):
                for start in range(len(phrase) - size + 1):
                    counts[phrase[start : start + size]] += weight
    scores = {
        gram: count * len(gram) ** 0.8
        for gram, count in counts.items()
        if count >= 2 and sum(map(len, gram)) > 3
    }
    chosen: list[tuple[str, ...]] = []
    for gram in sorted(scores, key=lambda gram: (-scores[gram], gram)):
        if len(chosen) < SALIENT_KEYWORDS and not any(set(gram) & set(other) for other in chosen):
            chosen.append(gram)
    return tuple(" ".join(gram) for gram in chosen)


def _printed(lines: Sequence[str]) -> tuple[str, ...]:
    for place, line in enumerate(lines):
        label = _LABEL.match(line)
        if not label:
            continue
        rest = line[label.end() :]
        if not rest:
            return _listed(lines[place + 1 : place + 1 + 2 * _MAX_LINES])
        for following in lines[place + 1 : place + _MAX_LINES]:
            if _END.match(following) or not _continues(rest, following):
                break
            rest = rest.removesuffix("-") + following if rest.endswith("-") else f"{rest} {following}"
        return _terms(rest)
    return ()


def _continues(text: str, following: str) -> bool:
    """Whether a list of keywords goes on in the next line."""
    if text.rstrip().endswith(".") or len(following) > 140:
        return False
    parts = _SEPARATOR.split(following)
    short = all(len(part.split()) <= _MAX_WORDS - 2 for part in parts)
    open_end = text.rstrip().endswith((",", ";", "-", "·", "•", "；", "、"))
    return short and (open_end or len(parts) > 1 or len(following) < 30)


def _listed(lines: Sequence[str]) -> tuple[str, ...]:
    """One keyword a line, as Elsevier sets them."""
    taken: list[str] = []
    for line in lines:
        if _END.match(line) or len(line.split()) > _MAX_WORDS or line.endswith((".", ":")):
            break
        taken.append(line)
    return _terms("; ".join(taken)) if taken else ()


def _terms(text: str) -> tuple[str, ...]:
    parts = [one_line(part).strip(" .,:;*–—-") for part in _SEPARATOR.split(text)]
    kept = {
        match_key(part): part
        for part in parts
        if 2 <= len(part) <= 80 and len(part.split()) <= _MAX_WORDS and any(char.isalpha() for char in part)
    }
    return tuple(kept.values())[:MAX_KEYWORDS]


def _phrases(text: str) -> list[tuple[str, ...]]:
    """Runs of content words between stopwords and punctuation."""
    phrases: list[tuple[str, ...]] = []
    for piece in re.split(r"[^\w\s'’‐‑-]|\n", text):
        run: list[str] = []
        for word in words(piece):
            if word in STOPWORDS or word in DULL_WORDS or word.isdecimal() or len(word) == 1:
                phrases.append(tuple(run))
                run = []
            else:
                run.append(word)
        phrases.append(tuple(run))
    return [phrase for phrase in phrases if phrase]
