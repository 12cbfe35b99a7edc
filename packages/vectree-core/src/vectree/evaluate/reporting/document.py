"""The whole report as one Markdown document."""

from __future__ import annotations

from collections.abc import Sequence

from vectree.evaluate.reporting import (
    answer_tables,
    corpus_tables,
    cost_tables,
    evidence_tables,
    judge_tables,
)
from vectree.evaluate.reporting.cells import UNMEASURED, Table
from vectree.evaluate.reporting.series import collect
from vectree.evaluate.results.file import Results
from vectree.evaluate.results.rows import RunRow


def all_tables(results: Results, *, judge: str | None = None) -> tuple[Table, ...]:
    """Draw every table.

    Args:
        results: Rows of one or more results files.
        judge: Whose grades to take; by default those of the judge that gave most.

    Returns:
        Tables 2 to 10 in order, then those the paper does not have.
    """
    found = collect(results, judge=judge)
    return (
        answer_tables.answer_scores(found),
        evidence_tables.qasper(found),
        answer_tables.mosaic(found),
        answer_tables.ablations(found),
        corpus_tables.statistics(results.runs),
        evidence_tables.mapped_pages(found),
        cost_tables.inference(found),
        cost_tables.ablations(found),
        judge_tables.mechanical(results),
        corpus_tables.ingestion(results.runs),
        corpus_tables.tree_search(found),
        cost_tables.efficiency(found),
        answer_tables.official(found),
        answer_tables.litqa2(found),
        evidence_tables.by_kind(found),
        answer_tables.own(found),
        answer_tables.differences(found),
        evidence_tables.behaviour(found),
        judge_tables.between_judges(results),
        judge_tables.by_judge(results),
        judge_tables.effort(results),
    )


def report(results: Results, *, judge: str | None = None, plots: Sequence[str] = ()) -> str:
    """Write the report.

    Args:
        results: Rows of one or more results files.
        judge: Whose grades to take.
        plots: File names of plots to show, relative to the report.

    Returns:
        Markdown.
    """
    parts = ["# Evaluation", _about(results)]
    parts += [table.markdown() for table in all_tables(results, judge=judge)]
    if plots:
        parts.append("### Plots\n\n" + "\n\n".join(f"![{_alt(name)}]({name})" for name in plots))
    return "\n\n".join(parts) + "\n"


def _about(results: Results) -> str:
    lines = [
        "Metrics are computed for each question, averaged within each seed, then over the seeds. Brackets "
        "are 95 % percentile-bootstrap intervals over questions. "
        f"{UNMEASURED} stands where nothing was measured.",
        *dict.fromkeys(_run_line(run) for run in results.runs),
    ]
    failed = sum(bool(row.error) for row in results.answers.values())
    if failed:
        lines.append(f"- {failed} of {len(results.answers)} answers failed and count as wrong.")
    return "\n".join([lines[0], "", *lines[1:]])


def _run_line(run: RunRow) -> str:
    models = f"generator {run.generator or 'none'}, judge {run.judge or 'none'}"
    seeds = run.settings.get("seeds")
    note = f"; note: {run.settings['note']}" if run.settings.get("note") else ""
    left = f", {len(run.left_out)} left out" if run.left_out else ""
    return (
        f"- {run.benchmark.value}: {len(run.questions)} questions of {run.data}{left}; {models}; "
        f"seeds {seeds}; version {run.version}{note}"
    )


def _alt(name: str) -> str:
    return name.rsplit("/", 1)[-1].removesuffix(".png").replace("-", " ")
