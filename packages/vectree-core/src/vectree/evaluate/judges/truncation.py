"""How much of a long text a judge is shown.

The protocol that MOSAIC's scoring follows cuts the context at 10,000 characters, statements at 5,000, answers
and references at 3,000. An answer that rests on the eleventh thousand then counts as unfaithful, and the more
a system reads, the worse it looks. Nothing is cut by default; ``ORIGINAL`` restores the cuts for comparison.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Truncation:
    """Bounds in characters; ``None`` cuts nothing.

    Attributes:
        text: Of an answer or a reference.
        statements: Of the list of statements.
        context: Of what was read.
    """

    text: int | None = None
    statements: int | None = None
    context: int | None = None


UNTRUNCATED = Truncation()
ORIGINAL = Truncation(text=3_000, statements=5_000, context=10_000)
