"""What ``vectree eval`` writes: estimates and the figures of a run."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, TextIO

from vectree.cli import output
from vectree.evaluate.records import Benchmark
from vectree.evaluate.reporting.cells import UNMEASURED, count, money, share
from vectree.evaluate.reporting.series import Series, collect
from vectree.evaluate.reporting.summary import summary
from vectree.evaluate.results.file import ResultsFile
from vectree.evaluate.running.estimate import RunEstimate
from vectree.evaluate.running.plan import RunSummary

_SHOWN = ("evidence_precision", "evidence_recall", "evidence_f1")


def write_estimate(estimate: RunEstimate, stream: TextIO, *, as_json: bool) -> None:
    """Say what a run would take.

    Args:
        estimate: The estimate.
        stream: Where to.
        as_json: Whether to write JSON.
    """
    parts = [*estimate.systems, *([estimate.judge] if estimate.judge else [])]
    if as_json:
        document = {"dry_run": True, **asdict(estimate), "cost": estimate.cost}
        output.write_json(document, stream)
        return
    rows: list[tuple[str, ...]] = [("", "calls", "tokens sent", "generated", "cost")]
    for part in parts:
        sent, generated = f"{part.prompt_tokens:,}", f"{part.completion_tokens:,}"
        name = f"judge {part.name}" if part is estimate.judge else part.name
        rows.append((name, f"{part.calls:,}", sent, generated, money(part.cost)))
    for line in output.columns(rows):
        output.write(line, stream)
    known = money(estimate.cost) if estimate.cost is not None else "not known; give --price and --judge-price"
    output.write(f"\n{estimate.answers:,} answers; expected cost: {known}", stream)


def write_run(
    done: RunSummary, file: ResultsFile, benchmark: Benchmark, stream: TextIO, *, as_json: bool
) -> None:
    """Show the figures of a run.

    Args:
        done: What was done.
        file: The results.
        benchmark: The benchmark.
        stream: Where to.
        as_json: Whether to write JSON.
    """
    results = file.read()
    if as_json:
        document: dict[str, Any] = {
            **summary(results, benchmark),
            "results": str(file.path),
            "run": asdict(done),
        }
        output.write_json(document, stream)
        return
    listed = collect(results).get(benchmark, ())
    headline = next((metric for series in listed if (metric := series.headline())), None)
    heads = ("system", *([headline] if headline else []), *_SHOWN, "tokens/q", "answers", "errors")
    rows: list[tuple[str, ...]] = [heads, *(_row(series, headline) for series in listed)]
    for line in output.columns(rows):
        output.write(line, stream)
    output.write(f"\n{_said(done)}; results in {file.path}", stream)


def _row(series: Series, headline: str | None) -> tuple[str, ...]:
    figures = [share(series.mean(metric)) for metric in ([headline] if headline else []) + list(_SHOWN)]
    asked = any(row.usage.model_calls for row in series.answers)
    tokens = count(series.mean("tokens")) if asked else UNMEASURED
    flag = " †" if series.unmeasured else ""
    return (series.system + flag, *figures, tokens, str(len(series.answers)), str(series.errors))


def _said(done: RunSummary) -> str:
    said = f"{done.answered} answered, {done.failed} failed, {done.graded} graded, {done.kept} kept"
    if done.ungraded:
        said += f", {done.ungraded} could not be graded"
    return said + (f"; stopped: {done.stopped}" if done.stopped else "")
