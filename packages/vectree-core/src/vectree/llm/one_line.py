"""Texts of others, made fit for a message of one line."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\s]+")


def one_line(text: str, limit: int = 160) -> str:
    """Put a text on one line and clip it.

    Args:
        text: Any text; control characters and white space become single spaces.
        limit: Characters kept; a clipped text ends with an ellipsis within this limit.

    Returns:
        The line.
    """
    line = _CONTROL.sub(" ", text[: limit * 8]).strip()
    clipped = len(line) > limit or len(text) > limit * 8
    return line[: limit - 1].rstrip() + "…" if clipped else line
