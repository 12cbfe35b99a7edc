"""Search-o1 on a corpus of passages: reasoning that stops to search, at most ten times (§4.2).

Most chat services cannot go on with an unfinished assistant turn, so a result comes back as a user turn; a
reply is cut where generation would have stopped.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from vectree.agent.citations import check_citations, uncited_sentences
from vectree.agent.trajectory import add_usage
from vectree.errors import NoAnswer, UsageError
from vectree.evaluate.records import Estimate, Footprint, OnProgress, Papers, Question, SystemAnswer
from vectree.evaluate.systems import reasoning_steps as steps
from vectree.evaluate.systems.chunk_index import ChunkIndex, build_index, units_in_order
from vectree.evaluate.systems.chunks import CHUNK_TOKENS, OVERLAP_TOKENS, Chunk, passage_chunks
from vectree.evaluate.systems.scope import documents_of
from vectree.evaluate.systems.writing import passages
from vectree.evidence import RunUsage
from vectree.llm.chat import ChatModel, ChatRequest, Message, Role
from vectree.prompts import fill, template
from vectree.tokens import count_tokens

MAX_SEARCHES = 10
"""§4.2: ten rounds."""

MAX_TURNS = 15
"""Replies of the reasoning model; as in Search-o1's repository."""

TOP_K = 10
"""Passages a search; as in Search-o1's repository. The paper gives no number."""

_SEARCHES_IN_A_PAPER = 3
_ANSWER_TOKENS = 350


@dataclass(slots=True, kw_only=True)
class _Run:
    """One question while it lasts."""

    question: Question
    model: ChatModel
    messages: list[Message]
    usage: RunUsage = field(default_factory=RunUsage)
    read: list[Chunk] = field(default_factory=list[Chunk])
    queries: set[str] = field(default_factory=set[str])
    seconds: float = 0.0
    turns: int = 0

    def ask(self, messages: tuple[Message, ...]) -> str:
        """Ask the model and count what it used."""
        reply = self.model.complete(ChatRequest(messages=messages))
        self.usage = add_usage(self.usage, reply.usage)
        return reply.text.strip()


@dataclass(slots=True, kw_only=True)
class SearchO1System:
    """Reasons, searches passages, reads what was found in a call of its own, reasons on.

    Attributes:
        name: What ``--systems`` takes.
        title: What tables show.
        max_searches: Searches of one question.
        max_turns: Replies of the reasoning model.
        k: Passages a search.
        papers: Set by ``prepare``.
        index: Set by ``prepare``.
    """

    name: str = "search-o1"
    title: str = "Search-o1"
    max_searches: int = MAX_SEARCHES
    max_turns: int = MAX_TURNS
    k: int = TOP_K
    papers: Papers | None = None
    index: ChunkIndex | None = None

    @property
    def needs_model(self) -> bool:
        """Queries are written by a model."""
        return True

    @property
    def parameters(self) -> dict[str, Any]:
        """Every setting."""
        return {
            "max_searches": self.max_searches,
            "max_turns": self.max_turns,
            "k": self.k,
            "chunk_tokens": CHUNK_TOKENS,
            "overlap_tokens": OVERLAP_TOKENS,
            "reason_in_documents": True,
            "chat": "multi-turn",
            "tokenizer": "characters / 4",
            "embedder": self.papers.embedder.fingerprint.name if self.papers else None,
        }

    def prepare(
        self, papers: Papers, *, model: ChatModel | None, on_progress: OnProgress | None = None
    ) -> Footprint:
        """Cut and embed the corpus.

        Args:
            papers: The corpus.
            model: Not used.
            on_progress: Called with passages embedded.

        Returns:
            One vector a passage.
        """
        del model
        self.papers = papers
        self.index = build_index(papers, passage_chunks, on_progress=on_progress)
        return Footprint(
            vectors=len(self.index.chunks), index_bytes=self.index.index_bytes, seconds=self.index.seconds
        )

    def answer(self, question: Question, *, model: ChatModel | None, seed: int) -> SystemAnswer:
        """Reason and search until there is an answer.

        Args:
            question: The question.
            model: Reasons, and reads what was found.
            seed: Not used; nothing here is random.

        Returns:
            The answer; its evidence is every page of every passage that was read.

        Raises:
            UsageError: If the system was not prepared, or got no model.
        """
        del seed
        if self.papers is None or self.index is None or model is None:
            raise UsageError(f"The system {self.name!r} needs prepare() and a model.")
        asked = fill("eval_search_o1", searches=str(self.max_searches), question=question.asked)
        run = _Run(question=question, model=model, messages=[Message(role=Role.USER, text=asked)])
        text, stopped = self._reason(run, self.papers, self.index)
        return self._answer(run, self.papers, text, stopped)

    def estimate(self, papers: Papers, question: Question | None) -> Estimate:
        """Foresee three searches in a given paper, and as many as are allowed in a corpus (Table 8).

        Args:
            papers: The corpus.
            question: The question; ``None`` for preparing, which takes no calls.

        Returns:
            Expected calls and tokens.
        """
        if question is None:
            return Estimate()
        alone = len(documents_of(papers, question)) == 1
        searches = min(_SEARCHES_IN_A_PAPER, self.max_searches) if alone else self.max_searches
        asked = count_tokens(template("eval_search_o1")) + count_tokens(question.asked)
        found = self.k * CHUNK_TOKENS
        turns = searches + 1
        return Estimate(
            calls=2 * searches + 1,
            prompt_tokens=turns * asked + searches * (found + turns * _ANSWER_TOKENS),
            completion_tokens=(2 * searches + 1) * _ANSWER_TOKENS,
            context_tokens=searches * found,
        )

    def _reason(self, run: _Run, papers: Papers, index: ChunkIndex) -> tuple[str, str]:
        """The text of the answer, and why the run ended."""
        said = ""
        while run.turns < self.max_turns:
            run.turns += 1
            said = steps.stopped_at_query(run.ask(tuple(run.messages)))
            query = steps.query_of(said)
            if query is None:
                return steps.without_marks(said), "final"
            run.messages.append(Message(role=Role.ASSISTANT, text=said))
            block = steps.result_block(self._look_up(run, query, papers, index))
            run.messages.append(Message(role=Role.USER, text=block))
        return steps.without_marks(said.rpartition(steps.BEGIN_QUERY)[0]), "round limit"

    def _look_up(self, run: _Run, query: str, papers: Papers, index: ChunkIndex) -> str:
        if len(run.queries) >= self.max_searches:
            return steps.LIMIT_REACHED
        if query in run.queries:
            return steps.REPEATED
        run.queries.add(query)
        started = time.perf_counter()
        found = index.dense(query, documents_of(papers, run.question), self.k)
        run.seconds += time.perf_counter() - started
        run.read += found
        so_far = "\n\n".join(message.text for message in run.messages[1:])
        request = fill(
            "eval_search_o1_read",
            reasoning=steps.condensed(so_far),
            query=query,
            passages=passages(found, papers.library),
        )
        return steps.information_of(run.ask((Message(role=Role.USER, text=request),)))

    def _answer(self, run: _Run, papers: Papers, text: str, stopped: str) -> SystemAnswer:
        if not text:
            raise NoAnswer(f"No answer: {stopped} after {run.turns} turns and {len(run.queries)} searches.")
        units = units_in_order(run.read)
        read = frozenset(units)
        totals = {doc_id: papers.library.record(doc_id).total_pages for doc_id in papers.doc_ids}
        return SystemAnswer(
            text=text,
            evidence=read,
            context=tuple(dict.fromkeys(chunk.text for chunk in run.read)),
            usage=run.usage,
            citations=check_citations(text, read=read, total_pages=totals.get),
            uncited=uncited_sentences(text, read=read),
            retrieval_seconds=run.seconds,
            stopped=stopped,
            details={"rounds": run.turns, "searches": len(run.queries), "chat": "multi-turn"},
        )
