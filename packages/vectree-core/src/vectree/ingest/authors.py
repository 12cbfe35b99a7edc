"""Authors of a document: names under its title, freed from marks, told from addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from vectree.ingest.front import Row
from vectree.ingest.front_words import ADDRESS, BYLINE_KEYS, NO_NAMES, PARTICLES
from vectree.normal import name_key, one_line

MAX_AUTHORS = 5_000

_ROWS_BELOW_TITLE = 300
_TAIL = 300
_MARKS = re.compile(
    r"[\d¹²³⁴⁵⁶⁷⁸⁹⁰*†‡§¶✉∗⁎#|^]+|\((?:[a-z]|\d+)(?:,\s*(?:[a-z]|\d+))*\)|\borcid\b", re.IGNORECASE
)
_SPLIT = re.compile(r"\s*(?:[;·•|]|,|，|、|\s&\s|\s(?:and|und|et|y|e|og|och|en)\s)\s*")
_LEADING_AND = re.compile(r"^(?:and|und|et|y|e|&)\s+|\s+(?:and|und|et|y|e|&)$", re.IGNORECASE)
_GLUED_MARK = re.compile(r"(?<=[a-zà-ÿ])[a-f](?=$| [,;∗*])")
_LETTER_MARK = re.compile(r"[a-f],\s?[∗*]|\s[a-f](?:$|[\s,;])")
_LONE_MARKS = re.compile(r"(?:^|(?<=[\s,;]))[a-h](?:,[a-h])*(?=[\s,;]|$)")
_DEGREE = re.compile(
    r"^(?:m\.?d|ph\.?d|d\.?phil|m\.?sc|b\.?sc|m\.?a|m\.?p\.?h|mbbs|frcp|f\.?g\.?s|dr|prof|jr|sr|ii|iii|rn|pharmd"
    r"|dipl|ing|phd|frs|member|fellow|senior|ieee)\.?$",
    re.IGNORECASE,
)
_TITLES = re.compile(
    r"^(?:(?:univ\.-?)?prof|dr|dipl|ing|m\.?sc|mr|mrs|ms|by|von|par|por|autor|author)\.?:?\s+", re.IGNORECASE
)
_STOP_KEYS = frozenset(
    ("abstract", "summary", "keywords", "introduction", "contents", "zusammenfassung", "résumé", "resumen")
)
_NUMBERED = re.compile(r"^\W?\d{1,2}[\s.)]*[A-Z][a-z]")
_NAME_WORD = re.compile(r"^(?:[^\W\d_]\.-?)*[^\W\d_][^\W\d_'’‘.\-‐‑–]*(?:['’‘.\-‐‑–][^\W\d_]+)*\.?$")
_CJK_NAME = re.compile(r"^[\u4e00-\u9fff\uac00-\ud7af·]{2,4}$")


def find_authors(rows: Sequence[Row], title_rows: Sequence[Row]) -> tuple[str, ...]:
    """Find the authors printed under the title.

    Args:
        rows: Rows of the first pages from top to bottom.
        title_rows: The rows of the title.

    Returns:
        Names in order, as printed but "Surname, Given" turned round; empty if none are found.
    """
    below = _below(rows, title_rows)
    return _labelled(below) or _under_title(below)


def split_names(text: str) -> tuple[str, ...]:
    """Split a list of names.

    Args:
        text: Names separated by commas, semicolons, dots or "and", with affiliation marks.

    Returns:
        The parts that are names, in order, without duplicates.
    """
    if ";" in text and all(_surname_first(part) for part in text.split(";") if part.strip()):
        parts: Iterable[str] = (_turned(part) for part in text.split(";"))
    elif _surname_first(text):
        parts = [_turned(text)]
    else:
        parts = _parts(text)
    names = [name for part in parts if _is_name(name := _tidy(part))]
    return tuple(dict.fromkeys(names))[:MAX_AUTHORS]


def looks_like_names(text: str) -> bool:
    """Whether a line is a list of people rather than words.

    Args:
        text: A line or block.

    Returns:
        True if nearly all of its parts are names and none is an address.
    """
    if ADDRESS.search(text) or len(text) > 2_000:
        return False
    parts = [tidy for part in _parts(text) if (tidy := _tidy(part))]
    if len(parts) > 2 and _NAME_WORD.match(parts[-1]) and parts[-1][0].isupper():
        parts = parts[:-1]  # a given name whose surname stands in the next row
    names = sum(_is_name(part) for part in parts)
    return bool(parts) and names >= 0.75 * len(parts) and (len(parts) > 1 or _is_sure_name(parts[0]))


def surely_names(text: str) -> bool:
    """Whether a line can be nothing but people: several names, or one with an initial.

    Args:
        text: A line or block.

    Returns:
        True if so; a title of two or three capitalised words is not taken for a name.
    """
    several = len([part for part in _parts(text) if _tidy(part)]) > 1
    return looks_like_names(text) and (several or bool(re.search(r"\b[^\W\d_]\.", text)))


def info_authors(field: str) -> tuple[str, ...]:
    """Names in a file's author field.

    Args:
        field: As stored in the file.

    Returns:
        Names, if the field holds names and not a program's or an office's.
    """
    text = one_line(field).replace("{et al.}", "").replace("et al.", "")
    if ADDRESS.search(text) or not looks_like_names(text):
        return ()
    return split_names(text)


def same_surname(one: str, other: str) -> bool:
    """Whether two names may be the same person's, by their longest common word.

    Args:
        one: A name.
        other: A name in any order of its parts.

    Returns:
        True if they share a word of three letters or more.
    """
    return bool({word for word in name_key(one).split() if len(word) > 2} & set(name_key(other).split()))


def _below(rows: Sequence[Row], title_rows: Sequence[Row]) -> list[Row]:
    if not title_rows:
        return [row for row in rows if row.page == rows[0].page][:_ROWS_BELOW_TITLE] if rows else []
    last = title_rows[-1]
    return [row for row in rows if row.page == last.page and row.top > last.top][:_ROWS_BELOW_TITLE]


def _labelled(rows: Sequence[Row]) -> tuple[str, ...]:
    """Names below "Author", "By", "par" and the like."""
    for place, row in enumerate(rows):
        if row.key not in BYLINE_KEYS:
            continue
        names: list[str] = []
        for follower in rows[place + 1 : place + 1 + 30]:
            found = split_names(follower.text)
            if not found or ADDRESS.search(follower.text) or abs(follower.size - rows[place + 1].size) > 1.0:
                break
            names.extend(found)
        if names:
            return tuple(dict.fromkeys(names))
    return ()


def _under_title(rows: Sequence[Row]) -> tuple[str, ...]:
    text = ""
    first: Row | None = None
    for place, row in enumerate(rows):
        if row.key in _STOP_KEYS or row.key.startswith("abstract"):
            break
        names = (looks_like_names(row.text) or _goes_on(text, row.text)) and not _NUMBERED.match(row.text)
        if names and (first is None or _same_style(first, row)):
            first = first or row
            text = f"{text}{_glue(text)}{row.text}"
        elif first is not None and not any(looks_like_names(later.text) for later in rows[place + 1 :][:2]):
            break
    return split_names(text)


def _same_style(first: Row, row: Row) -> bool:
    return row.font == first.font or abs(row.size - first.size) <= 0.25 * first.size


def _glue(text: str) -> str:
    """What stands between two rows of names: nothing but a space where a name or a list goes on."""
    if not text:
        return ""
    parts = _parts(text[-_TAIL:])
    last = _tidy(parts[-1]) if parts else ""
    return " " if _unfinished(text) or (last and not _is_name(last)) else "; "


def _unfinished(text: str) -> bool:
    return text.rstrip().endswith((",", "&", " and", "·", ";"))


def _goes_on(text: str, following: str) -> bool:
    """Whether a list of names, or its last name, is broken at the end of a row and goes on in the next."""
    if not text or ADDRESS.search(following) or not split_names(following):
        return False
    return _unfinished(text) or (_glue(text) == " " and looks_like_names(f"{text[-_TAIL:]} {following}"))


def _parts(text: str) -> list[str]:
    """The pieces between commas, marks and "and"; single letters that point at addresses are dropped."""
    pieces = [piece for piece in re.split(r"[,;∗*]", text) if len(piece.strip()) > 3]
    lettered = sum(bool(_GLUED_MARK.search(piece.strip())) for piece in pieces)
    if len(pieces) >= 3 and _LETTER_MARK.search(text) and lettered >= 0.8 * (len(pieces) - 1):
        text = _GLUED_MARK.sub("", re.sub(r"(?=[,;∗*])", " ", text))
    spaced = _LONE_MARKS.sub("", _MARKS.sub(",", text))
    return [part for part in _SPLIT.split(f" {spaced} ") if part.strip()]


def _tidy(part: str) -> str:
    text = _LEADING_AND.sub("", one_line(part)).strip(" ,;:.()[]✉*†‡–-")
    text = _TITLES.sub("", _TITLES.sub("", text))
    if re.fullmatch(r"[A-Z][a-zà-ÿ]+(?<!Mc)(?<!Mac)[A-Z][a-zà-ÿ]+", text):  # a lost space
        text = re.sub(r"(?<=[a-zà-ÿ])(?=[A-Z])", " ", text)
    kept = [word for word in text.split() if not _DEGREE.match(word)]
    text = " ".join(kept)
    if re.search(r"\b[A-Z]$", text) and re.search(r"[ .][A-Z]$", text):
        text += "."
    if text.isupper() and len(text) > 6:
        text = " ".join(word.title() if len(word.strip(".")) > 1 else word for word in text.split())
    return text


def _is_name(name: str) -> bool:
    if _CJK_NAME.match(name):
        return True
    found = name.split()
    if not 2 <= len(found) <= 6 or len(name) > 60:
        return False
    capital = [word for word in found if word[0].isupper()]
    others = [word for word in found if not word[0].isupper() and word.casefold() not in PARTICLES]
    shaped = all(_NAME_WORD.match(word) for word in found)
    has_surname = any(len(word.strip(".")) > 1 for word in capital)
    return shaped and not others and len(capital) >= 2 and has_surname and not ADDRESS.search(name)


def _is_sure_name(name: str) -> bool:
    """A lone name has at most three full words, and none that titles are made of."""
    found = name.split()
    plain = [word for word in found if len(word.strip(".")) > 1 and word.casefold() not in PARTICLES]
    return _is_name(name) and len(plain) <= 3 and not any(word.casefold() in NO_NAMES for word in found)


def _surname_first(text: str) -> bool:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(parts):
        return False
    surname, given = parts
    words_given = given.split()
    initials = all(len(word.strip(".-")) <= 2 or "." in word for word in words_given)
    return (
        len(surname.split()) <= 3
        and len(words_given) <= 3
        and (surname[0].isupper() or surname.split()[0].casefold() in PARTICLES)
        and (initials or len(surname.split()) == 1)
        and not re.search(r"\d", text)
    )


def _turned(text: str) -> str:
    surname, _, given = text.partition(",")
    return f"{given.strip()} {surname.strip()}" if given else text
