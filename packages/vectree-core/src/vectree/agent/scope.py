"""A library that holds some of a corpus's papers, for questions that are asked about given papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vectree.agent.library import NO_FILTERS, Library, LibraryStats
from vectree.document import Figure, Page, Record, SectionTree
from vectree.errors import UnknownDocument
from vectree.evidence import Filters, SearchHit, SearchResult, SectionHit
from vectree.normal import name_key

LISTING = "*"
"""The query that lists instead of ranking."""

_SECTIONS = 4


class PassThroughLibrary:
    """A library that hands everything on; for libraries that change one thing.

    Args:
        inner: The library behind it.
    """

    def __init__(self, inner: Library) -> None:
        self._inner = inner

    def stats(self) -> LibraryStats:
        """Numbers of the library behind it."""
        return self._inner.stats()

    def search(
        self, query: str, *, top_k: int = 10, offset: int = 0, filters: Filters = NO_FILTERS
    ) -> SearchResult:
        """Search the library behind it."""
        return self._inner.search(query, top_k=top_k, offset=offset, filters=filters)

    def record(self, doc_id: str) -> Record:
        """Look up a document."""
        return self._inner.record(doc_id)

    def tree(self, doc_id: str) -> SectionTree:
        """Open a section tree."""
        return self._inner.tree(doc_id)

    def pages(self, doc_id: str, numbers: Sequence[int]) -> tuple[Page, ...]:
        """Read pages."""
        return self._inner.pages(doc_id, numbers)

    def within(self, doc_id: str, query: str, *, top_k: int = 5) -> tuple[SectionHit, ...]:
        """Rank sections."""
        return self._inner.within(doc_id, query, top_k=top_k)

    def figures(self, doc_id: str) -> tuple[Figure, ...]:
        """List figures."""
        return self._inner.figures(doc_id)

    def figure_bytes(self, doc_id: str, name: str) -> bytes:
        """Read a figure."""
        return self._inner.figure_bytes(doc_id, name)


class ScopedLibrary(PassThroughLibrary):
    """Some papers of a library, as if there were no others.

    The papers are given, so search hides none of them: those that the library behind it does not find follow
    the others, in the order of its listing.

    Args:
        inner: The library behind it.
        scope: The papers; all others are unknown.
    """

    def __init__(self, inner: Library, scope: frozenset[str]) -> None:
        super().__init__(inner)
        self._scope = scope

    def stats(self) -> LibraryStats:
        """Numbers of these papers."""
        about = [self._inner.record(doc_id).metadata for doc_id in sorted(self._scope)]
        years = [each.year for each in about if each.year is not None]
        return LibraryStats(
            documents=len(about),
            year_first=min(years, default=None),
            year_last=max(years, default=None),
            journals=len({name_key(each.journal) for each in about if each.journal}),
        )

    def search(
        self, query: str, *, top_k: int = 10, offset: int = 0, filters: Filters = NO_FILTERS
    ) -> SearchResult:
        """Rank these papers."""
        documents = max(self._inner.stats().documents, 1)
        listed = self._inner.search(LISTING, top_k=documents, filters=filters)
        hits = [hit for hit in listed.hits if hit.doc_id in self._scope]
        if query.strip() != LISTING:
            found = self._ranked(query, documents, filters) if len(self._scope) > 1 else []
            names = {hit.doc_id for hit in found}
            hits = found + [self._with_sections(hit, query) for hit in hits if hit.doc_id not in names]
        return SearchResult(
            query=query,
            hits=tuple(hits[offset : offset + top_k]),
            total_matches=len(hits),
            total_documents=len(self._scope),
        )

    def record(self, doc_id: str) -> Record:
        """Look up one of these papers."""
        return self._inner.record(self._known(doc_id))

    def tree(self, doc_id: str) -> SectionTree:
        """Open the tree of one of these papers."""
        return self._inner.tree(self._known(doc_id))

    def pages(self, doc_id: str, numbers: Sequence[int]) -> tuple[Page, ...]:
        """Read pages of one of these papers."""
        return self._inner.pages(self._known(doc_id), numbers)

    def within(self, doc_id: str, query: str, *, top_k: int = 5) -> tuple[SectionHit, ...]:
        """Rank the sections of one of these papers."""
        return self._inner.within(self._known(doc_id), query, top_k=top_k)

    def figures(self, doc_id: str) -> tuple[Figure, ...]:
        """List the figures of one of these papers."""
        return self._inner.figures(self._known(doc_id))

    def figure_bytes(self, doc_id: str, name: str) -> bytes:
        """Read a figure of one of these papers."""
        return self._inner.figure_bytes(self._known(doc_id), name)

    def _known(self, doc_id: str) -> str:
        if doc_id not in self._scope:
            raise UnknownDocument("There is no such document.")
        return doc_id

    def _ranked(self, query: str, documents: int, filters: Filters) -> list[SearchHit]:
        result = self._inner.search(query, top_k=documents, filters=filters)
        return [hit for hit in result.hits if hit.doc_id in self._scope]

    def _with_sections(self, hit: SearchHit, query: str) -> SearchHit:
        return replace(hit, sections=self._inner.within(hit.doc_id, query, top_k=_SECTIONS))
