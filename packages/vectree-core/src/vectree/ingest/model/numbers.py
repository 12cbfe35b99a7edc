"""Numbers of a summary that its section does not hold: the cheapest sign of one that is not faithful."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, InvalidOperation

from vectree.normal import clean

_NUMBER = re.compile(r"(?<![\d.,])\d[\d.,]{0,24}(?<![.,])")
_GROUPED = re.compile(r"(?<=\d)[ \u2009\u202f'’](?=\d{3}(?!\d))")
_COMMAS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_DOTS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
_LIST = re.compile(r"(?!\d{1,3}(?:,\d{3})+$)[\d.]+(?:,[\d.]+)+")
"""Numbers with a comma but no space between, as in a list; not one number with grouped thousands."""

_WORDS = {
    word: str(value)
    for value, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six"),
            *("seven", "eight", "nine", "ten", "eleven", "twelve"),
        )
    )
}
_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)


def unsupported_numbers(summary: str, *sources: str) -> tuple[str, ...]:
    """Find the numbers of a summary that none of its sources holds.

    A number counts as held in any way of writing it: ``1,200`` and ``1200``, ``0,5`` and ``0.5``, ``3`` and
    ``three``. Rounded or computed numbers do not.

    Args:
        summary: What a model wrote.
        *sources: The section's text, its title.

    Returns:
        Numbers as written in the summary, in order, each once.
    """
    held = {value for source in sources for value in _values(source)}
    missing = [text for text in _NUMBER.findall(_plain(summary)) if not _readings(text) & held]
    return tuple(dict.fromkeys(missing))


def _values(text: str) -> set[str]:
    plain = _plain(text)
    found = _NUMBER.findall(plain)
    listed = [part for number in found if _LIST.fullmatch(number) for part in number.split(",")]
    values = {value for number in (*found, *listed) for value in _readings(number)}
    return values | {_WORDS[word.lower()] for word in _WORD.findall(plain)}


def _plain(text: str) -> str:
    return _GROUPED.sub("", unicodedata.normalize("NFKC", clean(text)))


def _readings(text: str) -> set[str]:
    """The values a written number may have, in one form each."""
    forms = {text, text.replace(",", ".")}
    if _COMMAS.fullmatch(text):
        forms.add(text.replace(",", ""))
    if _DOTS.fullmatch(text):
        forms.add(text.replace(".", "").replace(",", "."))
    return {value for form in forms if (value := _value(form)) is not None}


def _value(text: str) -> str | None:
    try:
        return format(Decimal(text).normalize(), "f")
    except InvalidOperation:
        return None
