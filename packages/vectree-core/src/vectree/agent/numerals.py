"""Numbers in prose, read so that two ways of writing one number compare equal.

``1,200``, ``1 200`` and ``1200``; ``0,5`` and ``0.5``; ``−40`` and ``-40``; ``2.4 × 10⁻³``, ``2.4e-3`` and
``0.0024``; ``12 %`` and ``12%`` are the same numbers. Nothing is converted, computed or rounded. An answer is
read strictly: what is a number there beyond doubt. A page is read generously, since extraction loses
superscripts, minus signs and thin spaces: every number that may stand there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from vectree.normal import clean

_SUPERSCRIPT = re.compile("([⁺⁻]?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_MARKED_UP = re.compile(
    r"(?:<sup>|\^\s?\{)\s*([+\-\u2212\u2010-\u2015]?\s?\d{1,3})\s*(?:</sup>|\})", re.IGNORECASE
)
_TIMES = re.compile(r"\\(?:times|cdot)\b")
_DASHES = re.compile("[\u2212\u2010-\u2015\ufe63\uff0d]")
_GROUPED = re.compile("(?<=\\d)[\u2009\u202f\u00a0'’](?=\\d{3}(?!\\d))")
_PERHAPS_GROUPED = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")

_NUMBER = r"\d[\d.,]{0,24}(?<![.,])"
_TIMES_TEN = r"\s?[x×X·⋅∙*]\s?10"
_STRICT = re.compile(
    rf"""
    (?: (?<![\w.%°)\]^]) (?P<sign>-) )?              # a minus; after a word or a number it is a dash
    (?<![\w.^]) (?<![^\W\d]-) (?<!\^-)    # no part of a name (IL-6), a formula or a unit (cm^-1)
    (?P<mantissa>{_NUMBER})
    (?: (?: {_TIMES_TEN} (?:\^\s?|(?=-)) | [eE](?=[+-]\d) ) (?P<power>[+-]?\d{{1,2}}) (?!\d)
      | \^ (?P<exponent>-?\d{{1,2}}) (?!\d) )?
    """,
    re.VERBOSE,
)
_LOOSE = re.compile(rf"(?P<sign>-\s?)?(?<![\d.,])(?<![^\W\d_x])(?P<mantissa>{_NUMBER})")
_LOOSE_POWER = re.compile(
    rf"(?P<mantissa>{_NUMBER})(?:{_TIMES_TEN}\s?\^?\s?|[eE])(?P<power>[+-]?\s?\d{{1,2}})(?!\d)"
)
_POWER_OF_TEN = re.compile(r"(?<![\d.,])10\s?(?:\^\s?|(?=-))(?P<power>[+-]?\s?\d{1,2})(?!\d)")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_DOTTED_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
_WORDS = {
    word: str(value)
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
}
_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeral:
    """A number as it is written somewhere.

    Attributes:
        text: As written, in plain characters.
        values: The values that it may have, in one form each: ``"1,200"`` may be 1200 or 1.2.
    """

    text: str
    values: frozenset[str]


def numerals(text: str) -> Iterator[Numeral]:
    """Read the numbers of an answer, strictly; digits of names, formulas and units are none.

    Args:
        text: A sentence.

    Yields:
        Numeral: Each number in order; a range is two numbers.
    """
    for match in _STRICT.finditer(_plain(text)):
        mantissa, sign = match["mantissa"], match["sign"] or ""
        power, exponent = match["power"], match["exponent"]
        if exponent is not None:
            if mantissa != "10":
                continue  # 3^2 is no number to look up
            values = _scaled("1", exponent) | ({f"10{exponent}"} if int(exponent) > 0 else set[str]())
        else:
            values = _scaled(mantissa, power or "0")
        if values:
            signed = (f"{sign}{value}" if value != "0" else value for value in values)
            yield Numeral(text=match[0], values=frozenset(signed))


def values_on_page(*texts: str) -> frozenset[str]:
    """Read every number that a page may hold.

    Args:
        *texts: Its text, in one or more forms.

    Returns:
        Values in the form that ``numerals`` gives; a number after a dash stands with and without a minus.
    """
    found: set[str] = set()
    for text in texts:
        found.update(value for numeral in numerals(text) for value in numeral.values)
        plain = _plain(text)
        for form in {plain, _PERHAPS_GROUPED.sub("", plain)}:
            found.update(_loose_values(form))
        found.update(_WORDS[word.lower()] for word in _WORD.findall(plain))
    return frozenset(found)


def _loose_values(text: str) -> Iterator[str]:
    for match in _LOOSE.finditer(text):
        parts = {match["mantissa"], *match["mantissa"].split(",")}
        for value in {value for part in parts for value in _scaled(part, "0")}:
            yield value
            if match["sign"]:
                yield f"-{value}"
    for match in _LOOSE_POWER.finditer(text):
        for value in _scaled(match["mantissa"], match["power"]):
            yield from (value, f"-{value}")
    for match in _POWER_OF_TEN.finditer(text):
        yield from _scaled("1", match["power"])


def _plain(text: str) -> str:
    """One form for dashes, spaces, multiplication signs and superscripts; letters stay."""
    joined = clean(_GROUPED.sub("", text))
    marked = _SUPERSCRIPT.sub(lambda match: f"^{match[0].translate(_DIGITS)}", joined)
    marked = _MARKED_UP.sub(lambda match: f"^{match[1].replace(' ', '')}", _TIMES.sub("×", marked))
    return _DASHES.sub("-", unicodedata.normalize("NFKC", marked))


def _scaled(written: str, power: str) -> set[str]:
    """The values that digits may have, times a power of ten."""
    forms = {written, written.replace(",", ".")}
    if _THOUSANDS.fullmatch(written):
        forms.add(written.replace(",", ""))
    if _DOTTED_THOUSANDS.fullmatch(written):
        forms.add(written.replace(".", "").replace(",", "."))
    return {value for form in forms if (value := _value(form, int("".join(power.split()))))}


def _value(written: str, power: int) -> str | None:
    try:
        return format(Decimal(written).scaleb(power).normalize(), "f")
    except InvalidOperation:
        return None
