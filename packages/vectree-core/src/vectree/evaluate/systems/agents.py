"""The agent under evaluation, whole and with components taken out (§4.2, §4.6)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from vectree.agent.library import Library
from vectree.agent.loop import LoopSettings, answer_question
from vectree.agent.trajectory import pages_read
from vectree.errors import UsageError
from vectree.evaluate.papers import page_reader, records
from vectree.evaluate.records import (
    Estimate,
    Footprint,
    Grading,
    OnProgress,
    Papers,
    Question,
    SystemAnswer,
    Unit,
)
from vectree.evaluate.systems.scope import documents_of, scoped
from vectree.index.entries import make_entries
from vectree.llm.chat import ChatModel
from vectree.tokens import count_tokens

INSTRUCTIONS = 2_500
"""Tokens of system prompt and tool schemas, sent with every call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsualRun:
    """What a run usually takes, for the dry run; chosen so that it comes near the tokens of Table 8.

    Attributes:
        rounds: Model calls.
        read: Tokens of what the tools give.
    """

    rounds: int
    read: int


GIVEN_PAPER = UsualRun(rounds=8, read=5_000)
CORPUS = UsualRun(rounds=12, read=16_000)
SYNTHESIS = UsualRun(rounds=18, read=26_000)

ANSWER = 350
"""Tokens of an answer."""


def gated(papers: Papers) -> Library:
    """Choose the corpus as it is.

    Args:
        papers: The corpus.

    Returns:
        Its library.
    """
    return papers.library


def ungated(papers: Papers) -> Library:
    """Choose the corpus searched by raw reciprocal rank fusion.

    Args:
        papers: The corpus.

    Returns:
        Its library without gates.

    Raises:
        UsageError: If it cannot be searched that way.
    """
    if papers.ungated is None:
        raise UsageError("This corpus cannot be searched without relevance gates.")
    return papers.ungated


@dataclass(slots=True, kw_only=True)
class AgentSystem:
    """The agent loop on a corpus.

    Attributes:
        name: What ``--systems`` takes.
        title: What tables show.
        settings: Of the loop; tools withheld and what the model is told about it belong to them.
        choose: Takes the library from the corpus.
        change: Takes a component out of the library; applied to what the question may look at.
        own_model: Answers in the place of the model that is handed in.
        own_settings: Of that model, for the record.
        removed: The component taken out, for the record.
        effort: Tokens over those of the full agent, for the dry run (Table 9).
        papers: Set by ``prepare``.
    """

    name: str
    title: str
    settings: LoopSettings = field(default_factory=LoopSettings)
    choose: Callable[[Papers], Library] = gated
    change: Callable[[Library], Library] | None = None
    own_model: ChatModel | None = None
    own_settings: dict[str, Any] = field(default_factory=dict[str, Any])
    removed: str = ""
    effort: float = 1.0
    papers: Papers | None = None

    @property
    def needs_model(self) -> bool:
        """Whether a model must be handed in."""
        return self.own_model is None

    @property
    def parameters(self) -> dict[str, Any]:
        """Every setting."""
        policy = asdict(self.settings.policy)
        return {
            **policy,
            "max_tokens": self.settings.max_tokens,
            "images": self.settings.images,
            "withheld": sorted(self.settings.withheld),
            "removed": self.removed,
            "policy": self.own_model.name if self.own_model else "model",
            **{f"policy_{name}": value for name, value in self.own_settings.items()},
            "tokenizer": "characters / 4",
            "embedder": self.papers.embedder.fingerprint.name if self.papers else None,
        }

    def prepare(
        self, papers: Papers, *, model: ChatModel | None, on_progress: OnProgress | None = None
    ) -> Footprint:
        """Take the corpus; its index is there already.

        Args:
            papers: The corpus.
            model: Not used.
            on_progress: Not used.

        Returns:
            Vectors of the corpus: one a document, one a top-level section.
        """
        del model, on_progress
        self.choose(papers)
        self.papers = papers
        vectors = sum(
            len(make_entries(record, papers.library.tree(record.doc_id))) for record in records(papers)
        )
        return Footprint(vectors=vectors, index_bytes=4 * vectors * papers.embedder.fingerprint.dimension)

    def answer(self, question: Question, *, model: ChatModel | None, seed: int) -> SystemAnswer:
        """Run the loop.

        Args:
            question: The question.
            model: Decides, unless the system has its own.
            seed: Not used; nothing here is random.

        Returns:
            The answer with all pages that were read.

        Raises:
            UsageError: If the system was not prepared, or needs a model and got none.
        """
        del seed
        model = self.own_model or model
        if self.papers is None or model is None:
            raise UsageError(f"The system {self.name!r} needs prepare() and a model.")
        library = scoped(self.choose(self.papers), question)
        if self.change is not None:
            library = self.change(library)
        started = time.perf_counter()
        made = answer_question(question.asked, library=library, model=model, settings=self.settings)
        ranking: tuple[Unit, ...] = pages_read(made.trajectory)
        read = page_reader(self.papers)
        return SystemAnswer(
            text=made.text,
            evidence=frozenset(ranking),
            context=tuple(read(unit) for unit in ranking),
            usage=made.usage,
            citations=made.citations,
            uncited=made.uncited,
            trajectory=made.trajectory,
            retrieval_seconds=time.perf_counter() - started if self.own_model else None,
            stopped=made.stopped,
            ranking=ranking if self.own_model else (),
        )

    def estimate(self, papers: Papers, question: Question | None) -> Estimate:
        """Foresee a usual run; a model may read far more.

        Args:
            papers: The corpus.
            question: The question; ``None`` for preparing, which takes no calls.

        Returns:
            Expected calls and tokens.
        """
        if question is None or self.own_model is not None:
            return Estimate()
        usual = _usual_run(papers, question)
        asked = INSTRUCTIONS + count_tokens(question.asked)
        prompts = usual.rounds * asked + usual.read * usual.rounds / 2
        return Estimate(
            calls=usual.rounds,
            prompt_tokens=self.effort * prompts,
            completion_tokens=self.effort * (ANSWER + 60 * usual.rounds),
            context_tokens=usual.read,
        )


def _usual_run(papers: Papers, question: Question) -> UsualRun:
    if len(documents_of(papers, question)) == 1:
        return GIVEN_PAPER
    return SYNTHESIS if question.grading is Grading.SYNTHESIS else CORPUS
