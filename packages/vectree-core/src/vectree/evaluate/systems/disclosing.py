"""Search that hands out full pages at once: what progressive disclosure is compared with (§4.6).

The corpus index ranks papers and their sections as for the agent, but instead of titles the model gets the
pages of the best sections in one call, without trees and without a second look. The paper did not isolate
this; the limits are ours.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from vectree.agent.library import Library
from vectree.errors import UsageError
from vectree.evaluate.records import Estimate, Footprint, OnProgress, Papers, Question, SystemAnswer, Unit
from vectree.evaluate.systems.agents import AgentSystem
from vectree.evaluate.systems.chunks import Chunk
from vectree.evaluate.systems.dense import ANSWER_TOKENS
from vectree.evaluate.systems.scope import scoped
from vectree.evaluate.systems.writing import Retrieved, write_answer
from vectree.llm.chat import ChatModel
from vectree.prompts import template
from vectree.tokens import count_tokens

PAPERS = 5
"""Papers whose sections are handed out."""

SECTIONS = 3
"""Sections of each paper."""

PAGES = 20
"""Most pages in all."""

_PAGE_TOKENS = 700


@dataclass(slots=True, kw_only=True)
class DisclosingSystem:
    """Answers in one call from the full pages of the best sections.

    Attributes:
        name: What ``--systems`` takes.
        title: What tables show.
        papers_shown: Papers whose sections are handed out.
        sections: Sections of each paper.
        pages: Most pages in all.
        papers: Set by ``prepare``.
    """

    name: str = "no-disclosure"
    title: str = "No progressive disclosure"
    papers_shown: int = PAPERS
    sections: int = SECTIONS
    pages: int = PAGES
    papers: Papers | None = None

    @property
    def needs_model(self) -> bool:
        """Retrieval works without one."""
        return False

    @property
    def parameters(self) -> dict[str, Any]:
        """Every setting."""
        return {
            "papers": self.papers_shown,
            "sections": self.sections,
            "pages": self.pages,
            "tokenizer": "characters / 4",
            "embedder": self.papers.embedder.fingerprint.name if self.papers else None,
        }

    def prepare(
        self, papers: Papers, *, model: ChatModel | None, on_progress: OnProgress | None = None
    ) -> Footprint:
        """Take the corpus; the index is the agent's.

        Args:
            papers: The corpus.
            model: Not used.
            on_progress: Not used.

        Returns:
            What the agent keeps.
        """
        self.papers = papers
        agent = AgentSystem(name=self.name, title=self.title)
        return agent.prepare(papers, model=model, on_progress=on_progress)

    def answer(self, question: Question, *, model: ChatModel | None, seed: int) -> SystemAnswer:
        """Retrieve, and answer if there is a model.

        Args:
            question: The question.
            model: Writes the answer.
            seed: Not used; nothing here is random.

        Returns:
            The answer with all pages handed out.

        Raises:
            UsageError: If the system was not prepared.
        """
        del seed
        if self.papers is None:
            raise UsageError(f"The system {self.name!r} was not prepared.")
        started = time.perf_counter()
        library = scoped(self.papers.library, question)
        units = list(dict.fromkeys(self._units(library, question.asked)))
        chunks = [chunk for unit in units if (chunk := _page(library, unit)).text][: self.pages]
        retrieved = Retrieved(chunks=tuple(chunks), seconds=time.perf_counter() - started)
        return write_answer(question, retrieved, library=library, model=model)

    def estimate(self, papers: Papers, question: Question | None) -> Estimate:
        """Foresee one call.

        Args:
            papers: The corpus.
            question: The question; ``None`` for preparing, which takes no calls.

        Returns:
            Expected calls and tokens.
        """
        if question is None:
            return Estimate()
        documents = len(question.scope or papers.doc_ids)
        shown = min(self.pages, 2 * self.sections * min(self.papers_shown, documents)) * _PAGE_TOKENS
        asked = count_tokens(template("eval_rag")) + count_tokens(question.asked)
        return Estimate(
            calls=1,
            prompt_tokens=asked + shown,
            completion_tokens=ANSWER_TOKENS,
            context_tokens=shown,
        )

    def _units(self, library: Library, query: str) -> Iterator[Unit]:
        """Pages of the best sections: the best section of each paper first, then the second ones."""
        found = [hit.doc_id for hit in library.search(query, top_k=self.papers_shown).hits]
        ranked = [library.within(doc_id, query, top_k=self.sections) for doc_id in found]
        for place in range(self.sections):
            for doc_id, sections in zip(found, ranked, strict=True):
                for hit in sections[place : place + 1]:
                    yield from ((doc_id, page) for page in range(hit.pages.first, hit.pages.last + 1))


def _page(library: Library, unit: Unit) -> Chunk:
    doc_id, number = unit
    return Chunk(doc_id=doc_id, text=library.pages(doc_id, [number])[0].text.strip(), pages=(number,))
