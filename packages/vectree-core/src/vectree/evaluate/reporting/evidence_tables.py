"""Tables of evidence: 3, 7, evidence by kind of question, and what trajectories and citations tell."""

from __future__ import annotations

from collections.abc import Sequence

from vectree.evaluate.records import Benchmark
from vectree.evaluate.reporting.answer_tables import KINDS, AllSeries, ablated
from vectree.evaluate.reporting.cells import Table, count, flags, share, title, with_interval
from vectree.evaluate.reporting.series import Series


def qasper(found: AllSeries) -> Table:
    """Table 3: QASPER evidence localization.

    Args:
        found: The results.

    Returns:
        The table.
    """
    listed = found.get(Benchmark.QASPER, ())
    return Table(
        title="Table 3. QASPER evidence localization",
        columns=(
            "System",
            "Evidence recall ↑ [95% CI]",
            "Evidence precision ↑ [95% CI]",
            "F1",
            "Units read",
            "n",
        ),
        rows=tuple(_row(series) for series in listed),
        notes=(
            "Sets of paragraphs against the best-matching annotator (by F1); a passage inherits every "
            "paragraph it spans. Questions without any gold paragraph are left out.",
            *flags(listed),
        ),
    )


def by_kind(found: AllSeries) -> Table:
    """Evidence and answer F1 by the kind of question, on every benchmark with more than one kind.

    Args:
        found: The results.

    Returns:
        The table.
    """
    rows: list[tuple[str, ...]] = []
    shown: list[Series] = []
    for benchmark, listed in found.items():
        for series in listed:
            kinds = _kinds(series)
            if len(kinds) < 2:
                continue
            shown.append(series)
            for kind in kinds:
                part = series.only([kind])
                headline = series.headline()
                rows.append(
                    (
                        benchmark.value,
                        title(series),
                        kind,
                        share(part.mean(headline) if headline else None),
                        share(part.mean("evidence_recall")),
                        share(part.mean("evidence_precision")),
                        share(part.mean("evidence_f1")),
                    )
                )
    return Table(
        title="By kind of question",
        columns=("Benchmark", "System", "Kind", "Answer score", "Ev.R", "Ev.P", "Ev.F1"),
        rows=tuple(rows),
        notes=flags(shown),
    )


def mapped_pages(found: AllSeries) -> Table:
    """Table 7: LitQA2 key passages mapped to pages, within the gold document; a diagnostic.

    Args:
        found: The results.

    Returns:
        The table.
    """
    listed = ablated(found) or found.get(Benchmark.LITQA2, ())
    rows = tuple(
        (
            title(series),
            share(series.mean("evidence_recall")),
            share(series.mean("evidence_precision")),
            str(len(series.by_question("evidence_recall"))),
        )
        for series in listed
    )
    return Table(
        title="Table 7. LitQA2 page-mapping diagnostic",
        columns=("Variant (agent)", "Mapped-page recall ↑", "Mapped-page precision ↑", "Questions mapped"),
        rows=rows,
        notes=flags(listed),
    )


def behaviour(found: AllSeries) -> Table:
    """What the paper leaves open (§5): order of the layers, citations checked and supported.

    Args:
        found: The results.

    Returns:
        The table.
    """
    rows: list[tuple[str, ...]] = []
    for benchmark, listed in found.items():
        for series in listed:
            metrics = ("layer_order", "citation_validity", "cited_sentences", "citation_support")
            means = [series.mean(metric) for metric in metrics]
            calls = series.mean("tool_calls")
            if calls is None and not any(means):
                continue
            rows.append(
                (
                    benchmark.value,
                    title(series),
                    *map(share, means),
                    count(calls),
                    count(series.mean("rounds")),
                )
            )
    return Table(
        title="Trajectories and citations",
        columns=(
            "Benchmark",
            "System",
            "Layer order kept",
            "Citations of pages read",
            "Sentences cited",
            "Cited sentences supported",
            "Tool calls",
            "Rounds",
        ),
        rows=tuple(rows),
    )


def _row(series: Series) -> tuple[str, ...]:
    return (
        title(series),
        with_interval(series.interval("evidence_recall")),
        with_interval(series.interval("evidence_precision")),
        share(series.mean("evidence_f1")),
        count(series.mean("units_read")),
        str(len(series.by_question("evidence_recall"))),
    )


def _kinds(series: Series) -> Sequence[str]:
    present = {row.kind for row in series.answers if row.kind}
    return [*(kind for kind in KINDS if kind in present), *sorted(present - set(KINDS))]
