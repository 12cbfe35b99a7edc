"""Texts under judgement, quoted so that nothing in them can be taken for an instruction or a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from vectree.fence import fence_for


def quoted(text: str, limit: int | None = None) -> str:
    """Quote a text between marks that do not occur in it.

    Args:
        text: The text.
        limit: Characters kept; ``None`` for all.

    Returns:
        The text between an opening and a closing mark.
    """
    kept = text if limit is None else text[:limit]
    mark = fence_for([kept])
    return f"<quoted {mark}>\n{kept}\n</quoted {mark}>"


def numbered(items: Sequence[str]) -> str:
    """List texts with their numbers, from 1, one a line.

    Args:
        items: The texts.

    Returns:
        ``"1. …"`` and so on.
    """
    return "\n".join(f"{number}. {' '.join(item.split())}" for number, item in enumerate(items, start=1))
