"""What the parts of this package read from: a corpus, or anything with a library's methods."""

from __future__ import annotations

from collections.abc import Sequence

from vectree.agent.library import NO_FILTERS, Library, LibraryStats
from vectree.corpus.facade import Corpus
from vectree.document import Figure, Page, Record, SectionTree
from vectree.errors import UsageError
from vectree.evidence import Filters, SearchResult, SectionHit


def as_library(corpus: Corpus | Library) -> Library:
    """Find the reading side of a corpus.

    Args:
        corpus: A corpus, or a library such as `vectree.testing.library.MemoryLibrary`, returned as it is.

    Returns:
        A library.

    Raises:
        UsageError: If it is neither.
    """
    if isinstance(corpus, Corpus):
        return CorpusReader(corpus)
    if isinstance(corpus, Library):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may be untyped
        return corpus
    raise UsageError(
        f"{type(corpus).__name__!r} is no corpus.", hint='Pass the result of Corpus.open("papers-corpus").'
    )


class CorpusReader:
    """Implements `vectree.agent.library.Library` over the public methods of a corpus.

    Args:
        corpus: The corpus.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def stats(self) -> LibraryStats:
        """Describe the corpus.

        Returns:
            Its numbers.
        """
        return self._corpus.stats()

    def search(
        self, query: str, *, top_k: int = 10, offset: int = 0, filters: Filters = NO_FILTERS
    ) -> SearchResult:
        """Rank documents.

        Args:
            query: What is looked for.
            top_k: Most results to return.
            offset: Results to skip.
            filters: Restrictions applied before ranking.

        Returns:
            One page of results.
        """
        return self._corpus.search(query, top_k=top_k, offset=offset, filters=filters)

    def record(self, doc_id: str) -> Record:
        """Look up a document.

        Args:
            doc_id: The document.

        Returns:
            Its record.
        """
        return self._corpus.record(doc_id)

    def tree(self, doc_id: str) -> SectionTree:
        """Open a document's section tree.

        Args:
            doc_id: The document.

        Returns:
            The tree.
        """
        return self._corpus.tree(doc_id)

    def pages(self, doc_id: str, numbers: Sequence[int]) -> tuple[Page, ...]:
        """Read pages.

        Args:
            doc_id: The document.
            numbers: Physical pages, from 1.

        Returns:
            The pages, each once.
        """
        return self._corpus.pages(doc_id, list(numbers))

    def within(self, doc_id: str, query: str, *, top_k: int = 5) -> tuple[SectionHit, ...]:
        """Rank the sections of one document.

        Args:
            doc_id: The document.
            query: What is looked for.
            top_k: Most sections to return.

        Returns:
            Sections, best first.
        """
        return self._corpus.within(doc_id, query, top_k=top_k)

    def figures(self, doc_id: str) -> tuple[Figure, ...]:
        """List a document's figures.

        Args:
            doc_id: The document.

        Returns:
            Figures in page order.
        """
        return self._corpus.figures(doc_id)

    def figure_bytes(self, doc_id: str, name: str) -> bytes:
        """Read a figure's file.

        Args:
            doc_id: The document.
            name: Its recorded name.

        Returns:
            The encoded image.
        """
        return self._corpus.figure(doc_id, name)
