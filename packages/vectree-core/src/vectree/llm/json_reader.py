"""The one reader of JSON that a model wrote: whatever can be recovered is, and no string is ever altered.

Strict JSON is returned as it is. Only where that fails are think-blocks, prose and code fences skipped
(:mod:`vectree.llm.json_candidates`), and what stands outside of strings forgiven
(:mod:`vectree.llm.json_lenient`). Length, depth and work are bounded, so that no reply keeps the reader busy.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto

from pydantic import JsonValue

from vectree.errors import ModelReplyError
from vectree.llm.json_candidates import Candidate, depth, find_candidates, whole
from vectree.llm.json_lenient import MAX_DEPTH
from vectree.llm.one_line import one_line

MAX_CHARACTERS = 400_000
"""Longest reply that is read: about 100,000 tokens, more than models generate at once."""


class Shape(Enum):
    """What the caller asked the model for."""

    ANY = auto()
    OBJECT = auto()
    ARRAY = auto()


_NAMES = {Shape.ANY: "JSON", Shape.OBJECT: "JSON object", Shape.ARRAY: "JSON array"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was read.

    Attributes:
        value: The value, in the shape asked for.
        complete: Whether nothing seems to be missing; false if the reply was cut off or items were left out.
    """

    value: JsonValue
    complete: bool = True


def read_json(text: str, *, want: Shape = Shape.ANY, list_field: str | None = None) -> Reading:
    """Read the JSON value in a model's reply.

    Where several values stand in the reply, one of the wanted shape is preferred, then one in a code fence,
    then the longest, then the last. A list where an object was asked becomes that object's ``list_field``, or
    the one object it holds; an object where a list was asked is opened if it holds one list, else becomes the
    one item; several objects where a list was asked become its items. Of a reply that was cut off, the
    complete items and members are kept.

    Args:
        text: The reply.
        want: Shape asked for.
        list_field: With ``Shape.OBJECT``, the member that holds the object's one list, if it has one.

    Returns:
        The value and whether it is complete.

    Raises:
        ModelReplyError: If no value of that shape can be read, or the reply is too long or too deep.
    """
    if len(text) > MAX_CHARACTERS:
        raise ModelReplyError(
            f"The model's reply has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read.",
            hint="Set a bound on the reply (max_tokens).",
        )
    wanted = _Wanted(shape=want, list_field=list_field)
    try:
        reading = wanted.reading(whole(text))
    except ValueError:
        reading = wanted.choose(find_candidates(text))
    if reading is None:
        said = f"No {_NAMES[want]} in the model's reply {one_line(text, 80)!r}."
        raise ModelReplyError(said if text.strip() else "The model's reply is empty.", reply=text[:2000])
    if depth(reading.value) > MAX_DEPTH:
        raise ModelReplyError(
            f"The model's reply is nested {depth(reading.value)} deep; at most {MAX_DEPTH} is read."
        )
    return reading


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """The shape asked for, and how other shapes are brought into it."""

    shape: Shape
    list_field: str | None

    def choose(self, candidates: Sequence[Candidate]) -> Reading | None:
        """The best candidate, in the shape asked for."""
        rows = [candidate for candidate in candidates if isinstance(candidate.value, dict)]
        wants_list = self.shape is Shape.ARRAY or self.list_field is not None
        if wants_list and len(rows) > 1 and not any(self._fits(candidate) for candidate in candidates):
            return self.reading([row.value for row in rows], complete=all(row.complete for row in rows))
        for candidate in sorted(candidates, key=self._rank, reverse=True):
            if reading := self.reading(candidate.value, complete=candidate.complete):
                return reading
        return None

    def reading(self, value: JsonValue, *, complete: bool = True) -> Reading | None:
        """The value in the shape asked for, if it can be brought into it."""
        shaped = self._shaped(value)
        return Reading(value=shaped, complete=complete) if self._is_shape(shaped) else None

    def _rank(self, candidate: Candidate) -> tuple[bool, bool, int, int]:
        length = candidate.end - candidate.start
        return self._fits(candidate), candidate.fenced, length, candidate.start

    def _fits(self, candidate: Candidate) -> bool:
        if candidate.scrap:
            return False
        if self.list_field is not None and isinstance(candidate.value, dict):
            return self.list_field in candidate.value
        return self._is_shape(candidate.value) or (
            self.list_field is not None and isinstance(candidate.value, list)
        )

    def _is_shape(self, value: JsonValue) -> bool:
        return self.shape is Shape.ANY or isinstance(value, dict if self.shape is Shape.OBJECT else list)

    def _shaped(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str) and self.shape is not Shape.ANY:
            with suppress(ValueError):
                value = whole(value)
        if self.shape is Shape.OBJECT:
            return _as_object(value, self.list_field)
        return _as_array(value) if self.shape is Shape.ARRAY else value


def _as_object(value: JsonValue, list_field: str | None) -> JsonValue:
    if isinstance(value, list):
        alone = value[0] if len(value) == 1 else None
        if isinstance(alone, dict) and (list_field is None or list_field in alone):
            return alone
        return value if list_field is None else {list_field: value}
    if not isinstance(value, dict) or list_field is None or list_field in value:
        return value
    return _with_list(value, list_field)


def _with_list(value: dict[str, JsonValue], list_field: str) -> JsonValue:
    """An object without the member that was asked for: a wrapper around it, or a single item of it."""
    lists = [member for member in value.values() if isinstance(member, list)]
    inner = next(iter(value.values())) if len(value) == 1 else None
    if isinstance(inner, dict) and list_field in inner:
        return inner
    if len(lists) == 1 and len(value) == 1:
        return {list_field: lists[0]}
    return value if lists or not value else {list_field: [value]}


def _as_array(value: JsonValue) -> JsonValue:
    if not isinstance(value, dict):
        return value
    lists = [member for member in value.values() if isinstance(member, list)]
    return lists[0] if len(lists) == 1 else [value]
