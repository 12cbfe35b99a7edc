"""Single-call baselines: find passages once, answer from them once (§4.2)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vectree.errors import UsageError
from vectree.evaluate.records import Estimate, Footprint, OnProgress, Papers, Question, SystemAnswer
from vectree.evaluate.systems.chunk_index import Chunker, ChunkIndex, build_index
from vectree.evaluate.systems.chunks import (
    CHUNK_TOKENS,
    OVERLAP_TOKENS,
    Passage,
    page_chunks,
    page_texts,
    passage_chunks,
)
from vectree.evaluate.systems.rerank import CANDIDATES, Scorer, rerank
from vectree.evaluate.systems.scope import documents_of
from vectree.evaluate.systems.writing import Retrieved, prompt, write_answer
from vectree.llm.chat import ChatModel
from vectree.prompts import template
from vectree.tokens import count_tokens

TOP_K = 10
"""§4.2: passages for QASPER and LitQA2."""

MOSAIC_TOP_K = 232
"""§4.2: passages for MOSAIC."""

ANSWER_TOKENS = 350
"""Room left for the answer where prompts are measured out."""

_PAGE_TOKENS = 150
_FRAME_TOKENS = 30


@dataclass(slots=True, kw_only=True)
class PassageSystem:
    """Finds units of retrieval by similarity, perhaps fuses, perhaps reranks, and answers in one call.

    Attributes:
        name: What ``--systems`` takes.
        title: What tables show.
        k: Units handed to the model.
        whole_pages: Whether units are pages (paragraphs on QASPER); otherwise passages of fixed length.
        fusion: Whether BM25 ranks are fused with dense ranks.
        scorer: Reranks ``CANDIDATES`` units; ``None`` for none.
        papers: Set by ``prepare``.
        index: Set by ``prepare``.
    """

    name: str
    title: str
    k: int = TOP_K
    whole_pages: bool = False
    fusion: bool = False
    scorer: Scorer | None = None
    papers: Papers | None = None
    index: ChunkIndex | None = None

    @property
    def needs_model(self) -> bool:
        """Retrieval works without one."""
        return False

    @property
    def parameters(self) -> dict[str, Any]:
        """Every setting."""
        cut = {} if self.whole_pages else {"chunk_tokens": CHUNK_TOKENS, "overlap_tokens": OVERLAP_TOKENS}
        reranked: dict[str, Any] = {}
        if self.scorer is not None:
            reranked = {"reranker": self.scorer.name, "candidates": max(CANDIDATES, self.k)}
            if not self.scorer.measured:
                reranked["unmeasured"] = "a stand-in in the place of the cross-encoder"
        return {
            "units": "pages" if self.whole_pages else "passages",
            **cut,
            **self.amount,
            "ranking": "dense + BM25, RRF" if self.fusion else "dense",
            **reranked,
            "similarity": "cosine",
            "tokenizer": "characters / 4",
            "embedder": self.papers.embedder.fingerprint.name if self.papers else None,
        }

    @property
    def amount(self) -> dict[str, Any]:
        """The setting that says how many units are shown."""
        return {"k": self.k}

    def prepare(
        self, papers: Papers, *, model: ChatModel | None, on_progress: OnProgress | None = None
    ) -> Footprint:
        """Cut and embed the corpus.

        Args:
            papers: The corpus.
            model: Not used.
            on_progress: Called with units embedded.

        Returns:
            One vector a unit.
        """
        del model
        self.papers = papers
        self.index = build_index(papers, self._chunker, lexical=self.fusion, on_progress=on_progress)
        return Footprint(
            vectors=len(self.index.chunks), index_bytes=self.index.index_bytes, seconds=self.index.seconds
        )

    def answer(self, question: Question, *, model: ChatModel | None, seed: int) -> SystemAnswer:
        """Retrieve, and answer if there is a model.

        Args:
            question: The question.
            model: Writes the answer.
            seed: Not used; nothing here is random.

        Returns:
            The answer with all units shown.
        """
        papers, _ = self.prepared()
        retrieved = self.retrieve(question, self.limit(question, seed, model))
        made = write_answer(question, retrieved, library=papers.library, model=model)
        if self.scorer is not None:
            made.details.update(scorer=self.scorer.name, measured=self.scorer.measured)
        return made

    def retrieve(self, question: Question, k: int) -> Retrieved:
        """Find units.

        Args:
            question: Asked as it stands, options and all.
            k: Most units.

        Returns:
            Units, best first.
        """
        papers, index = self.prepared()
        started = time.perf_counter()
        documents = documents_of(papers, question)
        wanted = max(CANDIDATES, k) if self.scorer else k
        find = index.fused if self.fusion else index.dense
        found = find(question.asked, documents, wanted)
        if self.scorer is not None:
            found = rerank(question.asked, found, self.scorer, k)
        return Retrieved(chunks=tuple(found), seconds=time.perf_counter() - started)

    def limit(self, question: Question, seed: int, model: ChatModel | None) -> int:
        """How many units a question gets.

        Args:
            question: The question.
            seed: Of the run.
            model: Bounds what can be sent, where its window is known.

        Returns:
            ``k``.
        """
        del question, seed, model
        return self.k

    def prepared(self) -> tuple[Papers, ChunkIndex]:
        """What ``prepare`` made.

        Returns:
            The corpus and the index.

        Raises:
            UsageError: If it was not called.
        """
        if self.papers is None or self.index is None:
            raise UsageError(f"The system {self.name!r} was not prepared.")
        return self.papers, self.index

    def estimate(self, papers: Papers, question: Question | None) -> Estimate:
        """Foresee one call; a question about given papers cannot be shown more than they hold.

        Args:
            papers: The corpus.
            question: The question; ``None`` for preparing, which takes no calls.

        Returns:
            Expected calls and tokens.
        """
        if question is None:
            return Estimate()
        unit = _PAGE_TOKENS if self.whole_pages else CHUNK_TOKENS
        shown, units = float(self.k * unit), float(self.k)
        if question.scope is not None:
            pages = {doc_id: page_texts(papers, doc_id) for doc_id in documents_of(papers, question)}
            held = [chunk for doc_id, texts in pages.items() for chunk in self._chunker(doc_id, texts)]
            share = min(1.0, self.k / len(held)) if held else 0.0
            shown = share * sum(count_tokens(chunk.text) for chunk in held)
            units = share * len(held)
        asked = count_tokens(template("eval_rag")) + count_tokens(question.asked)
        return Estimate(
            calls=1,
            prompt_tokens=asked + shown + units * _FRAME_TOKENS,
            completion_tokens=ANSWER_TOKENS,
            context_tokens=shown,
        )

    @property
    def _chunker(self) -> Chunker:
        return page_chunks if self.whole_pages else passage_chunks


@dataclass(slots=True, kw_only=True)
class MatchedSystem(PassageSystem):
    """A Dense RAG that may send and receive as many tokens as another system used on the same question.

    Where the other one used less than the smallest prompt, one passage is shown. Where a single call cannot
    hold as much, because of the model's window or because the papers hold no more, it stays below.

    Attributes:
        follows: Name of the other system.
        tokens: What it used; set by ``follow``.
    """

    follows: str = "agent"
    tokens: Mapping[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])

    @property
    def amount(self) -> dict[str, Any]:
        """The setting that says how many units are shown."""
        return {"k": "matched", "follows": self.follows}

    def follow(self, tokens: Mapping[tuple[str, int], int]) -> None:
        """Learn what the other system used.

        Args:
            tokens: Question id and seed to tokens sent and generated.
        """
        self.tokens = dict(tokens)

    def limit(self, question: Question, seed: int, model: ChatModel | None) -> int:
        """As many units as fit into the tokens of the other system.

        Args:
            question: The question.
            seed: Of the run.
            model: Bounds what can be sent, where its window is known.

        Returns:
            At least 1.

        Raises:
            UsageError: If the other system has no answer to this question.
        """
        if (question.id, seed) not in self.tokens:
            raise UsageError(
                f"{self.follows!r} has no answer to question {question.id} with seed {seed} to match.",
                hint=f"Run it in the same results file: --systems {self.follows},{self.name}.",
            )
        room = self.tokens[question.id, seed]
        if model is not None and model.context_window is not None:
            room = min(room, model.context_window)
        papers, index = self.prepared()
        ranked = self.retrieve(question, len(index.chunks)).chunks
        return fitting(question, ranked, papers, room - ANSWER_TOKENS)


def fitting(question: Question, ranked: tuple[Passage, ...], papers: Papers, room: int) -> int:
    """Count the units whose prompt fits.

    Args:
        question: The question.
        ranked: Units, best first.
        papers: The corpus.
        room: Tokens of the prompt.

    Returns:
        Units, at least 1.
    """
    low, high = 1, len(ranked)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(prompt(question, ranked[:middle], papers.library)) <= room:
            low = middle
        else:
            high = middle - 1
    return low
