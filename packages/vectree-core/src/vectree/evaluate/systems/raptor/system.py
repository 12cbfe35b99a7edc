"""RAPTOR as a system: a tree of summaries, all of its nodes searched at once (collapsed-tree retrieval)."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from vectree.errors import UsageError
from vectree.evaluate.records import Estimate, Footprint, OnProgress, Papers, Question, SystemAnswer
from vectree.evaluate.systems.chunk_index import embed_query, embed_texts
from vectree.evaluate.systems.chunks import Chunk, page_texts
from vectree.evaluate.systems.dense import ANSWER_TOKENS
from vectree.evaluate.systems.raptor.leaves import leaves_of
from vectree.evaluate.systems.raptor.presets import PASSAGES, RaptorSettings
from vectree.evaluate.systems.raptor.reduction import Reduce, reduce_by_umap
from vectree.evaluate.systems.raptor.summaries import SummaryWriter
from vectree.evaluate.systems.raptor.tree import RaptorNode, RaptorTree, build_tree
from vectree.evaluate.systems.scope import documents_of
from vectree.evaluate.systems.writing import Retrieved, write_answer
from vectree.evidence import RunUsage
from vectree.index.dense import cosines
from vectree.index.embedder import Vectors
from vectree.llm.chat import ChatModel
from vectree.llm.usage import MeteredModel
from vectree.prompts import template
from vectree.tokens import count_tokens

_OVERLAP = 1.3
"""Nodes belong to more than one cluster: what is summarised, over what there is; for the dry run."""

_FILLING = 0.5
"""How full clusters are, for the dry run."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RaptorIndex:
    """All nodes of all trees.

    Attributes:
        nodes: The n nodes.
        vectors: Shape (n, dimension).
        documents: For each node the papers below it.
    """

    nodes: tuple[RaptorNode, ...]
    vectors: Vectors
    documents: tuple[frozenset[str], ...]


@dataclass(slots=True, kw_only=True)
class RaptorSystem:
    """Clusters and summarises passages, and answers in one call from the nearest passages and summaries.

    A summary counts as evidence for every page below it. For questions about given papers each paper has a
    tree of its own; otherwise one tree spans the corpus.

    Attributes:
        name: What ``--systems`` takes.
        title: What tables show.
        settings: Of tree and search.
        tree_for_each_paper: Whether each paper has its own tree.
        reduce: Takes vectors to few dimensions.
        documents: Papers that will be asked about, if not all; set by ``expect``.
        papers: Set by ``prepare``.
        index: Set by ``prepare``.
    """

    name: str = "raptor"
    title: str = "RAPTOR"
    settings: RaptorSettings = PASSAGES
    tree_for_each_paper: bool = False
    reduce: Reduce = reduce_by_umap
    documents: frozenset[str] | None = None
    papers: Papers | None = None
    index: RaptorIndex | None = field(default=None, repr=False)

    @property
    def needs_model(self) -> bool:
        """Summaries are written by a model."""
        return True

    @property
    def parameters(self) -> dict[str, Any]:
        """Every setting."""
        return {
            **asdict(self.settings),
            "trees": "one for each paper" if self.tree_for_each_paper else "one",
            "clusters": "UMAP from seeded random places, Gaussian mixtures by BIC, twice",
            "retrieval": "collapsed tree",
            "summary_temperature": 0.0,
            "similarity": "cosine",
            "tokenizer": "characters / 4",
            "embedder": self.papers.embedder.fingerprint.name if self.papers else None,
        }

    def expect(self, documents: frozenset[str] | None) -> None:
        """Build trees only for papers that will be asked about, where each has its own.

        Args:
            documents: Those papers; ``None`` for all.
        """
        self.documents = documents

    def prepare(
        self, papers: Papers, *, model: ChatModel | None, on_progress: OnProgress | None = None
    ) -> Footprint:
        """Build the trees.

        Args:
            papers: The corpus.
            model: Writes the summaries.
            on_progress: Called with trees built and trees in all.

        Returns:
            One vector a node; the calls that the summaries took; a hash of the trees.

        Raises:
            UsageError: If there is no model.
        """
        if model is None:
            raise UsageError(f"The system {self.name!r} needs a model for its summaries.")
        self.papers = papers
        started = time.perf_counter()
        meter = MeteredModel(model)
        writer = SummaryWriter(meter, self.settings.summary_tokens)
        trees = list(self._trees(papers, writer, on_progress))
        self.index = _joined(trees, papers.embedder.fingerprint.dimension)
        written = b"\n".join(tree.serialized() for tree in trees)
        layers = [node.layer for node in self.index.nodes]
        return Footprint(
            vectors=len(layers),
            index_bytes=self.index.vectors.nbytes + len(written),
            seconds=time.perf_counter() - started,
            usage=_run_usage(meter),
            details={
                "trees": len(trees),
                "leaves": layers.count(0),
                "summaries": len(layers) - layers.count(0),
                "summaries_missing": writer.missing,
                "layers": 1 + max(layers, default=0),
                "tree_sha256": hashlib.sha256(written).hexdigest(),
            },
        )

    def answer(self, question: Question, *, model: ChatModel | None, seed: int) -> SystemAnswer:
        """Find nodes, and answer from them.

        Args:
            question: The question.
            model: Writes the answer.
            seed: Not used; the tree has a seed of its own.

        Returns:
            The answer; its evidence is every page below a node that was shown.

        Raises:
            UsageError: If the system was not prepared.
        """
        del seed
        if self.papers is None or self.index is None:
            raise UsageError(f"The system {self.name!r} was not prepared.")
        started = time.perf_counter()
        shown = self._nearest(question, self.papers, self.index)
        retrieved = Retrieved(chunks=shown, seconds=time.perf_counter() - started)
        made = write_answer(question, retrieved, library=self.papers.library, model=model)
        made.details["summaries"] = sum(node.layer > 0 for node in shown)
        return made

    def estimate(self, papers: Papers, question: Question | None) -> Estimate:
        """Foresee the summaries, or one call.

        Args:
            papers: The corpus.
            question: The question; ``None`` for the summaries.

        Returns:
            Expected calls and tokens.
        """
        rules = self.settings
        if question is None:
            trees = [self._leaves(papers, group) for group in self._groups(papers)]
            leaves = [leaf for tree in trees if len(tree) > rules.smallest_layer for leaf in tree]
            held = _OVERLAP * sum(count_tokens(leaf.text) for leaf in leaves)
            full = _FILLING * rules.cluster_tokens
            prompts = held / (1 - min(0.5, rules.summary_tokens / full))
            calls = prompts / full
            asked = calls * count_tokens(template("eval_raptor_summary"))
            return Estimate(
                calls=calls,
                prompt_tokens=prompts + asked,
                completion_tokens=calls * rules.summary_tokens,
            )
        bounds = [rules.shown_tokens, None if rules.top_k is None else rules.top_k * rules.leaf_tokens]
        shown = min(bound for bound in bounds if bound is not None)
        asked = count_tokens(template("eval_rag")) + count_tokens(question.asked)
        return Estimate(
            calls=1, prompt_tokens=asked + shown, completion_tokens=ANSWER_TOKENS, context_tokens=shown
        )

    def _groups(self, papers: Papers) -> list[tuple[str, ...]]:
        """The papers of each tree."""
        if not self.tree_for_each_paper:
            return [papers.doc_ids]
        return [(name,) for name in papers.doc_ids if self.documents is None or name in self.documents]

    def _leaves(self, papers: Papers, group: Sequence[str]) -> list[Chunk]:
        pages = {doc_id: page_texts(papers, doc_id) for doc_id in group}
        return [leaf for doc_id in group for leaf in leaves_of(doc_id, pages[doc_id], self.settings)]

    def _trees(
        self, papers: Papers, writer: SummaryWriter, on_progress: OnProgress | None
    ) -> Iterator[RaptorTree]:
        def embed(texts: Sequence[str]) -> Vectors:
            return embed_texts(papers.embedder, texts)

        groups = self._groups(papers)
        for done, group in enumerate(groups, start=1):
            yield build_tree(self._leaves(papers, group), self.settings, embed, writer, self.reduce)
            if on_progress is not None:
                on_progress(done, len(groups), "trees built")

    def _nearest(self, question: Question, papers: Papers, index: RaptorIndex) -> tuple[RaptorNode, ...]:
        """The nearest nodes below which there is nothing but papers in scope, up to the bounds."""
        scope = frozenset(documents_of(papers, question))
        places = [place for place, below in enumerate(index.documents) if below <= scope]
        similar = cosines([index.vectors[places]], embed_query(papers.embedder, question.asked))
        shown: list[RaptorNode] = []
        used = 0
        ranked: list[int] = np.argsort(-similar, kind="stable").tolist()
        for node in [index.nodes[places[place]] for place in ranked[: self.settings.top_k]]:
            used += count_tokens(node.text)
            if shown and self.settings.shown_tokens is not None and used > self.settings.shown_tokens:
                break
            shown.append(node)
        return tuple(shown)


def _joined(trees: Sequence[RaptorTree], dimension: int) -> RaptorIndex:
    nodes = tuple(node for tree in trees for node in tree.nodes)
    empty = np.zeros((0, dimension), dtype=np.float32)
    return RaptorIndex(
        nodes=nodes,
        vectors=np.concatenate([empty, *(tree.vectors for tree in trees)]),
        documents=tuple(frozenset(doc_id for doc_id, _ in node.units) for node in nodes),
    )


def _run_usage(meter: MeteredModel) -> RunUsage:
    used = meter.usage
    return RunUsage(
        prompt_tokens=used.prompt_tokens,
        completion_tokens=used.completion_tokens,
        cached_tokens=used.cached_tokens,
        model_calls=meter.calls,
        cost=used.cost,
    )
