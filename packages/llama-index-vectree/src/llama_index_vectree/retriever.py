"""A LlamaIndex retriever: which papers, which sections of them, which pages of those."""

from __future__ import annotations

import asyncio
from typing import Any, Literal, TypeVar, get_args

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks import CallbackManager
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.vector_stores import MetadataFilters

from llama_index_vectree.convert.filters import to_filters
from llama_index_vectree.convert.nodes import page_node, paper_node, section_node
from llama_index_vectree.library import as_library
from vectree.agent.library import Library
from vectree.agent.retrieve import Found, Unit, retrieve
from vectree.corpus.facade import Corpus
from vectree.errors import UsageError
from vectree.evidence import Filters
from vectree.search.fusion import K

Mode = Literal["pages", "sections", "documents"]
Score = Literal["rrf", "similarity", "rank"]
Word = TypeVar("Word", bound=str)


class VecTreeRetriever(BaseRetriever):
    """Retrieves from a corpus: papers by vectors and BM25, then sections and pages inside each paper.

    Takes the place of a vector index's retriever. Papers take turns: the best node of every paper comes before
    the second-best of any, so that ``similarity_top_k`` results are never pieces of one paper while others match.
    The relevance gates of §3.4 may leave fewer.

    Every node has a number as its score. ``score`` says which: ``"rrf"``, the paper's fused value, as small as
    such values are; ``"similarity"``, the paper's best cosine, which `SimilarityPostprocessor` can cut by;
    ``"rank"``, 1/(60 + rank), which falls from node to node and suits what sorts by score
    (`QueryFusionRetriever`). ``rrf``, ``similarity`` and ``bm25`` are in the metadata all the same (C27).

    Example:
        .. code-block:: python

            from llama_index_vectree import VecTreeRetriever
            from vectree import Corpus

            retriever = VecTreeRetriever(Corpus.open("papers-corpus"), similarity_top_k=4)
            for found in retriever.retrieve("Which electrolyte conducts above 80 °C?"):
                print(found.node.metadata["doc_id"], found.node.metadata["page_label"])

    Args:
        corpus: A `vectree.Corpus`, or a library of one's own.
        similarity_top_k: Most nodes to return.
        mode: ``"pages"``: whole pages, for a query engine. ``"sections"``: headings, page ranges and summaries.
            ``"documents"``: papers.
        per_paper: How many sections or pages of a paper come before it is the next paper's turn.
        score: What ``NodeWithScore.score`` is.
        filters: Restrictions applied before ranking: VecTree's `Filters`, or LlamaIndex's `MetadataFilters` on
            ``year``, ``journal`` and ``author``.
        callback_manager: As for every retriever.
        object_map: As for every retriever.
        verbose: As for every retriever.
    """

    def __init__(
        self,
        corpus: Corpus | Library,
        similarity_top_k: int = 5,
        *,
        mode: Mode = "pages",
        per_paper: int = 1,
        score: Score = "rrf",
        filters: Filters | MetadataFilters | None = None,
        callback_manager: CallbackManager | None = None,
        object_map: dict[str, Any] | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]  # LlamaIndex says Dict of what it is not
            callback_manager=callback_manager, object_map=object_map, verbose=verbose
        )
        self._library = as_library(corpus)
        self.similarity_top_k = _at_least_one("similarity_top_k", similarity_top_k)
        self.per_paper = _at_least_one("per_paper", per_paper)
        self.mode = _one_of("mode", mode, get_args(Mode))
        self.score = _one_of("score", score, get_args(Score))
        self.filters = to_filters(filters)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = retrieve(
            self._library,
            query_bundle.query_str,
            unit=Unit(self.mode),
            top_k=self.similarity_top_k,
            per_paper=self.per_paper,
            filters=self.filters,
        )
        return [
            NodeWithScore(node=self._node(item), score=self._score(item, rank))
            for rank, item in enumerate(found, start=1)
        ]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        # The inherited method would search on the event loop.
        return await asyncio.to_thread(self._retrieve, query_bundle)

    def _node(self, item: Found) -> TextNode:
        if item.section is None:
            return paper_node(item.hit, item.record)
        if item.page is None:
            return section_node(item.hit, item.record, item.section, self._library.tree(item.hit.doc_id))
        return page_node(item.hit, item.record, item.section, item.page)

    def _score(self, item: Found, rank: int) -> float:
        if self.score == "rank":
            return 1.0 / (K + rank)
        return float(item.hit.rrf if self.score == "rrf" else item.hit.similarity or 0.0)


def _at_least_one(name: str, value: int) -> int:
    if value < 1:
        raise UsageError(f"{name}={value}; it must be at least 1.")
    return value


def _one_of(name: str, value: Word, allowed: tuple[Word, ...]) -> Word:
    if value not in allowed:
        raise UsageError(f"{name}={value!r}; choose from {list(allowed)}.")
    return value
