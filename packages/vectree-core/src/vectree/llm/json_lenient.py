"""A parser for what models write in place of JSON: it forgives everything outside of strings.

It accepts trailing, doubled and (between lines or brackets) missing commas, single and typographic quotes,
unquoted keys, Python's and JavaScript's words for true, false and nothing, tuples, comments, ``...`` where
items were left out, a bracket of the wrong kind, and text that ends too early.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Final

from pydantic import JsonValue

from vectree.llm.json_budget import Budget
from vectree.llm.json_strings import CLOSING, Place, exact_end, likely_end, unescape

MAX_DEPTH = 64
"""Brackets within brackets; a reply that is deeper is no reply."""

_COMMENT = r"//[^\n]*|/\*.{0,500}?\*/|\#[^\n]*"
_SPACE = re.compile(rf"(?:\s|{_COMMENT})*+", re.DOTALL)
_COMMAS = re.compile(rf"(?:\s|,|{_COMMENT})*+", re.DOTALL)
_ELISION = re.compile(r"\.\.\.|…")
_BARE_KEY = re.compile(r"[A-Za-z_$][\w$-]*|\d+")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?=[\s,}\]):/#]|$)")
_WORD = re.compile(r"-?[A-Za-z]+\b")
_BARE_TEXT = re.compile(r"""[^\s,{}\[\]"':][^,{}\[\]"\n]*""")
_NEXT_OBJECT = re.compile(r"\}\s*(?:,\s*)?(?=\{)")
_WORDS: dict[str, bool | None] = {
    "true": True,
    "false": False,
    "null": None,
    "none": None,
    "undefined": None,
    "nan": None,
    "-nan": None,
    "infinity": None,
    "-infinity": None,
}
_CLOSERS = "}])"


class Unreadable(Exception):
    """What stands at ``position`` can be no JSON, not even carelessly written."""

    def __init__(self, position: int) -> None:
        super().__init__(f"unreadable at character {position}")
        self.position = position


class State(Enum):
    """How much of a value is there."""

    WHOLE = auto()
    CUT = auto()
    """The text ends inside it."""
    CUT_INSIDE = auto()
    """The text ends inside a list or object that it holds; its other members are whole."""


class _Missing:
    """Stands for a value of which nothing usable was written."""


_MISSING: Final = _Missing()
_Part = tuple[JsonValue | _Missing, State]


class LenientParser:
    """Reads one object or array.

    Args:
        text: The reply; reading stops at its end.
        start: Index of the opening bracket.
        budget: Work allowed.
        loose: Also accept unescaped quotation marks within strings, unquoted text as the value of a member,
            and skip items that cannot be read. Otherwise every string is exactly what JSON says it is.
    """

    def __init__(self, text: str, start: int, budget: Budget, *, loose: bool = False) -> None:
        self._text = text
        self._budget = budget
        self._loose = loose
        self.position = start
        self._last_object = len(text)
        self.skipped = False
        """Whether items were left out, by the model or because they could not be read."""

    def parse(self) -> tuple[JsonValue, State]:
        """Read the value.

        Returns:
            The value and how much of it is there. Of a cut array the complete items are kept, of a cut
            object the complete members.

        Raises:
            Unreadable: If this is no JSON. (The budget may also end the work, with ``OutOfBudget``.)
        """
        value, state = self._value(0, Place.ITEM)
        if isinstance(value, _Missing):
            raise Unreadable(self.position)
        return value, state

    def _value(self, depth: int, place: Place) -> _Part:
        self._budget.spend()
        if depth > MAX_DEPTH:
            raise Unreadable(self.position)
        self._skip(_SPACE)
        opening = self._peek()
        if opening == "{":
            return self._object(depth)
        if opening and opening in "[(":
            return self._array(depth)
        if opening in CLOSING:
            return self._string(place)
        return self._scalar(place)

    def _object(self, depth: int) -> _Part:
        members: dict[str, JsonValue] = {}
        self.position += 1
        while not self._ended():
            key = self._key()
            self._skip(_SPACE)
            if key is None or not self._peek():
                return _part(members, State.CUT)
            if self._peek() != ":":
                raise Unreadable(self.position)
            self.position += 1
            value, state = self._value(depth + 1, Place.MEMBER)
            if not isinstance(value, _Missing):
                members[key] = value
            if state is not State.WHOLE:
                return _part(members, State.CUT if isinstance(value, _Missing) else State.CUT_INSIDE)
        return self._closed(members, "}")

    def _array(self, depth: int) -> _Part:
        items: list[JsonValue] = []
        nested = False
        self.position += 1
        while not self._ended():
            try:
                value, state = self._value(depth + 1, Place.ITEM)
            except Unreadable as error:
                self._resume(error)
                continue
            if not isinstance(value, _Missing) and state is not State.CUT:
                items.append(value)
                nested = nested or isinstance(value, dict | list)
            if state is not State.WHOLE:
                return _part(items, State.CUT_INSIDE if nested else State.CUT)
        return self._closed(items, "])", nested=nested)

    def _ended(self) -> bool:
        """Go past commas; say whether the container ends here."""
        before = self.position
        self._skip(_COMMAS)
        while match := _ELISION.match(self._text, self.position):
            self.skipped = True
            self.position = match.end()
            self._skip(_COMMAS)
        following = self._peek()
        if not following or following in _CLOSERS:
            return True
        between = self._text[before : self.position]
        if not any(mark in between for mark in ",\n…") and not self._beside_bracket(before, following):
            raise Unreadable(self.position)
        return False

    def _beside_bracket(self, before: int, following: str) -> bool:
        """Whether a comma may be missing: after a bracket, or before an opening one."""
        return self._text[before - 1] in "{[(" + _CLOSERS or following in "{["

    def _closed(
        self, container: dict[str, JsonValue] | list[JsonValue], closers: str, *, nested: bool = False
    ) -> _Part:
        closer = self._peek()
        if not closer:
            return _part(container, State.CUT_INSIDE if nested else State.CUT)
        if closer in closers:
            self.position += 1
        return container, State.WHOLE

    def _key(self) -> str | None:
        self._budget.spend()
        if self._peek() in CLOSING:
            key, _ = self._string(Place.KEY)
            return key if isinstance(key, str) else None
        match = _BARE_KEY.match(self._text, self.position)
        if not match:
            raise Unreadable(self.position)
        self.position = match.end()
        return match[0]

    def _string(self, place: Place) -> _Part:
        close = CLOSING[self._peek()]
        start = self.position + 1
        end = likely_end(self._text, start, close, place, self._budget) if self._loose else None
        if end is None:
            end = exact_end(self._text, start, close)
        if end is None:
            self.position = len(self._text)
            return _MISSING, State.CUT
        self.position = end + 1
        return unescape(self._text[start:end], close), State.WHOLE

    def _scalar(self, place: Place) -> _Part:
        if not self._peek():
            return _MISSING, State.CUT
        if self._loose and place is Place.MEMBER and (bare := _BARE_TEXT.match(self._text, self.position)):
            return self._scalar_at(bare.end(), _typed(bare[0].strip()))
        if number := _NUMBER.match(self._text, self.position):
            return self._scalar_at(number.end(), number_from(number[0]))
        word = _WORD.match(self._text, self.position)
        if not word or word[0].lower() not in _WORDS:
            raise Unreadable(self.position)
        return self._scalar_at(word.end(), _WORDS[word[0].lower()])

    def _scalar_at(self, end: int, value: JsonValue) -> _Part:
        """A number or word that touches the end of the text may have been cut."""
        self.position = end
        return (value, State.WHOLE) if end < len(self._text) else (_MISSING, State.CUT)

    def _resume(self, error: Unreadable) -> None:
        """Go on at the next object of a list, leaving out the one that cannot be read."""
        if not self._loose or error.position >= self._last_object:
            raise error
        match = _NEXT_OBJECT.search(self._text, error.position)
        if not match:
            self._last_object = error.position
            raise error
        self._budget.spend()
        self.skipped = True
        self.position = match.end()

    def _skip(self, pattern: re.Pattern[str]) -> None:
        if match := pattern.match(self._text, self.position):
            self.position = match.end()

    def _peek(self) -> str:
        return self._text[self.position : self.position + 1]


def _part(container: dict[str, JsonValue] | list[JsonValue], state: State) -> _Part:
    return (container, state) if container else (_MISSING, State.CUT)


def _typed(written: str) -> JsonValue:
    """The value of a bare word: a number, a constant, or the word itself."""
    if written.lower() in _WORDS:
        return _WORDS[written.lower()]
    return number_from(written) if _NUMBER.fullmatch(written) else written


def number_from(written: str) -> JsonValue:
    """Read a number.

    Args:
        written: Digits, perhaps with sign, point and exponent.

    Returns:
        An int or a finite float; a number too large for either is returned as it was written.
    """
    try:
        return int(written)
    except ValueError:
        pass
    number = float(written)
    return number if abs(number) < float("inf") else written
