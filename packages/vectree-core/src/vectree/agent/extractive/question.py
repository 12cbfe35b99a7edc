"""What kind of question it is (Appendix F): about the library, about research, or a comparison of papers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from vectree.words import content_words


class Kind(StrEnum):
    """``LIBRARY``: which papers there are. ``RESEARCH``: what one says. ``COMPARISON``: what several say."""

    LIBRARY = "library"
    RESEARCH = "research"
    COMPARISON = "comparison"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, understood as far as rules go.

    Attributes:
        text: As asked.
        kind: What kind it is.
        query: What to search for; ``"*"`` for a listing.
        filters: Filter arguments of ``search_documents``.
        wants_number: Whether it asks how many or how much.
    """

    text: str
    kind: Kind
    query: str
    filters: dict[str, Any]
    wants_number: bool

    @property
    def statement(self) -> str:
        """The question without "how long" and the like, which an answer does not repeat."""
        return _HOW.sub(" ", self.text)

    @property
    def reformulated(self) -> str:
        """The content words alone, for a second search."""
        return " ".join(dict.fromkeys(content_words(self.text)))


_MAX_QUERY = 600
_PAPERS = r"(?:papers?|articles?|publications?|documents?|manuscripts?)"
_LISTING = re.compile(
    rf"""^\W*(?:please\s+)?(?:
        (?:list|show|name|browse)\s+(?:me\s+)?(?:all\s+|the\s+|every\s+|of\s+)*(?:\w+\s+)?{_PAPERS}
      | how\s+many\s+(?:\w+\s+)?{_PAPERS}
        (?:\s+(?:are|is|do|does|by|from|in|on|about|were|was|since|published|have|has)\b|\W*$)
      | (?:what|which)\s+{_PAPERS}
        (?:\s+(?:are|do\s+(?:you|we)|does|by|from|were\s+published|was\s+published|is|exist)\b|\W*$)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_LIBRARY = re.compile(
    r"\b(?:in|of)\s+(?:the|this|your|my|our)\s+(?:library|corpus|collection)\b", re.IGNORECASE
)
_COMPARISON = re.compile(
    rf"""\b(?:compar(?:e[ds]?|ing|isons?)|versus|vs\.?|contrast|differ(?:s|ed|ences?)?|across|both
        |which\s+(?:of\s+(?:the|these)\s+)?(?:{_PAPERS}|studies|materials|methods|authors)
        |between\s+the\s+(?:\w+\s+){{0,3}}(?:{_PAPERS}|studies))\b""",
    re.VERBOSE | re.IGNORECASE,
)
_SUPERLATIVE = re.compile(
    r"^\W*which\s+(?!of\s+the\s+following)(?:\w+\s+){1,4}?(?:has|have|had|is|are|shows?|keeps?|reach(?:es)?|gives?|"
    r"retains?|lasts?|performs?)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow\s+(?:many|much|long|large|high|low|fast|far|often|big|strong|thick|old)\b|\bby\s+what\s+factor\b"
    r"|\bwhat\s+(?:is|was|are|were)?\s*(?:the\s+)?(?:\w+\s+){0,4}?(?:percentage|fraction|share|number|value|"
    r"temperature|rate|size|length|ratio|concentration|factor|dose|thickness|energy|pressure|year|age)\b",
    re.IGNORECASE,
)
_HOW = re.compile(
    r"\bhow\s+(?:many|much|long|large|high|low|fast|far|often|big|strong|thick|old)\b", re.IGNORECASE
)
_YEAR = r"((?:1[89]|20)\d\d)"
_BETWEEN = re.compile(rf"\b(?:between|from)\s+{_YEAR}\s*(?:and|to|until|-|–)\s*{_YEAR}", re.IGNORECASE)
_SINCE = re.compile(rf"\b(?:since|from)\s+{_YEAR}\b(?:\s+on(?:wards?)?)?", re.IGNORECASE)
_AFTER = re.compile(rf"\b(?:after|newer\s+than|later\s+than)\s+{_YEAR}\b", re.IGNORECASE)
_BEFORE = re.compile(rf"\b(?:before|older\s+than|earlier\s+than)\s+{_YEAR}\b", re.IGNORECASE)
_UNTIL = re.compile(rf"\b(?:until|up\s+to)\s+{_YEAR}\b", re.IGNORECASE)
_IN_YEAR = re.compile(rf"\b(?:in|of|during)\s+{_YEAR}\b", re.IGNORECASE)
_AUTHOR = re.compile(r"\b(?:by|author(?:ed by)?)\s+((?:[A-Z][\w.'’\-]*)(?:\s+[A-Z][\w.'’\-]*)*)")
_TOPIC = re.compile(
    r"\b(?:about|on|regarding|concerning|(?:deals?|dealing)\s+with|mention(?:s|ing)?|covering|study|studying)\s+(.+)",
    re.IGNORECASE,
)


def understand(text: str) -> Question:
    """Read a question by rules.

    Args:
        text: As asked.

    Returns:
        The question.
    """
    plain = " ".join(text.split())
    kind = _kind(plain)
    filters = _filters(plain) if kind is Kind.LIBRARY else {}
    return Question(
        text=plain,
        kind=kind,
        query=_topic(plain) if kind is Kind.LIBRARY else plain[:_MAX_QUERY],
        filters=filters,
        wants_number=_NUMBER.search(plain) is not None,
    )


def _kind(text: str) -> Kind:
    if _LISTING.search(text) or (_LIBRARY.search(text) and re.search(rf"\b{_PAPERS}\b", text, re.IGNORECASE)):
        return Kind.LIBRARY
    if _COMPARISON.search(text) or _SUPERLATIVE.search(text):
        return Kind.COMPARISON
    return Kind.RESEARCH


def _filters(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if span := _BETWEEN.search(text):
        first, last = sorted((int(span[1]), int(span[2])))
        found = {"year_min": first, "year_max": last}
    elif year := _IN_YEAR.search(text):
        found = {"year_min": int(year[1]), "year_max": int(year[1])}
    else:
        bounds = (
            ("year_min", _SINCE, 0),
            ("year_min", _AFTER, 1),
            ("year_max", _BEFORE, -1),
            ("year_max", _UNTIL, 0),
        )
        for name, pattern, shift in bounds:
            if match := pattern.search(text):
                found[name] = int(match[1]) + shift
    if author := _AUTHOR.search(text):
        found["author"] = author[1].rstrip(".")
    return found


def _topic(text: str) -> str:
    """What a listing is about, without years, authors and the library itself; ``"*"`` for everything."""
    match = _TOPIC.search(text)
    if match is None:
        return "*"
    rest = match[1]
    for pattern in (_BETWEEN, _SINCE, _AFTER, _BEFORE, _UNTIL, _IN_YEAR, _AUTHOR, _LIBRARY):
        rest = pattern.sub(" ", rest)
    return rest[:_MAX_QUERY].strip(" ?.!,") if content_words(rest) else "*"
