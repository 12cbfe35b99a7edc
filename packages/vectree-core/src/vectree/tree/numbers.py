"""Printed section numbers as paths: ``2.1``, ``IV.A``, ``A.3``, ``Appendix B``, ``第3章``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_LABEL = re.compile(
    r"^(?:§+|第|(?:appendix|annex|annexe|anhang|anexo|apéndice|supplement(?:ary)?|supporting|chapter|chapitre"
    r"|cap[ií]tulo|kapitel|section|secci[oó]n|abschnitt|part|partie|parte|teil|article|study|note)\b)\s*",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(r"[.\-–—:)(\]\[\s、．章節节]+")
_PART = re.compile(r"\d{1,4}|[A-Z]{1,6}|[a-z]{1,6}")
_ROMAN = re.compile(r"(?:x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10}
_CJK_DIGITS = {char: value for value, char in enumerate("一二三四五六七八九十", start=1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One component of a section number.

    Attributes:
        kind: ``"decimal"``, ``"roman"`` or ``"letter"``.
        value: Its position in its series, from 1 (0 for a printed zero).
    """

    kind: str
    value: int


Path = tuple[Step, ...]
"""A section number from the outermost component to the innermost; empty if nothing is numbered."""


def read_numbers(numbers: Sequence[str]) -> list[Path]:
    """Read the printed numbers of one document's headings.

    A single letter that could be a roman numeral (``C``, ``I``, ``V``) is decided by its neighbours: it is a
    letter if the letter before it in the alphabet was the last one seen in that place, else roman where roman
    numerals of that size occur.

    Args:
        numbers: Printed numbers in document order, empty where a heading has none.

    Returns:
        One path for each number, in the same order.
    """
    last_letters: dict[int, int] = {}
    paths: list[Path] = []
    for number in numbers:
        path = tuple(_step(token, place, last_letters) for place, token in enumerate(_tokens(number)))
        for place, step in enumerate(path):
            if step.kind == "letter":
                last_letters[place] = step.value
        paths.append(path)
    return paths


def _tokens(number: str) -> list[str]:
    """Split a number into components; an unreadable one has none."""
    text = unicodedata.normalize("NFKC", number).strip()
    text = _LABEL.sub("", text)
    tokens: list[str] = []
    for piece in _SEPARATORS.split(text):
        if piece and set(piece) <= _CJK_DIGITS.keys():
            tokens.append(str(_cjk_value(piece)))
            continue
        parts = _PART.findall(piece)
        if "".join(parts) != piece or not all(map(_readable, parts)):
            return []
        tokens.extend(parts)
    return tokens[:8]


def _readable(token: str) -> bool:
    return token.isdecimal() or len(token) == 1 or bool(_ROMAN.fullmatch(token))


def _step(token: str, place: int, last_letters: dict[int, int]) -> Step:
    if token.isdecimal():
        return Step(kind="decimal", value=int(token))
    lower = token.lower()
    letter = ord(lower) - ord("a") + 1 if len(lower) == 1 else 0
    roman = _roman_value(lower) if _ROMAN.fullmatch(lower) else 0
    if roman and last_letters.get(place, 0) != letter - 1:
        return Step(kind="roman", value=roman)
    return Step(kind="letter", value=letter)


def _cjk_value(numeral: str) -> int:
    tens, ten, ones = numeral.rpartition("十")
    return 10 * _CJK_DIGITS.get(tens, 1) * bool(ten) + _CJK_DIGITS.get(ones, 0)


def _roman_value(numeral: str) -> int:
    digits = [_ROMAN_DIGITS[char] for char in numeral]
    return sum(
        -digit if place + 1 < len(digits) and digit < digits[place + 1] else digit
        for place, digit in enumerate(digits)
    )
