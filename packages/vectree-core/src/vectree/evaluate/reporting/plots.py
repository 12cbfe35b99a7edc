"""Two plots for each benchmark: score against tokens, evidence precision against recall, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vectree._extras import require
from vectree.evaluate.metrics.bootstrap import Interval
from vectree.evaluate.records import Benchmark
from vectree.evaluate.reporting.cells import title
from vectree.evaluate.reporting.series import Series, collect
from vectree.evaluate.results.file import Results

SIZE = (7.2, 4.4)
DPI = 150


_EFFORTS = {"tokens": "tokens per question", "units_read": "units read per question"}
"""What stands on the horizontal axis of the first plot, on a logarithmic scale."""


def draw_plots(results: Results, folder: Path, *, judge: str | None = None) -> tuple[str, ...]:
    """Draw every plot that has at least one point.

    Args:
        results: Rows of results.
        folder: Where to; created if it is not there.
        judge: Whose grades to take.

    Returns:
        File names in the folder; `MissingExtra` says that matplotlib is not installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names: list[str] = []
    for benchmark, listed in collect(results, judge=judge).items():
        score = next((metric for series in listed if (metric := series.headline())), "evidence_f1")
        effort = "tokens" if any(_positive(series, "tokens") for series in listed) else "units_read"
        for name, axes in (
            (f"{benchmark.value}-score-against-{effort.replace('_', '-')}.png", (effort, score)),
            (f"{benchmark.value}-precision-against-recall.png", ("evidence_recall", "evidence_precision")),
        ):
            if _draw(listed, benchmark, axes, folder / name):
                names.append(name)
    return tuple(names)


def _draw(listed: Sequence[Series], benchmark: Benchmark, axes: tuple[str, str], path: Path) -> bool:
    """One scatter plot; False if there is nothing to show."""
    across, up = axes
    points = [
        (series, x, y)
        for series in listed
        if (x := series.interval(across)) is not None and (y := series.interval(up)) is not None
    ]
    if not points:
        return False
    figure_type: Any = require("matplotlib.figure", extra="eval").Figure
    canvas_type: Any = require("matplotlib.backends.backend_agg", extra="eval").FigureCanvasAgg
    figure = figure_type(figsize=SIZE, dpi=DPI, layout="constrained")
    canvas_type(figure)
    plot = figure.add_subplot()
    for series, x, y in points:
        plot.errorbar(x.mean, y.mean, xerr=_bars(x), yerr=_bars(y), fmt="o", capsize=3, label=title(series))
    if across in _EFFORTS and all(x.mean > 0 for _, x, _ in points):
        plot.set_xscale("log")
        plain: Any = require("matplotlib.ticker", extra="eval").StrMethodFormatter("{x:,.0f}")
        plot.xaxis.set_major_formatter(plain)
        plot.xaxis.set_minor_formatter(plain)
        plot.tick_params(axis="x", which="both", labelrotation=30)
    if across not in _EFFORTS:
        plot.set_xlim(0, 1.02)
    plot.set_xlabel(_axis(across))
    plot.set_ylabel(_axis(up))
    plot.set_ylim(0, min(1.05, 1.2 * max(y.high for _, _, y in points) or 1.05))
    plot.set_title(f"{benchmark.value}: {_axis(up)} against {_axis(across)}")
    plot.grid(visible=True, alpha=0.3)
    figure.legend(loc="outside right upper", fontsize="small")
    figure.savefig(path, format="png", metadata={"Software": None})
    return True


def _bars(interval: Interval) -> list[list[float]]:
    return [[max(0.0, interval.mean - interval.low)], [max(0.0, interval.high - interval.mean)]]


def _axis(metric: str) -> str:
    return _EFFORTS.get(metric, metric.replace("_", " "))


def _positive(series: Series, metric: str) -> bool:
    return any(value for value in series.values(metric).values())
