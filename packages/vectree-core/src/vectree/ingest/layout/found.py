"""A heading found by layout, before verification."""

from __future__ import annotations

from dataclasses import dataclass

from vectree.ingest.layout.body import Style
from vectree.ingest.numbering import Enumerator


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A heading found by layout, with the place it was found at.

    Attributes:
        page: Physical page.
        first: Position of its first row on the page.
        last: Position of its last row.
        number: Its number, if it belongs to an accepted chain.
        title: Title without the number.
        style: Its look.
        known: Whether it is one of the common section titles.
        run_in: Whether text follows it on the same line.
    """

    page: int
    first: int
    last: int
    number: Enumerator | None
    title: str
    style: Style
    known: bool = False
    run_in: bool = False

    @property
    def place(self) -> tuple[int, int]:
        """Page and row, for document order."""
        return self.page, self.first
