"""Where a quoted string of a model's JSON ends, and what it says: its characters are never changed."""

from __future__ import annotations

import json
import re
import sys
from enum import Enum, auto

from vectree.llm.json_budget import Budget

CLOSING = {'"': '"', "'": "'", "“": "”"}
"""Opening quotation marks a model may write, and the mark that closes each."""

_CHUNKS = {close: re.compile(rf"(?:[^{close}\\]|\\.)*+", re.DOTALL) for close in CLOSING.values()}
_MARKS = {close: re.compile(rf"\\.|{close}", re.DOTALL) for close in CLOSING.values()}
_ESCAPE = re.compile(
    r"\\(?:u[0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})*|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|.)", re.DOTALL
)
_SPACE = re.compile(r"\s*")
_NEXT_MEMBER = re.compile(
    r""",\s*(?:$|[}\]]|\.\.\.|//|/\*|\#|["'“](?:[^"'”\n\\]|\\.){0,200}["'”]\s*:|[A-Za-z_$][\w$-]{0,60}\s*:)"""
)
_NEXT_ITEM = re.compile(
    r""",\s*(?:$|[]}"'“{\[(\d-]|\.\.\.|//|/\*|\#|(?:true|false|null|none)\b)""", re.IGNORECASE
)


class Place(Enum):
    """What a string is: the key of a member, the value of a member, or an item of an array."""

    KEY = auto()
    MEMBER = auto()
    ITEM = auto()


def exact_end(text: str, start: int, close: str) -> int | None:
    """Find the end of a string by the standard's rule: the first mark that is not escaped.

    Args:
        text: The whole reply.
        start: Index after the opening mark.
        close: Closing mark.

    Returns:
        Index of the closing mark; ``None`` if the string is cut off.
    """
    match = _CHUNKS[close].match(text, start)
    end = match.end() if match else start
    return end if text.startswith(close, end) else None


def likely_end(text: str, start: int, close: str, place: Place, budget: Budget) -> int | None:
    """Find the end of a string that may hold marks which should have been escaped.

    A mark closes only where what follows makes sense there: a colon after a key; a bracket, or a comma and
    the start of another member or item, after a value.

    Args:
        text: The whole reply.
        start: Index after the opening mark.
        close: Closing mark.
        place: What the string is.
        budget: Work allowed; each mark looked at is a step, and ``OutOfBudget`` ends it.

    Returns:
        Index of the closing mark; ``None`` if none is found.
    """
    for mark in _MARKS[close].finditer(text, start):
        budget.spend()
        if len(mark[0]) == 1 and _closes(text, mark.end(), place):
            return mark.start()
    return None


def _closes(text: str, after: int, place: Place) -> bool:
    match = _SPACE.match(text, after)
    end = match.end() if match else after
    following = text[end : end + 1]
    if place is Place.KEY:
        return following == ":"
    if following == ",":
        return (_NEXT_MEMBER if place is Place.MEMBER else _NEXT_ITEM).match(text, end) is not None
    if following in ('"', "'"):
        return "\n" in text[after:end]
    return following in ("", "}", "]", ")")


def unescape(body: str, close: str) -> str:
    r"""Read the escapes of a string.

    An escape that JSON does not know is kept as written, so that ``\alpha`` and ``\%`` stay what they are.

    Args:
        body: What stands between the marks.
        close: Closing mark; Python's own escapes, such as ``\x41``, are read in single quotes only.

    Returns:
        The text.
    """
    if "\\" not in body:
        return body
    return _ESCAPE.sub(lambda match: _character(match[0], close), body)


def _character(escape: str, close: str) -> str:
    kind = escape[1]
    if kind in "'“”":
        return kind
    if kind in "xU" and len(escape) > 2:
        code = int(escape[2:], 16)
        return chr(code) if close == "'" and code <= sys.maxunicode else escape
    try:
        return json.loads(f'"{escape}"')
    except ValueError:
        return escape
