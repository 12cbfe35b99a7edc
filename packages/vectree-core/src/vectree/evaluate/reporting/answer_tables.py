"""Tables of answers: 2, 4, 5, QASPER's official figures, LitQA2's three, a user's own, paired differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vectree.evaluate.metrics.bootstrap import paired_difference
from vectree.evaluate.records import Benchmark
from vectree.evaluate.reporting.cells import (
    UNMEASURED,
    Table,
    count,
    flags,
    share,
    title,
    with_interval,
)
from vectree.evaluate.reporting.series import Series, choice_precision

AllSeries = Mapping[Benchmark, Sequence[Series]]

ABLATIONS = ("agent", "no-tree", "no-vector", "no-gates")
"""Rows of Tables 5, 7 and 9."""

KINDS = ("extractive", "abstractive", "boolean", "none")
_SCORES = {Benchmark.QASPER: "correctness", Benchmark.LITQA2: "accuracy", Benchmark.MOSAIC: "composite"}


def answer_scores(found: AllSeries) -> Table:
    """Table 2: one answer score for each benchmark.

    Args:
        found: The results.

    Returns:
        The table; the three scores are not commensurate and are not averaged.
    """
    listed = [series for benchmark in _SCORES for series in found.get(benchmark, ())]
    rows: list[tuple[str, ...]] = []
    for name, shown in {series.system: title(series) for series in listed}.items():
        by_benchmark = {series.benchmark: series for series in listed if series.system == name}
        scores = [
            share(by_benchmark[benchmark].mean(metric)) if benchmark in by_benchmark else UNMEASURED
            for benchmark, metric in _SCORES.items()
        ]
        rows.append((shown, *scores))
    return Table(
        title="Table 2. Answer scores",
        columns=("System", "QASPER correctness ↑", "LitQA2 accuracy ↑", "MOSAIC composite ↑"),
        rows=tuple(rows),
        notes=(*_judge_note(listed), *composite_note(found), *flags(listed)),
    )


def mosaic(found: AllSeries) -> Table:
    """Table 4: multi-document synthesis; the parts of the composite stand beside it.

    Args:
        found: The results.

    Returns:
        The table.
    """
    listed = found.get(Benchmark.MOSAIC, ())
    metrics = {
        "Composite ↑": "composite",
        "Coverage ↑": "coverage",
        "Faith ↑": "faithfulness",
        "Ev.R ↑": "evidence_recall",
        "Ev.P ↑": "evidence_precision",
        "Fact.P": "factuality_precision",
        "Fact.R": "factuality_recall",
        "Fact.F1": "factuality_f1",
        "s_cos": "scaled_cosine",
    }
    return Table(
        title="Table 4. MOSAIC: multi-document synthesis",
        columns=("System", *metrics),
        rows=_rows(listed, list(metrics.values())),
        notes=(*composite_note(found), *flags(listed)),
    )


def ablations(found: AllSeries) -> Table:
    """Table 5: LitQA2 accuracy of the agent without one of its parts, with question-bootstrap intervals.

    Args:
        found: The results.

    Returns:
        The table.
    """
    listed = ablated(found)
    return Table(
        title="Table 5. LitQA2 component ablations",
        columns=("Variant (agent)", "MCQ accuracy ↑ [95% CI]"),
        rows=tuple((title(series), with_interval(series.interval("accuracy"))) for series in listed),
        notes=flags(listed),
    )


def ablated(found: AllSeries) -> tuple[Series, ...]:
    """The agent and its variants on LitQA2.

    Args:
        found: The results.

    Returns:
        Those that were run, in the order of the paper's tables.
    """
    by_name = {series.system: series for series in found.get(Benchmark.LITQA2, ())}
    variants = tuple(by_name[name] for name in ABLATIONS if name in by_name)
    return variants if len(variants) > 1 or "agent" in by_name else ()


def official(found: AllSeries) -> Table:
    """QASPER's official figures beside the judge: token F1 over all and by type of answer, evidence F1.

    Args:
        found: The results.

    Returns:
        The table.
    """
    listed = found.get(Benchmark.QASPER, ())
    rows: list[tuple[str, ...]] = []
    for series in listed:
        by_kind = [share(series.only([kind], label="answer_kind").mean("answer_f1")) for kind in KINDS]
        rows.append(
            (
                title(series),
                share(series.mean("answer_f1")),
                *by_kind,
                share(series.mean("official_evidence_f1")),
                share(series.mean("correctness_partial")),
            )
        )
    return Table(
        title="QASPER: official figures",
        columns=("System", "Answer F1", *KINDS, "Evidence F1", "Correctness, partial = ½"),
        rows=tuple(rows),
        notes=(
            "Types are those of the best-matching reference, as in the official evaluator.",
            *flags(listed),
        ),
    )


def litqa2(found: AllSeries) -> Table:
    """LitQA2's three figures, and whether the right paper was opened.

    Args:
        found: The results.

    Returns:
        The table.
    """
    listed = found.get(Benchmark.LITQA2, ())
    rows = tuple(
        (
            title(series),
            with_interval(series.interval("accuracy")),
            share(choice_precision(series)),
            share(series.mean("answered")),
            share(series.mean("document_recall")),
            count(series.mean("documents_read")),
        )
        for series in listed
    )
    columns = ("System", "Accuracy [95% CI]", "Precision", "Coverage", "Right paper read", "Papers read")
    return Table(
        title="LitQA2: accuracy, precision, coverage", columns=columns, rows=rows, notes=flags(listed)
    )


def own(found: AllSeries) -> Table:
    """A user's own questions: every score that was measured.

    Args:
        found: The results.

    Returns:
        The table.
    """
    listed = found.get(Benchmark.OWN, ())
    metrics = {
        "Correctness": "correctness",
        "Accuracy": "accuracy",
        "Composite": "composite",
        "Fact.F1": "factuality_f1",
        "Coverage": "coverage",
        "Faith": "faithfulness",
        "Ev.R": "evidence_recall",
        "Ev.P": "evidence_precision",
        "Ev.F1": "evidence_f1",
    }
    return Table(
        title="Own questions",
        columns=("System", *metrics),
        rows=_rows(listed, list(metrics.values())),
        notes=(*composite_note(found), *flags(listed)),
    )


def differences(found: AllSeries, *, against: str = "agent") -> Table:
    """Paired differences between one system and the others, with question-bootstrap intervals.

    Args:
        found: The results.
        against: Name of that system.

    Returns:
        The table: the system minus each other one, on the questions both answered.
    """
    rows: list[tuple[str, ...]] = []
    for benchmark, listed in found.items():
        base = next((series for series in listed if series.system == against), None)
        for series in listed if base is not None else ():
            if base is None or series is base:
                continue
            for metric in filter(None, (base.headline(), "evidence_precision", "evidence_recall")):
                gap = paired_difference(base.by_question(metric), series.by_question(metric))
                if gap is not None:
                    shown = f"{gap.mean:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]"
                    rows.append((benchmark.value, metric, title(series), shown, str(gap.count)))
    return Table(
        title=f"Paired differences: {against} minus each system",
        columns=("Benchmark", "Metric", "System", "Difference [95% CI]", "Questions"),
        rows=tuple(rows),
    )


def composite_note(found: AllSeries) -> tuple[str, ...]:
    """Say so if a composite was computed on another embedder than the paper's.

    Args:
        found: The results.

    Returns:
        A sentence, or none.
    """
    embedders = {
        str(grade.details["cosine_embedder"])
        for listed in found.values()
        for series in listed
        for grade in series.grades.values()
        if grade.details.get("cosine_comparable") is False
    }
    return tuple(
        f"Cosine and composite were computed on {name}, not on specter2_base: "
        "they are not comparable with the paper's."
        for name in sorted(embedders)
    )


def _rows(listed: Sequence[Series], metrics: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple((title(series), *(share(series.mean(metric)) for metric in metrics)) for series in listed)


def _judge_note(listed: Sequence[Series]) -> tuple[str, ...]:
    names = sorted({grade.judge for series in listed for grade in series.grades.values()})
    return (f"Judged by {', '.join(names)}.",) if names else ("No judge was asked.",)
