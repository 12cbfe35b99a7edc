"""What the tools need from a corpus, and nothing more.

Page numbers are physical pages counted from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from vectree.document import Figure, Page, Record, SectionTree
from vectree.evidence import Filters, SearchResult, SectionHit

NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryStats:
    """The corpus in four numbers; they fill the system prompt.

    Attributes:
        documents: Number of documents.
        year_first: Earliest known year of publication; ``None`` if no year is known.
        year_last: Latest known year of publication.
        journals: Number of distinct journals.
    """

    documents: int
    year_first: int | None = None
    year_last: int | None = None
    journals: int = 0


@runtime_checkable
class Library(Protocol):
    """Read access to a corpus. Safe to call from several threads."""

    def stats(self) -> LibraryStats:
        """Describe the corpus.

        Returns:
            Its numbers.
        """
        ...

    def search(
        self, query: str, *, top_k: int = 10, offset: int = 0, filters: Filters = NO_FILTERS
    ) -> SearchResult:
        """Rank documents (§3.4), or list them if the query is ``"*"``.

        Args:
            query: What is looked for.
            top_k: Number of results in this page of results.
            offset: Number of results to skip.
            filters: Restrictions applied before ranking.

        Returns:
            One page of results.

        Raises:
            InvalidArguments: If the query is empty.
        """
        ...

    def record(self, doc_id: str) -> Record:
        """Look up a document.

        Args:
            doc_id: The document.

        Returns:
            Its record.

        Raises:
            UnknownDocument: If there is no such document.
        """
        ...

    def tree(self, doc_id: str) -> SectionTree:
        """Open a document's section tree.

        Args:
            doc_id: The document.

        Returns:
            The tree.

        Raises:
            UnknownDocument: If there is no such document.
        """
        ...

    def pages(self, doc_id: str, numbers: Sequence[int]) -> tuple[Page, ...]:
        """Read pages.

        Args:
            doc_id: The document.
            numbers: Physical pages that exist.

        Returns:
            The pages, one for each distinct number.

        Raises:
            UnknownDocument: If there is no such document.
            InvalidArguments: If a page does not exist.
        """
        ...

    def within(self, doc_id: str, query: str, *, top_k: int = 5) -> tuple[SectionHit, ...]:
        """Rank the sections of one document.

        Args:
            doc_id: The document.
            query: What is looked for.
            top_k: Number of sections.

        Returns:
            Sections, best first; empty if nothing matches.

        Raises:
            UnknownDocument: If there is no such document.
            InvalidArguments: If the query is empty.
        """
        ...

    def figures(self, doc_id: str) -> tuple[Figure, ...]:
        """List the figures recorded for a document.

        Args:
            doc_id: The document.

        Returns:
            Figures in page order.

        Raises:
            UnknownDocument: If there is no such document.
        """
        ...

    def figure_bytes(self, doc_id: str, name: str) -> bytes:
        """Read a figure's file by its recorded name.

        Args:
            doc_id: The document.
            name: A name from ``figures``.

        Returns:
            The encoded image.

        Raises:
            UnknownDocument: If there is no such document.
            UnknownFigure: If no figure is recorded under this name.
        """
        ...
