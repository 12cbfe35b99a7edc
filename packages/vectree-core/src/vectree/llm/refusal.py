"""Replies in which a model declines instead of answering."""

from __future__ import annotations

import re

_OPENING = 200
_CANNOT = r"(?:cannot|can['’]?t|can\ not|won['’]?t|will\ not)"
_UNABLE = r"(?:['’]m|\ am)\ (?:unable|not\ able)"
_TASK = r"""(?:access|answer|assist|browse|comply|complete|continue|create|discuss|do\ th[ai][ts]|engage
    |fulfil|generate|help|open|process|provide|read|see|summari[sz]e|view)"""
_REFUSAL = re.compile(
    rf"""
    i(?:['’]?m|\ am)\ (?:very\ |so\ |really\ )?sorry\b
    | sorry,?\ (?:but\ )?i\b
    | (?:unfortunately|apologies|i\ apologi[sz]e)\b.{{0,60}}\bi(?:\ {_CANNOT}|{_UNABLE})\b
    | i{_UNABLE}\b
    | i\ {_CANNOT}\ {_TASK}\b
    | as\ an?\ (?:ai|artificial\ intelligence|large\ language|language)\b
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


def is_refusal(text: str) -> bool:
    """Whether a reply opens like a refusal.

    Only the opening counts, and only in the first person singular, which scientific prose does not use for
    such sentences: "We cannot exclude …" is an answer.

    Args:
        text: A reply, or one string of it.

    Returns:
        Whether it declines.
    """
    return _REFUSAL.match(text.lstrip(" \t\r\n\"'“*#>-")[:_OPENING]) is not None
