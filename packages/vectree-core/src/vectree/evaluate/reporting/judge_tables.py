"""Table 10, and how far judges agree with each other (Appendix E)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from vectree.evaluate.metrics.agreement import Agreement, agreement
from vectree.evaluate.records import Benchmark
from vectree.evaluate.reporting.answer_tables import AllSeries
from vectree.evaluate.reporting.cells import UNMEASURED, Table, share, title
from vectree.evaluate.reporting.series import collect, judges
from vectree.evaluate.results.file import Results
from vectree.evaluate.results.rows import AnswerKey, GradeRow
from vectree.evaluate.verdicts import Correctness

_SUBSETS = {Benchmark.QASPER: "QASPER yes/no", Benchmark.LITQA2: "LitQA2 option selection"}
_RULE_KNOWS = {Correctness.PARTIAL.value: Correctness.INCORRECT.value}
"""A rule that reads yes or no knows no partial answers; strictly, those are not correct."""


def mechanical(results: Results) -> Table:
    """Table 10: agreement of each judge with a fixed rule, where the rule is unambiguous.

    Args:
        results: The results.

    Returns:
        The table.
    """
    rows: list[tuple[str, ...]] = []
    for benchmark, name in _SUBSETS.items():
        for judge in judges(results):
            subset = [row for row in _grades(results, benchmark, judge).values() if row.mechanical]
            if subset:
                found = agreement(
                    {row.key: _RULE_KNOWS.get(row.verdict, row.verdict) for row in subset},
                    {row.key: row.mechanical for row in subset},
                )
                rows.append((name, judge, *_shown(found)))
    return Table(
        title="Table 10. Agreement of judge and deterministic extraction",
        columns=("Mechanical subset", "Judge", "Responses", "Agreements", "Agreement", "Cohen's κ"),
        rows=tuple(rows),
    )


def between_judges(results: Results) -> Table:
    """How far the verdicts of judges agree, pair by pair.

    Args:
        results: The results.

    Returns:
        The table; benchmarks graded by figures alone are in ``by_judge``.
    """
    rows: list[tuple[str, ...]] = []
    for benchmark in Benchmark:
        for first, second in combinations(judges(results), 2):
            found = agreement(_verdicts(results, benchmark, first), _verdicts(results, benchmark, second))
            if found.count:
                rows.append((benchmark.value, first, second, *_shown(found)))
    return Table(
        title="Agreement between judges",
        columns=("Benchmark", "Judge", "Other judge", "Responses", "Agreements", "Agreement", "Cohen's κ"),
        rows=tuple(rows),
    )


def by_judge(results: Results) -> Table:
    """The answer score of every system under every judge: does the order hold?

    Args:
        results: The results.

    Returns:
        The table; nothing if there is only one judge.
    """
    names = judges(results)
    scored: dict[str, AllSeries] = {judge: collect(results, judge=judge) for judge in names}
    rows: list[tuple[str, ...]] = []
    for benchmark, listed in collect(results).items():
        for index, series in enumerate(listed):
            cells: list[str] = []
            for judge in names:
                other = scored[judge][benchmark][index]
                headline = other.headline()
                cells.append(share(other.mean(headline)) if headline else UNMEASURED)
            rows.append((benchmark.value, title(series), *cells))
    return Table(
        title="Answer scores by judge",
        columns=("Benchmark", "System", *names),
        rows=tuple(rows) if len(names) > 1 else (),
    )


def effort(results: Results) -> Table:
    """What judging took, and how often a verdict could not be read.

    Args:
        results: The results.

    Returns:
        The table.
    """
    rows: list[tuple[str, ...]] = []
    for judge in dict.fromkeys(row.judge for row in results.grades.values()):
        given = [row for row in results.grades.values() if row.judge == judge]
        tokens = sum(row.usage.prompt_tokens + row.usage.completion_tokens for row in given)
        repeats = sum(int(row.details.get("repeats") or 0) for row in given)
        rows.append(
            (
                judge,
                f"{len(given):,}",
                f"{sum(row.usage.model_calls for row in given):,}",
                f"{tokens:,}",
                f"{repeats:,}",
                f"{sum(bool(row.error) for row in given):,}",
            )
        )
    return Table(
        title="Judging",
        columns=("Judge", "Grades", "Calls", "Tokens", "Replies asked for again", "Grades given up"),
        rows=tuple(rows),
    )


def _shown(found: Agreement) -> tuple[str, ...]:
    kappa = UNMEASURED if found.kappa is None else f"{found.kappa:.3f}"
    return (str(found.count), str(found.agreements), share(found.share), kappa)


def _grades(results: Results, benchmark: Benchmark, judge: str) -> Mapping[AnswerKey, GradeRow]:
    return {
        row.key[:4]: row
        for row in results.grades.values()
        if row.benchmark is benchmark and row.judge == judge and not row.error
    }


def _verdicts(results: Results, benchmark: Benchmark, judge: str) -> Mapping[AnswerKey, str]:
    return {key: row.verdict for key, row in _grades(results, benchmark, judge).items() if row.verdict}
