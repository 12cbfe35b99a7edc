"""The corpus as its tools see it: reading only, always what is committed now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vectree.agent.library import LibraryStats
from vectree.corpus.state import CorpusState, OpenIndex
from vectree.document import Figure, Page, Record, SectionTree
from vectree.evidence import Filters, SearchResult, SectionHit
from vectree.normal import name_key

NO_FILTERS = Filters()
"""Restricts nothing."""


class CorpusLibrary:
    """Implements ``agent.library.Library``; safe to use from several threads.

    Args:
        state: The open corpus.
        gates: Whether search leaves out marginal papers; ``False`` for the ablation of §4.6.
    """

    def __init__(self, state: CorpusState, *, gates: bool = True) -> None:
        self._state = state
        self._gates = gates

    def stats(self) -> LibraryStats:
        """Describe the corpus.

        Returns:
            Its numbers.
        """
        about = [record.metadata for record in self._state.store.records()]
        years = [entry.year for entry in about if entry.year is not None]
        return LibraryStats(
            documents=len(about),
            year_first=min(years, default=None),
            year_last=max(years, default=None),
            journals=len({name_key(entry.journal) for entry in about if entry.journal}),
        )

    def search(
        self, query: str, *, top_k: int = 10, offset: int = 0, filters: Filters = NO_FILTERS
    ) -> SearchResult:
        """Rank documents (§3.4), or list them if the query is ``"*"``.

        Args:
            query: What is looked for.
            top_k: Most results to return.
            offset: Results to skip.
            filters: Restrictions applied before ranking.

        Returns:
            One page of results.
        """
        while True:
            current = self._state.current()
            result = current.search.search(
                query, top_k=top_k, offset=offset, filters=filters, gates=self._gates
            )
            # An index that was rebuilt meanwhile may have been swept from under the search.
            if self._state.current() is current:
                return (
                    result if result.hits else replace(result, note=self._why_nothing(current, result.note))
                )

    def _why_nothing(self, current: OpenIndex, note: str) -> str:
        """Add to a note that papers are missing from the index: a writer died before it could add them."""
        missing = len(set(self._state.store.doc_ids()) - current.index.doc_ids())
        if not missing:
            return note
        return f"{note} {missing} stored documents are not indexed; run: vectree reindex.".strip()

    def record(self, doc_id: str) -> Record:
        """Look up a document.

        Args:
            doc_id: The document.

        Returns:
            Its record.
        """
        return self._state.store.record(doc_id)

    def tree(self, doc_id: str) -> SectionTree:
        """Open a document's section tree.

        Args:
            doc_id: The document.

        Returns:
            The tree.
        """
        return self._state.store.tree(doc_id)

    def pages(self, doc_id: str, numbers: Sequence[int]) -> tuple[Page, ...]:
        """Read pages.

        Args:
            doc_id: The document.
            numbers: Physical pages, from 1.

        Returns:
            The pages, each once, in page order.
        """
        return self._state.store.pages(doc_id, numbers)

    def within(self, doc_id: str, query: str, *, top_k: int = 5) -> tuple[SectionHit, ...]:
        """Rank the sections of one document.

        Args:
            doc_id: The document.
            query: What is looked for.
            top_k: Most sections to return.

        Returns:
            Sections, best first.
        """
        store = self._state.store
        record, tree, pages = store.consistent(
            doc_id, lambda record: (record, store.tree(doc_id), store.pages(doc_id))
        )
        return self._state.current().within.search(record, tree, pages, query, top_k=top_k)

    def figures(self, doc_id: str) -> tuple[Figure, ...]:
        """List the figures recorded for a document.

        Args:
            doc_id: The document.

        Returns:
            Figures in page order.
        """
        return self._state.store.figures(doc_id)

    def figure_bytes(self, doc_id: str, name: str) -> bytes:
        """Read a figure's file by its recorded name.

        Args:
            doc_id: The document.
            name: A name from ``figures``.

        Returns:
            The encoded image.
        """
        return self._state.store.figure_bytes(doc_id, name)
