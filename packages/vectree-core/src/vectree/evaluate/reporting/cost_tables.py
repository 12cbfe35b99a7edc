"""Tables of cost: 8, 9, and one of efficiency that the paper asks for (§5)."""

from __future__ import annotations

from statistics import median

from vectree.evaluate.records import Benchmark
from vectree.evaluate.reporting.answer_tables import AllSeries, ablated
from vectree.evaluate.reporting.cells import UNMEASURED, Table, count, flags, money, seconds, title
from vectree.evaluate.reporting.series import Series

_BENCHMARKS = (Benchmark.QASPER, Benchmark.LITQA2, Benchmark.MOSAIC)


def inference(found: AllSeries) -> Table:
    """Table 8: tokens a question on each benchmark, and wall time on QASPER.

    Args:
        found: The results.

    Returns:
        The table.
    """
    listed = [series for benchmark in _BENCHMARKS for series in found.get(benchmark, ())]
    rows: list[tuple[str, ...]] = []
    for name, shown in {series.system: title(series) for series in listed}.items():
        own = {series.benchmark: series for series in listed if series.system == name}
        tokens = {each: _tokens(own[each]) if each in own else UNMEASURED for each in _BENCHMARKS}
        wall = seconds(own[Benchmark.QASPER].mean("seconds")) if Benchmark.QASPER in own else UNMEASURED
        rows.append(
            (shown, tokens[Benchmark.QASPER], wall, tokens[Benchmark.LITQA2], tokens[Benchmark.MOSAIC])
        )
    return Table(
        title="Table 8. Inference cost",
        columns=(
            "System",
            "QASPER tokens/q ↓",
            "QASPER wall (s) ↓",
            "LitQA2 tokens/q ↓",
            "MOSAIC tokens/q ↓",
        ),
        rows=tuple(rows),
        notes=("Tokens sent and generated, summed over the calls of an answer; completed answers only.",),
    )


def ablations(found: AllSeries) -> Table:
    """Table 9: tokens a question of the agent without one of its parts.

    Args:
        found: The results.

    Returns:
        The table.
    """
    listed = ablated(found)
    return Table(
        title="Table 9. Query-time cost of the LitQA2 component ablations",
        columns=("LitQA2 variant (agent)", "Tokens/q ↓"),
        rows=tuple((title(series), _tokens(series)) for series in listed),
        notes=flags(listed),
    )


def efficiency(found: AllSeries) -> Table:
    """What is stored, what indexing took, and what an answer takes: one row a system and benchmark.

    Args:
        found: The results.

    Returns:
        The table.
    """
    rows: list[tuple[str, ...]] = []
    for benchmark, listed in found.items():
        for series in listed:
            kept = series.row.footprint
            indexing = kept.usage.prompt_tokens + kept.usage.completion_tokens
            rows.append(
                (
                    benchmark.value,
                    title(series),
                    count(kept.vectors),
                    count(kept.index_bytes),
                    seconds(kept.seconds),
                    count(indexing) if kept.usage.model_calls else "0",
                    money(kept.usage.cost) if kept.usage.model_calls else money(0.0),
                    _median(series, "retrieval_seconds"),
                    seconds(series.mean("seconds")),
                    _tokens(series),
                    count(series.mean("cached_tokens")) if _asked(series) else UNMEASURED,
                    count(series.mean("calls")),
                    money(series.mean("cost")) if _asked(series) else UNMEASURED,
                    str(series.errors),
                )
            )
    return Table(
        title="Efficiency",
        columns=(
            "Benchmark",
            "System",
            "Vectors",
            "Index bytes",
            "Indexing (s)",
            "Indexing tokens",
            "Indexing cost",
            "Retrieval, median (s)",
            "Wall (s)",
            "Tokens/q",
            "Cached/q",
            "Calls/q",
            "Cost/q",
            "Errors",
        ),
        rows=tuple(rows),
        notes=("A price that is not known is left open, never taken as zero.",),
    )


def _asked(series: Series) -> bool:
    """Whether a model was asked at all."""
    return any(row.usage.model_calls for row in series.answers)


def _tokens(series: Series) -> str:
    return count(series.mean("tokens")) if _asked(series) else UNMEASURED


def _median(series: Series, metric: str) -> str:
    values = [value for value in series.values(metric).values() if value is not None]
    return seconds(median(values)) if values else UNMEASURED
