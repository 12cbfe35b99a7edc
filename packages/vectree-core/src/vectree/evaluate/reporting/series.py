"""The results of one system on one benchmark, as metrics by question and seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean

from vectree.evaluate.metrics.bootstrap import Interval, bootstrap
from vectree.evaluate.metrics.seeds import SeedMean, mean_by_question, mean_over_seeds
from vectree.evaluate.records import Benchmark
from vectree.evaluate.results.file import Results
from vectree.evaluate.results.rows import AnswerRow, GradeRow, SystemRow

Values = dict[tuple[str, int], float | None]
"""Question and seed to value; ``None`` where a metric does not apply."""

HEADLINES = {
    Benchmark.QASPER: ("correctness",),
    Benchmark.LITQA2: ("accuracy",),
    Benchmark.MOSAIC: ("composite", "factuality_f1"),
    Benchmark.OWN: ("correctness", "accuracy", "composite", "factuality_f1"),
}
"""The answer score of a benchmark (Table 2); of several, the first that was measured."""

_JUDGED = (
    "correctness",
    "correctness_partial",
    "accuracy",
    "answered",
    "factuality_precision",
    "factuality_recall",
    "factuality_f1",
    "scaled_cosine",
    "composite",
    "coverage",
)
"""Judged metrics in which an answer that failed counts as 0."""

_COSTS: dict[str, Callable[[AnswerRow], float | None]] = {
    "tokens": lambda row: row.usage.prompt_tokens + row.usage.completion_tokens,
    "prompt_tokens": lambda row: row.usage.prompt_tokens,
    "completion_tokens": lambda row: row.usage.completion_tokens,
    "cached_tokens": lambda row: row.usage.cached_tokens,
    "calls": lambda row: row.usage.model_calls,
    "cost": lambda row: row.usage.cost,
    "seconds": lambda row: row.seconds,
    "retrieval_seconds": lambda row: row.retrieval_seconds,
}
"""What an answer took; averaged over the answers that were completed (Table 8)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One system on one benchmark.

    Attributes:
        benchmark: The benchmark.
        row: Parameters and footprint.
        answers: Its answers, errors included.
        grades: Grades of these answers by one judge.
        graded_by: Metrics that this judge gave on this benchmark, whatever the system.
    """

    benchmark: Benchmark
    row: SystemRow
    answers: tuple[AnswerRow, ...]
    grades: Mapping[tuple[str, int], GradeRow] = field(
        default_factory=lambda: dict[tuple[str, int], GradeRow]()
    )
    graded_by: frozenset[str] = frozenset()

    @property
    def system(self) -> str:
        """Name of the system."""
        return self.row.system

    @property
    def unmeasured(self) -> str:
        """Why its figures must not be taken as measured; empty if they may."""
        return str(self.row.parameters.get("unmeasured") or "")

    @property
    def errors(self) -> int:
        """Answers that failed."""
        return sum(bool(row.error) for row in self.answers)

    def values(self, metric: str) -> Values:
        """A metric by question and seed.

        Args:
            metric: Its name.

        Returns:
            A value for each answer; ``None`` where the metric does not apply.
        """
        return {(row.question, row.seed): self._value(row, metric) for row in self.answers}

    def mean(self, metric: str) -> SeedMean | None:
        """A metric as tables report it: macro within each seed, then over the seeds.

        Args:
            metric: Its name.

        Returns:
            The figure; ``None`` if it was not measured.
        """
        return mean_over_seeds(self.values(metric))

    def interval(self, metric: str) -> Interval | None:
        """The question-bootstrap interval of a metric.

        Args:
            metric: Its name.

        Returns:
            The interval; ``None`` if the metric was not measured.
        """
        return bootstrap(list(self.by_question(metric).values()))

    def by_question(self, metric: str) -> dict[str, float]:
        """A metric by question, averaged over seeds.

        Args:
            metric: Its name.

        Returns:
            Question to value.
        """
        return mean_by_question(self.values(metric))

    def headline(self) -> str | None:
        """The answer score of the benchmark.

        Returns:
            Name of the metric; ``None`` if none was measured.
        """
        for metric in HEADLINES[self.benchmark]:
            if any(value is not None for value in self.values(metric).values()):
                return metric
        return None

    def only(self, kinds: Iterable[str], *, label: str = "") -> Series:
        """The part of the series that belongs to some strata.

        Args:
            kinds: Kinds of questions.
            label: Take the stratum from this label of the answers instead.

        Returns:
            A smaller series.
        """
        wanted = set(kinds)
        kept = tuple(row for row in self.answers if (row.labels.get(label) if label else row.kind) in wanted)
        return Series(
            benchmark=self.benchmark,
            row=self.row,
            answers=kept,
            grades=self.grades,
            graded_by=self.graded_by,
        )

    def _value(self, row: AnswerRow, metric: str) -> float | None:
        if metric in _COSTS:
            return None if row.error else _COSTS[metric](row)
        if metric in row.metrics:
            return row.metrics[metric]
        if row.error:
            return 0.0 if metric in _JUDGED and metric in self.graded_by else None
        grade = self.grades.get((row.question, row.seed))
        return None if grade is None or grade.error else grade.metrics.get(metric)


def collect(results: Results, *, judge: str | None = None) -> dict[Benchmark, tuple[Series, ...]]:
    """Sort results into series.

    Args:
        results: Rows of one or more files.
        judge: Whose grades to take; by default those of the judge that gave most.

    Returns:
        Benchmark to its systems, in the order in which they were run.
    """
    judge = judge if judge is not None else main_judge(results)
    found: dict[Benchmark, list[Series]] = {}
    for row in results.systems.values():
        answers = tuple(
            answer
            for answer in results.answers.values()
            if answer.benchmark is row.benchmark and answer.system == row.system
        )
        if answers:
            series = Series(
                benchmark=row.benchmark,
                row=row,
                answers=answers,
                grades=_grades(results, row, judge),
                graded_by=_graded_by(results, row.benchmark, judge),
            )
            found.setdefault(row.benchmark, []).append(series)
    return {benchmark: tuple(found[benchmark]) for benchmark in Benchmark if benchmark in found}


def main_judge(results: Results) -> str | None:
    """The judge that gave most grades.

    Args:
        results: The results.

    Returns:
        Its name; of equals the first; ``None`` if there are no grades.
    """
    counts = Counter(grade.judge for grade in results.grades.values() if not grade.error)
    return max(counts, key=lambda name: counts[name], default=None)


def judges(results: Results) -> tuple[str, ...]:
    """All judges.

    Args:
        results: The results.

    Returns:
        Their names, the one with most grades first.
    """
    counts = Counter(grade.judge for grade in results.grades.values() if not grade.error)
    return tuple(name for name, _ in counts.most_common())


def choice_precision(series: Series) -> float | None:
    """Right answers among those that were answered, macro over the seeds.

    Args:
        series: A series with multiple-choice questions.

    Returns:
        0 to 1; ``None`` if nothing was answered.
    """
    right, answered = series.values("accuracy"), series.values("answered")
    shares: list[float] = []
    for seed in sorted({seed for _, seed in answered}):
        tried = [key for key, value in answered.items() if key[1] == seed and value]
        if tried:
            shares.append(fmean(right[key] or 0.0 for key in tried))
    return fmean(shares) if shares else None


def _grades(results: Results, row: SystemRow, judge: str | None) -> dict[tuple[str, int], GradeRow]:
    return {
        (grade.question, grade.seed): grade
        for grade in results.grades.values()
        if grade.benchmark is row.benchmark and grade.system == row.system and grade.judge == judge
    }


def _graded_by(results: Results, benchmark: Benchmark, judge: str | None) -> frozenset[str]:
    return frozenset(
        name
        for grade in results.grades.values()
        if grade.benchmark is benchmark and grade.judge == judge
        for name, value in grade.metrics.items()
        if value is not None
    )
