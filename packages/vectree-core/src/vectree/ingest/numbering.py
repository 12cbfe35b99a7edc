"""Printed section numbers: reading them off the start of a line.

A line that starts with a number proves nothing: list items, affiliations and reference entries do as well.
Whether numbers make an outline is decided in ``succession``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_LABELS = (
    "chapter|section|part|appendix|annex|supplement|kapitel|abschnitt|teil|anhang|chapitre|partie|annexe|capítulo|capitulo|sección"
    "|parte|apéndice|anexo|apêndice|seção|capitolo|sezione|appendice|hoofdstuk|deel|bijlage|kapitel|avsnitt"
    "|bilaga|rozdział|część|dodatek|глава|часть|раздел|приложение"
)
_ORDINALS = {
    "première": 1,
    "premiere": 1,
    "deuxième": 2,
    "seconde": 2,
    "troisième": 3,
    "quatrième": 4,
    "cinquième": 5,
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "erster": 1,
    "zweiter": 2,
    "dritter": 3,
    "vierter": 4,
    "primera": 1,
    "segunda": 2,
    "tercera": 3,
    "cuarta": 4,
}
_TITLE_START = r"(?=[\"“‘'«¿¡(\[]?(?:[^\W\d_]|\d\w*[^\W\d_]|$))"
_END = r"(?:[.):：．、]|\s?[–—-])?"
_LABELLED = re.compile(
    rf"^(?P<label>{_LABELS})\s+(?P<number>\d{{1,3}}(?:\.\d{{1,3}}){{0,5}}|[IVXLC]+|[A-Z](?:\.\d{{1,3}})*)\b{_END}\s*"
    rf"{_TITLE_START}",
    re.IGNORECASE,
)
_ORDINAL = re.compile(rf"^(?P<number>{'|'.join(_ORDINALS)})\s+(?P<label>{_LABELS})\b[.:]?\s*$", re.IGNORECASE)
_DOTTED = re.compile(
    r"^§?\s?(?P<number>\d{1,2}(?:\s?\.\s?\d{1,3}){1,5})(?:[.):：]?\s+|[.)]?(?=[A-ZÀ-ÞА-Я]))" + _TITLE_START
)
_ARABIC = re.compile(r"^§?\s?(?P<number>\d{1,2})(?:[.):：．]?\s+|[.)．、](?=\w))" + _TITLE_START)
_BRACKETED = re.compile(r"^\((?P<number>\d{1,2}|[A-Za-z]|[ivx]+)\)\s+" + _TITLE_START)
_ALPHA_DOTTED = re.compile(
    r"^(?P<number>[A-Z](?:\s?[.\-]\s?\d{1,2}){1,4}|[A-Z]\d{1,2}(?:\.\d{1,2})*)[.):]?\s+" + _TITLE_START
)
_ROMAN_DOTTED = re.compile(r"^(?P<number>[IVXLC]+(?:\s?[.\-]\s?(?:\d{1,2}|[A-Z]))+)[.):]?\s+" + _TITLE_START)
_ROMAN = re.compile(r"^(?P<number>[IVXLC]{1,7})(?:[.):]\s*|\s*[–—-]\s+|\s+)" + _TITLE_START)
_ALPHA = re.compile(r"^(?P<number>[A-Z])(?:[.):]\s*|\s+)" + _TITLE_START)
_LOWER = re.compile(r"^(?P<number>[a-h]|[ivx]{1,5})[.)]\s+" + _TITLE_START)
_CJK_DIGITS = "一二三四五六七八九十"
_CJK = re.compile(
    rf"^(?:第\s?(?P<number>[{_CJK_DIGITS}]{{1,3}}|\d{{1,2}})\s?[章节節部編編篇]\s*|(?P<plain>[{_CJK_DIGITS}]{{1,3}})[、.．]\s*)"
)
_FIRST_WORDS = frozenset(_LABELS.split("|")) | frozenset(_ORDINALS)
_MAX_LOWER = 6
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_MAX_VALUE = 99
_BARE_LETTER = re.compile(r"^[A-Z] \S")
_SPACES = re.compile(r"\s+")

_APPENDIX_LABELS = frozenset(
    [
        "appendix",
        "annex",
        "anhang",
        "annexe",
        "apéndice",
        "anexo",
        "apêndice",
        "appendice",
        "bijlage",
        "bilaga",
        "dodatek",
        "приложение",
        "supplement",
    ]
)
_PART_LABELS = frozenset(["part", "teil", "partie", "parte", "deel", "część", "часть"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Enumerator:
    """A printed number, read.

    Attributes:
        text: As printed, without label words and closing marks: ``"2.1"``, ``"IV"``, ``"A"``.
        kind: ``"arabic"``, ``"roman"``, ``"alpha"``, ``"bracket"`` for (1), ``"lower"`` for a) or ii.
        parts: Values from the outermost in: ``(2, 1)``.
        label: A word such as chapter or appendix before it, in lower case; else empty.
    """

    text: str
    kind: str
    parts: tuple[int, ...]
    label: str = ""

    @property
    def appendix(self) -> bool:
        """Whether a word says that it numbers an appendix."""
        return self.label in _APPENDIX_LABELS

    @property
    def part(self) -> bool:
        """Whether a word says that it numbers a part, which stands above chapters."""
        return self.label in _PART_LABELS


def roman_value(text: str) -> int | None:
    """The value of a roman numeral.

    Args:
        text: Letters of one case.

    Returns:
        Its value up to 99; ``None`` if it is not written as a roman numeral is.
    """
    if not text:
        return None
    total = 0
    values = [_ROMAN_VALUES.get(letter, 0) for letter in text.upper()]
    for here, after in zip(values, [*values[1:], 0], strict=True):
        total += -here if here < after else here
    return (
        total if 0 not in values and 0 < total <= _MAX_VALUE and roman_text(total) == text.upper() else None
    )


def roman_text(value: int) -> str:
    """A value as a roman numeral.

    Args:
        value: 1 to 99.

    Returns:
        Upper-case letters.
    """
    tens = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC")[value // 10]
    return tens + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[value % 10]


def split_number(text: str) -> tuple[Enumerator | None, str]:
    """Take the printed number off a title.

    Args:
        text: One line.

    Returns:
        The number, or ``None``, and the rest of the line; the rest is empty for a bare label ("Chapter 3").
    """
    found = readings(text)
    return found[0] if found else (None, text)


def split_numbers(texts: Sequence[str]) -> list[tuple[Enumerator | None, str]]:
    """Take the printed numbers off titles that belong together.

    A lone letter without a mark is read as a number only beside its neighbour in the alphabet ("A Proofs", "B
    Tables"); else it is a word ("A global view").

    Args:
        texts: Titles of one document.

    Returns:
        Number, or ``None``, and title, for each.
    """
    bare = {text[0] for text in texts if _BARE_LETTER.match(text)}
    found: list[tuple[Enumerator | None, str]] = []
    for text in texts:
        number, title = split_number(text)
        alone = (
            _BARE_LETTER.match(text) is not None and not {chr(ord(text[0]) + 1), chr(ord(text[0]) - 1)} & bare
        )
        whole = number is None or alone or not title.strip()
        found.append((None, text) if whole else (number, title.strip()))
    return found


def readings(text: str) -> list[tuple[Enumerator, str]]:
    """Every way to read the start of a line as a section number, likeliest first.

    A lone letter may be a letter or a roman numeral; the chains decide.

    Args:
        text: One line.

    Returns:
        Pairs of number and remaining title.
    """
    if not _may_be_numbered(text):
        return []
    if match := _LABELLED.match(text):
        label = match["label"].casefold()
        found = [
            (
                Enumerator(text=number.text, kind=number.kind, parts=number.parts, label=label),
                text[match.end() :],
            )
            for number in _values(match["number"])
        ]
        if found:
            return found
    if match := _ORDINAL.match(text):
        value = _ORDINALS[match["number"].casefold()]
        return [
            (Enumerator(text=str(value), kind="arabic", parts=(value,), label=match["label"].casefold()), "")
        ]
    for pattern in (_DOTTED, _ARABIC, _ROMAN_DOTTED, _ALPHA_DOTTED):
        if match := pattern.match(text):
            return [(number, text[match.end() :]) for number in _values(match["number"])]
    return _loose_readings(text)


def _may_be_numbered(text: str) -> bool:
    """A quick look at the first characters, since most lines are running text."""
    first, second = text[:1], text[1:2]
    if (
        first.isascii()
        and first.isalpha()
        and second.isalpha()
        and not (first.isupper() and second.isupper())
    ):
        word = text.split(" ", 1)[0].casefold()
        return word in _FIRST_WORDS or (first.islower() and word[-1] in ".)" and len(word) < _MAX_LOWER)
    return bool(first)


def _loose_readings(text: str) -> list[tuple[Enumerator, str]]:
    if match := _BRACKETED.match(text):
        return _bracketed(match["number"], text[match.end() :])
    if match := _CJK.match(text):
        number = match["number"] or match["plain"]
        value = int(number) if number.isdigit() else _cjk_value(number)
        return [(Enumerator(text=number, kind="arabic", parts=(value,)), text[match.end() :])]
    found: list[tuple[Enumerator, str]] = []
    for pattern in (_ROMAN, _ALPHA):
        if match := pattern.match(text):
            rest = text[match.end() :]
            wanted = "roman" if pattern is _ROMAN else "alpha"
            found += [(number, rest) for number in _values(match["number"]) if number.kind == wanted]
    if not found and (match := _LOWER.match(text)):
        found = [
            (Enumerator(text=match["number"], kind="lower", parts=number.parts), text[match.end() :])
            for number in _values(match["number"].upper())
        ]
    return found


def _bracketed(number: str, rest: str) -> list[tuple[Enumerator, str]]:
    kind = "bracket" if number.isdigit() else "lower"
    values = _values(number.upper())
    return [(Enumerator(text=f"({number})", kind=kind, parts=value.parts), rest) for value in values]


def _values(number: str) -> list[Enumerator]:
    """Read a number whose form has been recognised."""
    text = _SPACES.sub("", number).replace("-", ".")
    if text[:1].isalpha() and text[1:2].isdigit():
        text = f"{text[0]}.{text[1:]}"
    shown = _SPACES.sub("", number)
    head, *tail = text.split(".")
    rest = tuple(int(piece) if piece.isdigit() else ord(piece.upper()) - 64 for piece in tail)
    if head.isdigit():
        return [Enumerator(text=shown, kind="arabic", parts=(int(head), *rest))]
    found: list[Enumerator] = []
    value = roman_value(head)
    if value is not None:
        found.append(Enumerator(text=shown, kind="roman", parts=(value, *rest)))
    if len(head) == 1:
        letter = Enumerator(text=shown, kind="alpha", parts=(ord(head.upper()) - 64, *rest))
        found = [letter, *found] if head.upper() in "CDL" else [*found, letter]
    return found


def _cjk_value(text: str) -> int:
    """Values of 一 … 九十九."""
    before, ten, after = text.partition("十")
    if not ten:
        return _CJK_DIGITS.index(text[0]) + 1
    tens = _CJK_DIGITS.index(before) + 1 if before else 1
    return tens * 10 + (_CJK_DIGITS.index(after) + 1 if after else 0)
