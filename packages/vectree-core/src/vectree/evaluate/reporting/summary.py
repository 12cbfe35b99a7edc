"""A run's results as one JSON document, for scripts."""

from __future__ import annotations

from typing import Any

from vectree.evaluate.records import Benchmark
from vectree.evaluate.reporting.series import Series, choice_precision, collect
from vectree.evaluate.results.file import Results

METRICS = (
    "correctness",
    "correctness_partial",
    "accuracy",
    "answered",
    "composite",
    "factuality_precision",
    "factuality_recall",
    "factuality_f1",
    "scaled_cosine",
    "coverage",
    "faithfulness",
    "answer_f1",
    "official_evidence_f1",
    "document_recall",
    "documents_read",
    "units_read",
    "layer_order",
    "citation_validity",
    "cited_sentences",
    "citation_support",
    "rounds",
    "tool_calls",
    "tokens",
    "prompt_tokens",
    "completion_tokens",
    "cached_tokens",
    "calls",
    "cost",
    "seconds",
    "retrieval_seconds",
)
EVIDENCE = ("evidence_precision", "evidence_recall", "evidence_f1")


def summary(results: Results, benchmark: Benchmark, *, judge: str | None = None) -> dict[str, Any]:
    """Sum up the results on one benchmark.

    Args:
        results: Rows of results.
        benchmark: Which benchmark.
        judge: Whose grades to take.

    Returns:
        Plain JSON: the benchmark, its questions, and for each system its figures; ``null`` where a figure was
        not measured.
    """
    systems = collect(results, judge=judge).get(benchmark, ())
    runs = [run for run in results.runs if run.benchmark is benchmark]
    last = runs[-1] if runs else None
    return {
        "benchmark": benchmark.value,
        "questions": len(last.questions) if last else 0,
        "left_out": dict(last.left_out) if last else {},
        "generator": last.generator or None if last else None,
        "judge": last.judge or None if last else None,
        "systems": [_system(series) for series in systems],
    }


def _system(series: Series) -> dict[str, Any]:
    headline = series.headline()
    return {
        "system": series.system,
        "title": series.row.title,
        "questions": len({row.question for row in series.answers}),
        "seeds": sorted({row.seed for row in series.answers}),
        "errors": series.errors,
        "unmeasured": series.unmeasured or None,
        **{metric: _mean(series, metric) for metric in EVIDENCE},
        "evidence_questions": len(series.by_question("evidence_recall")),
        "metrics": {
            **{metric: value for metric in METRICS if (value := _mean(series, metric)) is not None},
            **(
                {"choice_precision": precision} if (precision := choice_precision(series)) is not None else {}
            ),
        },
        "intervals": {
            metric: [interval.low, interval.high]
            for metric in (*EVIDENCE, *([headline] if headline else []))
            if (interval := series.interval(metric)) is not None
        },
        "by_kind": {
            kind: {metric: _mean(series.only([kind]), metric) for metric in EVIDENCE}
            for kind in sorted({row.kind for row in series.answers if row.kind})
        },
        "footprint": series.row.footprint.model_dump(),
        "parameters": series.row.parameters,
    }


def _mean(series: Series, metric: str) -> float | None:
    mean = series.mean(metric)
    return None if mean is None else mean.mean
