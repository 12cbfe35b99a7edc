"""Where JSON stands in a reply: past think-blocks, prose and code fences, never inside of another value."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass

from pydantic import JsonValue

from vectree.llm.json_budget import Budget, OutOfBudget
from vectree.llm.json_lenient import MAX_DEPTH, LenientParser, State, Unreadable, number_from

_MAX_FAILURES = 32
"""Brackets that may turn out to be prose before the search is given up."""

_MAX_STEPS = 200_000
"""Values and members looked at over one reply: under a second of work."""

_MARK = re.compile(
    r"<(?P<slash>/?)(?:think|thinking|thought|reasoning)\s*>|(?P<fence>```|~~~)|[{\[]", re.IGNORECASE
)
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning)\s*>", re.IGNORECASE)
_DECODER = json.JSONDecoder(
    parse_int=number_from, parse_float=number_from, parse_constant=lambda _: None, strict=False
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An object or array found in a reply.

    Attributes:
        value: What was read.
        start: Index of its first character.
        end: Index after its last.
        complete: Whether all of it is there.
        fenced: Whether it stands in a code fence.
        scrap: Whether it is what could be read before something unreadable, and holds no list or object.
    """

    value: JsonValue
    start: int
    end: int
    complete: bool = True
    fenced: bool = False
    scrap: bool = False


def whole(text: str) -> JsonValue:
    """Read a text that is JSON and nothing else.

    Args:
        text: The text; white space and a byte order mark around it are ignored.

    Returns:
        The value. Numbers that no int or finite float holds stay text; ``NaN`` and infinities are ``None``.

    Raises:
        ValueError: If it is not JSON.
    """
    try:
        return _DECODER.decode(text.strip("\ufeff \t\r\n"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def depth(value: JsonValue) -> int:
    """How many brackets enclose the innermost value.

    Args:
        value: Any JSON value.

    Returns:
        0 for a number or string, 1 for a flat list.
    """
    level, values = 0, [value]
    while values:
        inner: list[JsonValue] = []
        for each in values:
            if isinstance(each, dict):
                inner.extend(each.values())
            elif isinstance(each, list):
                inner.extend(each)
        level += any(isinstance(each, dict | list) for each in values)
        values = inner
    return level


def find_candidates(text: str) -> list[Candidate]:
    """Find every object and array that stands on its own in a reply.

    What a think-block holds is left out. A think-block that is never closed counts as a part of the reply;
    what is found in it is not complete.

    Args:
        text: The reply.

    Returns:
        In reading order; those after the last think-block, if there are any.
    """
    search = _Search(text)
    with suppress(OutOfBudget):
        search.run()
    return search.found or search.before_thought


class _Search:
    """One pass over a reply, from left to right."""

    def __init__(self, text: str) -> None:
        self.found: list[Candidate] = []
        self.before_thought: list[Candidate] = []
        self._text = text
        self._budget = Budget(_MAX_STEPS)
        self._thought_ends = [match.end() for match in _THOUGHT_END.finditer(text)]
        self._thinking = False
        self._fenced = False
        self._position = 0

    def run(self) -> None:
        failures = 0
        while failures < _MAX_FAILURES and (mark := _MARK.search(self._text, self._position)):
            self._position = mark.end()
            if mark["fence"]:
                self._fenced = not self._fenced
            elif mark["slash"] is None:
                failures += not self._read(mark.start())
            elif mark["slash"]:
                self.before_thought, self.found = self.found or self.before_thought, []
            else:
                self._skip_thought()

    def _skip_thought(self) -> None:
        following = bisect_right(self._thought_ends, self._position)
        if following < len(self._thought_ends):
            self._position = self._thought_ends[following]
        else:
            self._thinking = True

    def _read(self, start: int) -> bool:
        candidate = self._value_at(start)
        if candidate is None:
            return False
        self._position = candidate.end
        self.found.append(candidate)
        return True

    def _value_at(self, start: int) -> Candidate | None:
        with suppress(ValueError, RecursionError):
            value, end = _DECODER.raw_decode(self._text, start)
            if depth(value) <= MAX_DEPTH:
                return self._candidate(value, start, end)
        cut, reached = None, start
        for loose in (False, True):
            parser = LenientParser(self._text, start, self._budget, loose=loose)
            try:
                value, state = parser.parse()
            except Unreadable as error:
                reached = max(reached, error.position)
                continue
            complete = state is State.WHOLE and not parser.skipped
            candidate = self._candidate(value, start, parser.position, complete=complete)
            if complete:
                return candidate
            cut = cut or candidate
        return cut or self._value_before(start, reached)

    def _value_before(self, start: int, reached: int) -> Candidate | None:
        """What can be read before the place where reading failed."""
        try:
            value, _ = LenientParser(self._text[:reached], start, self._budget, loose=True).parse()
        except Unreadable:
            return None
        return self._candidate(value, start, reached, complete=False, scrap=depth(value) < 2)

    def _candidate(
        self, value: JsonValue, start: int, end: int, *, complete: bool = True, scrap: bool = False
    ) -> Candidate:
        complete = complete and not self._thinking
        return Candidate(
            value=value, start=start, end=end, complete=complete, fenced=self._fenced, scrap=scrap
        )
