"""The pages a model reads at once (§3.2): at most 20,000 tokens, one page of overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vectree.document import Page
from vectree.ingest.model.budget import cut_parts
from vectree.tokens import count_tokens

GROUP_TOKENS = 20_000
"""Tokens of a page group (§3.2)."""

OVERLAP = 1
"""Pages that a group shares with the one before it (§3.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageGroup:
    """Pages to be read together.

    Attributes:
        pages: Physical page and text, in order. A page that is too large for the model is alone in its group,
            with a part of its text; the groups that follow have the rest.
        overlap: How many of the first pages the group before has too.
    """

    pages: tuple[tuple[int, str], ...]
    overlap: int = 0

    @property
    def numbers(self) -> tuple[int, ...]:
        """Physical pages."""
        return tuple(number for number, _ in self.pages)

    @property
    def tokens(self) -> int:
        """Tokens of its text."""
        return sum(count_tokens(text) for _, text in self.pages)


def group_pages(
    pages: Sequence[Page],
    *,
    tokens: int = GROUP_TOKENS,
    hard: int | None = None,
    running: bool = True,
) -> list[PageGroup]:
    """Group pages.

    Neighbouring groups share one page where it fits beside the next one. A page over the bound is a group of
    its own; one that the model cannot take at all is cut into several. Pages without text are left out. Where
    numbers jump, a new group starts without an overlap.

    Args:
        pages: Pages in order.
        tokens: Most tokens of a group of more than one page.
        hard: Most tokens of any group, if the model has such a bound.
        running: Whether they are read as running text. If not, groups share no page, and pages that do not
            follow each other may stand in one group.

    Returns:
        Groups in order; every page with text is in one.
    """
    groups: list[PageGroup] = []
    current: list[tuple[int, str]] = []
    shared, last = 0, 0
    for page in pages:
        follows, last = not running or page.number - last <= OVERLAP, page.number
        if not page.text.strip():
            continue
        for text in cut_parts(page.text, hard) if hard is not None else [page.text]:
            if current and not (follows and _size(current) + count_tokens(text) <= tokens):
                groups.append(PageGroup(pages=tuple(current), overlap=shared))
                fits = running and follows and _size(current[-OVERLAP:]) + count_tokens(text) <= tokens
                current = current[-OVERLAP:] if fits and current[-1][0] != page.number else []
                shared = len(current)
            current.append((page.number, text))
    if len(current) > shared:
        groups.append(PageGroup(pages=tuple(current), overlap=shared))
    return groups


def _size(pages: Sequence[tuple[int, str]]) -> int:
    return sum(count_tokens(text) for _, text in pages)
