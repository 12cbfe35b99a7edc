"""Verified tree search under evaluation (§3.4, Appendix D): locate sections of one paper, answer from their pages.

The paper measures the procedure by its confidence and its fallbacks alone. Deviation: here an answer is written
from the pages of the located sections, so that it can be compared, and where the paper is not given, the one
that search ranks first is taken.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from vectree.agent.library import Library
from vectree.agent.tree_search.located import Located
from vectree.agent.tree_search.search import MAX_RETRIES, MIN_CONFIDENCE, locate
from vectree.agent.tree_search.wording import TREE_TOKENS
from vectree.errors import UsageError
from vectree.evaluate.records import Estimate, Footprint, OnProgress, Papers, Question, SystemAnswer, Unit
from vectree.evaluate.systems.agents import AgentSystem
from vectree.evaluate.systems.chunks import Chunk
from vectree.evaluate.systems.dense import ANSWER_TOKENS
from vectree.evaluate.systems.scope import scoped
from vectree.evaluate.systems.writing import Retrieved, write_answer
from vectree.evidence import RunUsage
from vectree.llm.chat import ChatModel
from vectree.prompts import template
from vectree.tokens import count_tokens

PAGES = 20
"""Most pages of the located sections that are handed out."""

_PAGE_TOKENS = 700
_NAMED_TOKENS = 40


@dataclass(slots=True, kw_only=True)
class TreeSearchSystem:
    """Answers from the sections that verified tree search locates.

    Attributes:
        name: What ``--systems`` takes.
        title: What tables show.
        pages: Most pages handed out.
        papers: Set by ``prepare``.
    """

    name: str = "tree-search"
    title: str = "Verified tree search"
    pages: int = PAGES
    papers: Papers | None = None

    @property
    def needs_model(self) -> bool:
        """Sections are ranked by words and vectors without one."""
        return False

    @property
    def parameters(self) -> dict[str, Any]:
        """Every setting."""
        return {
            "min_confidence": MIN_CONFIDENCE,
            "max_retries": MAX_RETRIES,
            "tree_tokens": TREE_TOKENS,
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
        """Locate sections, and answer if there is a model.

        Args:
            question: The question.
            model: Names sections and writes the answer.
            seed: Not used; nothing here is random.

        Returns:
            The answer with all pages handed out; its details hold confidence, retries and fallback.

        Raises:
            UsageError: If the system was not prepared.
        """
        del seed
        if self.papers is None:
            raise UsageError(f"The system {self.name!r} was not prepared.")
        library = scoped(self.papers.library, question)
        started = time.perf_counter()
        found = library.search(question.text, top_k=1).hits
        located = [locate(library, hit.doc_id, question.text, model=model) for hit in found]
        units = list(dict.fromkeys(unit for each in located for unit in _units(each)))[: self.pages]
        chunks = tuple(chunk for unit in units if (chunk := _page(library, unit)).text)
        retrieved = Retrieved(chunks=chunks, seconds=time.perf_counter() - started)
        written = write_answer(question, retrieved, library=library, model=model)
        for each in located:
            written = replace(
                written,
                usage=_sum(each.usage, written.usage) if model else written.usage,
                details={**written.details, **_details(each)},
            )
        return written

    def estimate(self, papers: Papers, question: Question | None) -> Estimate:
        """Foresee a usual run: one call that names sections, one that answers.

        Args:
            papers: The corpus.
            question: The question; ``None`` for preparing, which takes no calls.

        Returns:
            Expected calls and tokens.
        """
        del papers
        if question is None:
            return Estimate()
        shown = self.pages * _PAGE_TOKENS / 2
        prompts = count_tokens(template("tree_search")) + count_tokens(template("eval_rag"))
        return Estimate(
            calls=2,
            prompt_tokens=prompts + 2 * count_tokens(question.asked) + TREE_TOKENS + shown,
            completion_tokens=_NAMED_TOKENS + ANSWER_TOKENS,
            context_tokens=shown,
        )


def _units(located: Located) -> Iterator[Unit]:
    for section in located.sections:
        yield from ((located.doc_id, page) for page in range(section.pages.first, section.pages.last + 1))


def _page(library: Library, unit: Unit) -> Chunk:
    doc_id, number = unit
    return Chunk(doc_id=doc_id, text=library.pages(doc_id, [number])[0].text.strip(), pages=(number,))


def _details(located: Located) -> dict[str, Any]:
    """What the checks found; without a model nothing was checked, and there is no confidence."""
    details: dict[str, Any] = {"method": located.method.value, "document": located.doc_id}
    if located.confidence is not None:
        details |= {
            "confidence": located.confidence,
            "retries": located.retries,
            "fallback": located.fallback,
        }
    return details


def _sum(first: RunUsage, second: RunUsage) -> RunUsage:
    unknown = first.cost is None or second.cost is None
    return RunUsage(
        prompt_tokens=first.prompt_tokens + second.prompt_tokens,
        completion_tokens=first.completion_tokens + second.completion_tokens,
        cached_tokens=first.cached_tokens + second.cached_tokens,
        model_calls=first.model_calls + second.model_calls,
        cost=None if unknown else (first.cost or 0.0) + (second.cost or 0.0),
    )
