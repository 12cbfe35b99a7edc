"""Blocks that cannot be headings, whatever they look like.

Each rule names a kind of line that is set apart from running text without opening a section. The common
section titles are exempt from the rules about wording.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from vectree.ingest.layout.candidate import Candidate
from vectree.ingest.lexicon import is_caption, is_contents_title, is_statement

_MAX_CHARACTERS = 220
_MAX_WORDS = 30
_MAX_ROWS = 4
_MIN_LETTER_SHARE = 0.5
_FIRST_PAGES = 2

_ADDRESS = re.compile(
    r"https?:|www\.|doi\.org|\bdoi\s?:|\S@\w+\.\w|©|\(c\) \d{4}|orcid|\bISSN\b|\bISBN\b",
    re.IGNORECASE,
)
_CITATION = re.compile(r"\bet al\b", re.IGNORECASE)
_AFFILIATION = re.compile(
    r"\b(departments?|university|universität|université|universidad|universidade|università|institut[eo]?|faculty"
    r"|fakultät|faculté|school of|laborator\w+|hospital|college|academy|e-?mail|correspond\w+ author"
    r"|corresponding)\b",
    re.IGNORECASE,
)
_STAMP = re.compile(
    r"^(received|accepted|published|revised|available online|edited by|editor|academic editor|reviewed by"
    r"|citation|cite this|correspondence|how to cite|downloaded|article history|article info|open access"
    r"|(research|review|original) (article|paper)|original research|check for updates|keywords?|key words"
    r"|index terms|jel|pacs|msc|ccs concepts|schlüsselwörter|mots[- ]clés|palabras clave|palavras-chave"
    r"|parole chiave|continued|affiliations?|copyright)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"<-|::|[{}]|;$|==|\$|\w\(\)|>>>|\\\w+|^R> |^\w+\.\w+\(")
_PROSE = re.compile(r"[a-zß-ÿ)]\. [A-ZÀ-Þ][a-zß-ÿ]+ [a-zß-ÿ]+ ")
_ISSUE = re.compile(
    r"\b(19|20)\d\d[a-z]?;|\d+\s*[:(]\s*\d+[-–]\d+|\bvol\.|\bpp?\. ?\d|\bed(s|n)?\.\)?|\(\d{4}[a-z]?\)[.,:]"
    r"|\bin press\b",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^[•▪◦‣·*–—-]\s")
_NOTE_MARK = re.compile(r"^(\(?\[?\d+[\])]\s*[a-z]|\[\d+\]|\d{4}\b|[†‡§*¶#]\s?\S)")
_LOWER_OK = re.compile(
    r"^(?:[a-z]{1,4}[-‐]?[A-Z0-9]|[a-z][-‐]|[α-ω]|in (?:vitro|vivo|silico|situ)\b|de novo\b|ex vivo\b|e-)"
)
_DANGLING = re.compile(
    r"(?:[,;–—]|\b(?:and|or|of|the|a|an|with|for|to|by|from|that|which|und|oder|der|die|das|des|mit|et|ou|les|du|y|el|los|del|"
    r"is|are|was|were))$"
)
_EQUATION = re.compile(r"[=≈≤≥±∑∫√∂∈⊂→↔∀∃]")
_PERSON = re.compile(r"(?:\b[A-Z]\.[\s-]?){1,3}[A-ZÀ-Þ][a-zß-ÿ]+.*,")
_TYPEWRITER = re.compile(
    r"mono|typewriter|courier|inconsolata|consolas|menlo|^(?:cm|sf|ec|lm)(?:sl)?tt\d", re.IGNORECASE
)
_SENTENCE_WORDS = 16
_CLAUSE_WORDS = 9
_LIST_COMMAS = 5


def rejection(candidate: Candidate) -> str:
    """Why a block cannot be a heading.

    Args:
        candidate: The block.

    Returns:
        The kind of line it is; empty if it may be a heading.
    """
    text = candidate.text
    if reason := _shape(candidate):
        return reason
    if is_contents_title(text):
        return "contents title"
    if candidate.known and candidate.height == 1:
        return ""
    if candidate.listed and not is_caption(text):
        return ""
    if _is_sample(candidate):
        return "code"
    if _CITATION.search(text) and not candidate.numbers:
        return "citation"
    if (
        text.endswith(".")
        and not (candidate.numbers or candidate.listed)
        and len(text.split()) >= _CLAUSE_WORDS
    ):
        return "sentence"
    return wording(text) or _by_page(candidate)


def _shape(candidate: Candidate) -> str:
    title = (
        candidate.numbers[0][1] if candidate.numbers and candidate.numbers[0][1].strip() else candidate.text
    )
    letters = sum(map(str.isalpha, title))
    if letters < 2 or letters < _MIN_LETTER_SHARE * len(title.replace(" ", "")):
        return "few letters"
    text = candidate.text
    if len(text) > _MAX_CHARACTERS or len(text.split()) > _MAX_WORDS or candidate.height > _MAX_ROWS:
        return "too long"
    if candidate.leads_in and not (candidate.known and candidate.height == 1):
        return "opens a paragraph"
    if letters == 2 and text.isascii() and not candidate.numbers:
        return "too short"
    if candidate.turned:
        return "turned"
    return "" if candidate.alone else "shares its line"


def _is_sample(candidate: Candidate) -> bool:
    """Input or output shown in a plain typewriter face; headings in one are bold, in capitals or numbered."""
    style = candidate.style
    plain = not (style.bold or candidate.text.isupper() or candidate.numbers)
    return plain and _TYPEWRITER.search(style.font) is not None


def wording(text: str) -> str:
    """Why a text cannot be a title by what it says.

    Args:
        text: One line.

    Returns:
        The kind of line it is; empty if it may be a title.
    """
    return next((name for name, applies in _RULES if applies(text)), "")


def _by_page(candidate: Candidate) -> str:
    if candidate.page > _FIRST_PAGES:
        return ""
    if _AFFILIATION.search(candidate.text) and not candidate.listed:
        return "affiliation"
    return "authors" if _PERSON.match(candidate.text) else ""


def _is_prose(text: str) -> bool:
    return _PROSE.search(text) is not None or (text.endswith(".") and len(text.split()) > _SENTENCE_WORDS)


def _is_formula(text: str) -> bool:
    """Mostly lone characters, as in a matrix or an equation; letter-spaced words have no digits or signs."""
    pieces = text.split()
    lone = sum(
        (len(piece) == 1 and piece.isascii()) or not piece.strip("−+-·×/*^()[]|0123456789αβγδεθλμφψω")
        for piece in pieces
    )
    return len(pieces) >= 3 and lone >= 0.5 * len(pieces)


def _starts_low(text: str) -> bool:
    first = text.lstrip("■●◆▪|*\"“‘'([¿¡ ")[:1]
    return first.islower() and _LOWER_OK.match(text) is None


def _is_list(text: str) -> bool:
    return text.count(",") >= _LIST_COMMAS


_RULES: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("caption", is_caption),
    ("statement", is_statement),
    ("address", _ADDRESS.search),
    ("stamp", _STAMP.match),
    ("code", _CODE.search),
    ("prose", _is_prose),
    ("reference", _ISSUE.search),
    ("bullet", _BULLET.match),
    ("note", _NOTE_MARK.match),
    ("equation", _EQUATION.search),
    ("formula", _is_formula),
    ("lower case", _starts_low),
    ("unfinished", _DANGLING.search),
    ("list", _is_list),
)
