"""The rows of a results file.

A file holds rows of four types. ``run`` says what was asked of which corpus with which models; ``system``
holds a system's parameters and footprint; ``answer`` is one question answered by one system with one seed;
``grade`` is one judge's verdict on it. Later rows of the same key replace earlier ones. Rows name questions
by id and do not repeat their text, since benchmarks ask that it not be spread; but a search query in a
trajectory may, so the benchmark's canary goes into the file.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from vectree.evaluate.records import Benchmark

AnswerKey = tuple[str, str, str, int]
"""Benchmark, question, system, seed."""

GradeKey = tuple[str, str, str, int, str]
"""The same, and the judge."""


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class UsageRow(_Row):
    """Tokens, calls and money; ``cost`` is null where a price is unknown."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    model_calls: int = 0
    cost: float | None = None


class RunRow(_Row):
    """What a run was asked to do.

    Attributes:
        version: Version of this package.
        started: ISO date and time, UTC; empty in a replay.
        data: Name of the question file.
        data_sha256: Its hash.
        questions: Ids of the questions, in order.
        left_out: Id of a question that could not be asked to the reason.
        generator: Name of the answering model; empty if there was none.
        judge: Name of the judging model; empty if there was none.
        settings: Seeds, temperature, sample, truncation, concurrency, …
        corpus: Documents, embedder, statistics.
        canary: The benchmark's request not to train on its data, if it makes one.
    """

    type: Literal["run"] = "run"
    version: str = ""
    started: str = ""
    benchmark: Benchmark
    data: str = ""
    data_sha256: str = ""
    questions: list[str] = []
    left_out: dict[str, str] = {}
    generator: str = ""
    judge: str = ""
    settings: dict[str, Any] = {}
    corpus: dict[str, Any] = {}
    canary: str = ""


class FootprintRow(_Row):
    """What a system keeps, and what building it took."""

    vectors: int | None = None
    index_bytes: int | None = None
    seconds: float | None = None
    usage: UsageRow = UsageRow()
    details: dict[str, Any] = {}


class SystemRow(_Row):
    """A system as it was run.

    Attributes:
        system: Its name.
        title: What tables show.
        parameters: Every setting that can change a result, with the model's.
        footprint: What it keeps.
    """

    type: Literal["system"] = "system"
    benchmark: Benchmark
    system: str
    title: str
    parameters: dict[str, Any] = {}
    footprint: FootprintRow = FootprintRow()


class _Keyed(_Row):
    benchmark: Benchmark
    question: str
    kind: str = ""
    system: str
    seed: int


class CitationRow(_Row):
    """A checked citation."""

    doc_id: str
    page: int
    status: str
    text: str = ""


class AnswerRow(_Keyed):
    """An answer, or the error in its place.

    Attributes:
        text: The answer.
        evidence: Units whose text reached the model, sorted.
        ranking: Units in the order of retrieval.
        context: Texts that reached the model; kept only where a judge needs them.
        trajectory: Tool calls in order, as ``agent.trajectory.step_data`` writes them.
        seconds: Wall time; null in a replay.
        metrics: What can be computed without a judge; null where a metric does not apply.
        labels: Strata that depend on the answer: ``answer_kind``, type of QASPER's best-matching reference.
        error: What went wrong; empty if nothing.
        fault: Whether the error is one this package does not raise on purpose.
    """

    type: Literal["answer"] = "answer"
    model: str = ""
    text: str = ""
    evidence: list[tuple[str, int]] = []
    ranking: list[tuple[str, int]] = []
    context: list[str] = []
    citations: list[CitationRow] = []
    uncited: list[str] = []
    trajectory: list[dict[str, Any]] = []
    usage: UsageRow = UsageRow()
    seconds: float | None = None
    retrieval_seconds: float | None = None
    stopped: str = ""
    details: dict[str, Any] = {}
    metrics: dict[str, float | None] = {}
    labels: dict[str, str] = {}
    error: str = ""
    fault: bool = False

    @property
    def key(self) -> AnswerKey:
        """What makes the row unique."""
        return (self.benchmark.value, self.question, self.system, self.seed)


class GradeRow(_Keyed):
    """A judge's verdict on an answer.

    Attributes:
        judge: Name of the judging model.
        verdict: One of the paper's verdicts; empty where the grade is made of figures alone.
        selected: Letter of the option that the answer selects.
        rationale: The judge's one sentence.
        mechanical: The verdict that a fixed rule gives, where it can; empty otherwise.
        metrics: Figures; null where a metric does not apply.
        details: Statements, facts, counts.
        usage: What grading took.
        error: Why there is no grade; empty if there is one.
    """

    type: Literal["grade"] = "grade"
    judge: str
    verdict: str = ""
    selected: str = ""
    rationale: str = ""
    mechanical: str = ""
    metrics: dict[str, float | None] = {}
    details: dict[str, Any] = {}
    usage: UsageRow = UsageRow()
    error: str = ""

    @property
    def key(self) -> GradeKey:
        """What makes the row unique."""
        return (self.benchmark.value, self.question, self.system, self.seed, self.judge)


Row = Annotated[RunRow | SystemRow | AnswerRow | GradeRow, Field(discriminator="type")]
