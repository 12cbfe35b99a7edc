"""Libraries with a component taken out (§4.6)."""

from __future__ import annotations

from dataclasses import replace

from vectree.agent.library import NO_FILTERS
from vectree.agent.scope import LISTING, PassThroughLibrary
from vectree.evidence import Filters, SearchResult


class SectionlessLibrary(PassThroughLibrary):
    """Search that names papers but no sections: without the tree layer there are none."""

    def search(
        self, query: str, *, top_k: int = 10, offset: int = 0, filters: Filters = NO_FILTERS
    ) -> SearchResult:
        """Rank papers, and hide their sections."""
        result = self._inner.search(query, top_k=top_k, offset=offset, filters=filters)
        return replace(result, hits=tuple(replace(hit, sections=()) for hit in result.hits))


class ListingLibrary(PassThroughLibrary):
    """Search that lists every paper whatever the query: without the vector layer nothing is ranked.

    Deviation: the paper does not say whether BM25 stayed; "tree only, all docs" is read as no ranking at all.
    """

    def search(
        self, query: str, *, top_k: int = 10, offset: int = 0, filters: Filters = NO_FILTERS
    ) -> SearchResult:
        """List papers, as many at once as the library holds."""
        everything = max(top_k, self._inner.stats().documents)
        listed = self._inner.search(LISTING, top_k=everything, offset=offset, filters=filters)
        return replace(listed, query=query)
