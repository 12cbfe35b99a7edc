"""Table 6, and what Appendix D reports of indexing and of verified tree search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, cast

from vectree.evaluate.records import Benchmark
from vectree.evaluate.reporting.answer_tables import AllSeries
from vectree.evaluate.reporting.cells import UNMEASURED, Table, count, share, title
from vectree.evaluate.results.rows import RunRow

_Figures = Mapping[str, Any]
_INGESTION = {
    "paper_rate_before_repair": "Title verification, paper's rule, before repair",
    "paper_rate": "Title verification, paper's rule",
    "verified_rate_before_repair": "Title verification, our rule, before repair",
    "verified_rate": "Title verification, our rule",
    "repair_rounds": "Repair rounds",
    "seconds": "Seconds a paper, without parsing",
    "model_calls": "Model calls a paper",
}


def statistics(runs: Sequence[RunRow]) -> Table:
    """Table 6: questions, corpus, lengths, evidence; from the last run on each benchmark.

    Args:
        runs: What was asked.

    Returns:
        The table.
    """
    last = _last(runs)
    asked = {benchmark: _part(run.corpus, "questions") for benchmark, run in last.items()}
    held = {benchmark: _part(run.corpus, "documents") for benchmark, run in last.items()}
    kinds = dict.fromkeys(kind for figures in asked.values() for kind in _part(figures, "kinds"))
    rows = [("Questions", *(_number(asked[each].get("count")) for each in last))]
    for kind in kinds:
        rows.append((f"– {kind}", *(_number(_part(asked[each], "kinds").get(kind)) for each in last)))
    for name, source, key in (
        ("Corpus papers", held, "count"),
        ("Gold papers", asked, "gold_papers"),
        ("Publication years", held, "years"),
        ("Pages/paper (mean)", held, "pages_mean"),
        ("Pages/paper (median)", held, "pages_median"),
        ("Pages/paper (range)", held, "pages_range"),
        ("Gold evidence records/q (mean)", asked, "gold_records_mean"),
        ("Questions with gold evidence", asked, "with_gold_evidence"),
        ("Gold papers/q (range)", asked, "gold_papers_each"),
    ):
        rows.append((name, *(_number(source[each].get(key)) for each in last)))
    return Table(
        title="Table 6. Benchmark and corpus statistics",
        columns=("", *(benchmark.value for benchmark in last)),
        rows=tuple(rows) if last else (),
        notes=("QASPER pages are paragraphs: one synthetic page each.",) if Benchmark.QASPER in last else (),
    )


def ingestion(runs: Sequence[RunRow]) -> Table:
    """Appendix D: title verification, repair and time, from the ingestion reports of each corpus.

    Args:
        runs: What was asked.

    Returns:
        The table: mean, median, number of papers.
    """
    rows: list[tuple[str, ...]] = []
    for benchmark, run in _last(runs).items():
        figures = _part(run.corpus, "ingestion")
        for key, name in _INGESTION.items():
            figure = _part(figures, key)
            if figure:
                rows.append(
                    (benchmark.value, name, *(_number(figure.get(k)) for k in ("mean", "median", "count")))
                )
    return Table(
        title="Appendix D. Indexing",
        columns=("Benchmark", "Figure", "Mean", "Median", "Papers"),
        rows=tuple(rows),
    )


def tree_search(found: AllSeries) -> Table:
    """Appendix D: confidence of verified tree search, and how often it fell back.

    Args:
        found: The results.

    Returns:
        The table.
    """
    rows: list[tuple[str, ...]] = []
    for benchmark, listed in found.items():
        for series in listed:
            details = [row.details for row in series.answers if not row.error and "confidence" in row.details]
            if details:
                confidence = fmean(float(each["confidence"]) for each in details)
                fallback = fmean(bool(each.get("fallback")) for each in details)
                retries = fmean(float(each.get("retries") or 0) for each in details)
                shown = (share(confidence), share(fallback), f"{retries:.2f}", count(len(details)))
                rows.append((benchmark.value, title(series), *shown))
    return Table(
        title="Appendix D. Verified tree search",
        columns=("Benchmark", "System", "Confidence (mean)", "Fallback rate", "Retries (mean)", "Queries"),
        rows=tuple(rows),
        notes=(
            "Confidence says that returned identifiers passed the checks, not that they hold the answer.",
        ),
    )


def _last(runs: Sequence[RunRow]) -> dict[Benchmark, RunRow]:
    by_benchmark = {run.benchmark: run for run in runs}
    return {benchmark: by_benchmark[benchmark] for benchmark in Benchmark if benchmark in by_benchmark}


def _part(figures: _Figures, name: str) -> _Figures:
    value = figures.get(name)
    return cast("_Figures", value) if isinstance(value, Mapping) else {}


def _number(value: Any) -> str:
    if isinstance(value, list):
        ends = cast("list[Any]", value)
        return "–".join(dict.fromkeys(str(end) for end in ends))
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 1 else f"{value:,.1f}"
    return UNMEASURED if value is None else f"{value:,}" if isinstance(value, int) else str(value)
