"""What a model wrote, repeated in an error message."""

from __future__ import annotations

from vectree.tree.outline import clip


def shown(value: object, limit: int = 60) -> str:
    """A value as a model wrote it, short and safe to print.

    Args:
        value: Anything.
        limit: Most characters.

    Returns:
        The value on one line, in quotes if it is a text, free of characters that cannot be encoded.
    """
    text = value if isinstance(value, str) else str(value)
    line = clip(text[: 4 * limit].encode("utf-8", "replace").decode("utf-8"), limit)
    return f'"{line}"' if isinstance(value, str) else line
