"""Reading one-word verdicts as models write them."""

from __future__ import annotations

import re
from typing import Any

_NOT_LETTER = re.compile(r"[^a-z]+")


def as_word(value: Any) -> Any:
    """Bring a verdict to the form the schema knows.

    Args:
        value: For example ``"**Correct.**"``; anything but a string is returned as it is.

    Returns:
        For example ``"correct"``.
    """
    return _NOT_LETTER.sub(" ", value.lower()).strip() if isinstance(value, str) else value


def as_letter(value: Any) -> Any:
    """Bring a selected option to its letter.

    Args:
        value: For example ``"(b)"``, ``"Option B"``, ``"B. text"``, ``"none"``, ``None``.

    Returns:
        ``"B"``; empty for none. Anything but a string or ``None`` is returned as it is.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    match = re.match(r"\s*(?:option\s+)?[*(\[\"'`]*([A-Za-z])(?![A-Za-z])", value, re.IGNORECASE)
    return match.group(1).upper() if match else ""
