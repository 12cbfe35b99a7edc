"""The nouns of an evaluation: questions, references, what a system answers, and the seam to a system.

An *evidence unit* is a pair ``(doc_id, page)``, pages counted from 1. For QASPER a page is a paragraph (§4.1:
one synthetic page a paragraph), for everything else a physical page. Evidence is always a set: a unit read
twice counts once (§4.3), and a passage counts as every unit it spans.

How a system fits in::

    class MySystem:                                   # satisfies ``System``
        name = "my-system"                            # what --systems takes
        title = "My system"                           # what tables show
        needs_model = True                            # False: it can at least retrieve without one
        parameters = {"top_k": 10}                    # plain JSON, stored with every result

        def prepare(self, papers, *, model, on_progress=None) -> Footprint: ...
        def answer(self, question, *, model, seed) -> SystemAnswer: ...
        def estimate(self, papers, question) -> Estimate: ...     # question None: preparing

The runner calls ``prepare`` once, from one thread, before the first question, and ``answer`` from several
threads at once. The model is handed in with each call, so that generator, seed, price, replay and rate limit
are the runner's concern and a system holds nothing but its parameters and its index. A system that also
satisfies ``Follower`` is run after the one it follows and told what that one used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from vectree.agent.library import Library
from vectree.evidence import Citation, RunUsage, Step
from vectree.index.embedder import Embedder
from vectree.llm.chat import ChatModel

Unit = tuple[str, int]
"""A ``doc_id`` and a page counted from 1; a paragraph for QASPER."""

EvidenceSet = frozenset[Unit]

NO_EVIDENCE: EvidenceSet = frozenset()

OnProgress = Callable[[int, int, str], None]
"""Called with the items done, the items in all, and what is being worked on."""

RETRIEVAL_ONLY = "retrieval only"
"""Why a system stopped that was given no model."""

INSUFFICIENT = "Insufficient information to answer this question"
"""The option that every multiple-choice question has beside its own."""


class Benchmark(StrEnum):
    """Where a question comes from; decides how it is graded and in which tables it appears."""

    QASPER = "qasper"
    LITQA2 = "litqa2"
    MOSAIC = "mosaic"
    OWN = "own"


class Grading(StrEnum):
    """How an answer is judged (§4.3)."""

    CORRECTNESS = "correctness"
    """Against the references, any of which suffices: correct, partial or incorrect."""
    CHOICE = "choice"
    """Which option was selected: correct, incorrect or abstain."""
    SYNTHESIS = "synthesis"
    """Statement by statement: factuality, coverage, faithfulness, composite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A gold answer; one for each annotator.

    Attributes:
        text: The answer as the benchmark's official evaluator reads it.
        kind: For QASPER ``"extractive"``, ``"abstractive"``, ``"boolean"`` or ``"none"`` (unanswerable).
        evidence: Its gold units; ``None`` if they are not known, empty if there are known to be none.
        quotes: The evidence as the benchmark gives it, verbatim.
        chain: Steps of reasoning that lead to the answer (MOSAIC).
    """

    text: str
    kind: str = ""
    evidence: EvidenceSet | None = None
    quotes: tuple[str, ...] = ()
    chain: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question of a benchmark.

    Attributes:
        id: Unique within the benchmark.
        text: The question alone.
        benchmark: Where it comes from.
        grading: How its answers are judged.
        kind: Stratum shown in tables: a QASPER answer type, ``"inference"``, ``"aggregation"``,
            ``"comparison"``, ``"choice"``, or a word of the user's.
        references: Gold answers, at least one.
        options: Options in the order shown; empty unless ``grading`` is ``CHOICE``.
        gold_option: Index of the right option.
        unsure_option: Index of the option that says there is not enough information.
        scope: Documents a system may look at; ``None`` for the whole corpus. QASPER: the paper asked about.
        documents: Documents that hold the answer.
    """

    id: str
    text: str
    benchmark: Benchmark
    grading: Grading
    kind: str = ""
    references: tuple[Reference, ...] = ()
    options: tuple[str, ...] = ()
    gold_option: int | None = None
    unsure_option: int | None = None
    scope: frozenset[str] | None = None
    documents: frozenset[str] = frozenset()

    @property
    def asked(self) -> str:
        """What every system is asked: the question, and under it the options with their letters, if any."""
        if not self.options:
            return self.text
        return f"{self.text}\n\nOptions:\n{self.lettered}"

    @property
    def lettered(self) -> str:
        """The options, one a line, as ``"A. …"``."""
        return "\n".join(f"{letter(index)}. {option}" for index, option in enumerate(self.options))


def letter(index: int) -> str:
    """Name an option.

    Args:
        index: Position from 0; there are never more than 26.

    Returns:
        ``"A"`` for the first.
    """
    return chr(ord("A") + index)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemAnswer:
    """What a system made of a question.

    Attributes:
        text: The answer; empty if the system only retrieved.
        evidence: Every unit whose text reached the model: pages read, and all that the passages span.
        context: The texts that reached the model, in order of reading; faithfulness is judged against them.
        usage: Of all model calls of this answer.
        citations: Citations in the text, checked, where the system checks them.
        uncited: Sentences without a checked citation, where the system knows.
        trajectory: Tool calls in order; empty for systems without tools.
        retrieval_seconds: Time spent in retrieval alone, if the system measures it.
        stopped: Why it ended: ``"final"``, ``"round limit"``, ``"retrieval only"``, …
        ranking: Units in the order in which they were retrieved, best first, where there is such an order.
        details: Anything else worth keeping, as plain JSON (rounds, fallback, confidence, …).
    """

    text: str
    evidence: EvidenceSet
    context: tuple[str, ...] = ()
    usage: RunUsage = field(default_factory=RunUsage)
    citations: tuple[Citation, ...] = ()
    uncited: tuple[str, ...] = ()
    trajectory: tuple[Step, ...] = ()
    retrieval_seconds: float | None = None
    stopped: str = "final"
    ranking: tuple[Unit, ...] = ()
    details: dict[str, Any] = field(default_factory=lambda: dict[str, Any]())


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """What a system keeps to be able to answer; a row of the efficiency table.

    Attributes:
        vectors: Embeddings stored; ``None`` where it is not known.
        index_bytes: Bytes of the index as it is or would be written; ``None`` where it is not known.
        seconds: Building it took, without parsing.
        usage: Model calls that building it took.
        details: Anything else worth keeping, as plain JSON.
    """

    vectors: int | None = None
    index_bytes: int | None = None
    seconds: float = 0.0
    usage: RunUsage = field(default_factory=RunUsage)
    details: dict[str, Any] = field(default_factory=lambda: dict[str, Any]())


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What an answer is expected to take, for the dry run.

    Attributes:
        calls: Model calls.
        prompt_tokens: Tokens sent, summed over the calls.
        completion_tokens: Tokens generated.
        context_tokens: Tokens of source text that reach the model, each counted once; the judge of
            faithfulness reads them again.
    """

    calls: float = 0.0
    prompt_tokens: float = 0.0
    completion_tokens: float = 0.0
    context_tokens: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Papers:
    """The corpus a system works on.

    Attributes:
        library: Search, trees, pages, figures; safe to use from several threads.
        doc_ids: Every document, sorted.
        embedder: The corpus's embedder; all systems use the same one (§4.2).
        report: Gives the ingestion report of a document as plain JSON, where there are reports (Appendix D).
        ungated: The same corpus searched without relevance gates, where that can be had (§4.6).
    """

    library: Library
    doc_ids: tuple[str, ...]
    embedder: Embedder
    report: Callable[[str], dict[str, Any]] | None = None
    ungated: Library | None = None


@runtime_checkable
class System(Protocol):
    """A question-answering system under evaluation."""

    @property
    def name(self) -> str:
        """What ``--systems`` takes."""
        ...

    @property
    def title(self) -> str:
        """What tables show."""
        ...

    @property
    def needs_model(self) -> bool:
        """Whether it can do nothing without a model; ``False`` if it can at least retrieve."""
        ...

    @property
    def parameters(self) -> dict[str, Any]:
        """Every setting that can change a result, as plain JSON; stored with each result."""
        ...

    def prepare(
        self, papers: Papers, *, model: ChatModel | None, on_progress: OnProgress | None = None
    ) -> Footprint:
        """Build what the system needs; called once, before the first question.

        Args:
            papers: The corpus.
            model: For systems whose index takes model calls; ``None`` if there is none.
            on_progress: Called with signs of life.

        Returns:
            What is kept and what it took.
        """
        ...

    def answer(self, question: Question, *, model: ChatModel | None, seed: int) -> SystemAnswer:
        """Answer a question. Safe to call from several threads.

        Requests leave their temperature unset: the runner sets the same one for all systems (1.0 in §4.2).

        Args:
            question: Ask ``question.asked``; look only at ``question.scope`` if that is set.
            model: Writes the answer; with ``None`` the system retrieves only and leaves the text empty.
            seed: Of anything random in the system itself.

        Returns:
            The answer, its evidence and what it took.

        Raises:
            VecTreeError: If it fails; the runner records that and goes on.
        """
        ...

    def estimate(self, papers: Papers, question: Question | None) -> Estimate:
        """Foresee what `answer` takes, or `prepare`; called without `prepare`, for the dry run.

        Args:
            papers: The corpus.
            question: The question; ``None`` for preparing.

        Returns:
            Expected calls and tokens, found without calling a model.
        """
        ...


@runtime_checkable
class Follower(Protocol):
    """A system whose size is matched to what another one used, such as a Dense RAG of equal tokens."""

    @property
    def follows(self) -> str:
        """Name of the other system."""
        ...

    def follow(self, tokens: Mapping[tuple[str, int], int]) -> None:
        """Learn what the other system used; called after `prepare`, before the first question.

        Args:
            tokens: Question id and seed to tokens sent and generated, summed over the calls of the answer.
        """
        ...


@runtime_checkable
class Selective(Protocol):
    """A system whose index takes model calls, and that can leave out papers nobody asks about."""

    def expect(self, documents: frozenset[str] | None) -> None:
        """Learn which papers will be asked about; called before `prepare` and before `estimate`.

        Args:
            documents: The scopes of all questions together; ``None`` if one may be answered from any paper.
        """
        ...


def documents_asked(questions: Iterable[Question]) -> frozenset[str] | None:
    """Which papers questions may be answered from.

    Args:
        questions: The questions.

    Returns:
        Their scopes together; ``None`` if one has no scope.
    """
    found: set[str] = set()
    for question in questions:
        if question.scope is None:
            return None
        found |= question.scope
    return frozenset(found)
