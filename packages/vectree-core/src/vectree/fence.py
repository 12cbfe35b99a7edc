"""Marks around text that is quoted to a model, which the text cannot close (C39)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

_LENGTH = 12


def fence_for(texts: Sequence[str]) -> str:
    """Choose a mark that occurs in none of the texts.

    The mark is a hash of the texts: the same pages give the same payload, so that prefixes cache and runs can
    be replayed, and no author can know it while writing.

    Args:
        texts: Every text that will stand between the marks.

    Returns:
        Hexadecimal digits.
    """
    digest = hashlib.sha256()
    for text in texts:
        digest.update(len(text).to_bytes(8, "little"))
        digest.update(text.encode("utf-8", "replace"))
    mark = digest.hexdigest()[:_LENGTH]
    while any(mark in text.casefold() for text in texts):
        digest.update(b"again")
        mark = digest.hexdigest()[:_LENGTH]
    return mark
