"""Commands on results: ``eval report`` and ``eval regrade``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from vectree.cli import output
from vectree.cli.app import EXIT_FAILED
from vectree.cli.eval_app import eval_app
from vectree.cli.eval_options import ConcurrencyOption, JudgePriceOption, read_model, read_names
from vectree.cli.options import DEFAULT_CORPUS, CorpusOption, JsonOption
from vectree.cli.prices import read_price
from vectree.cli.progress import progress_bar
from vectree.errors import UsageError
from vectree.evaluate.grading import Grader
from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.papers import open_papers, page_reader
from vectree.evaluate.records import Benchmark, Unit
from vectree.evaluate.reporting import judge_tables
from vectree.evaluate.reporting.cells import Table
from vectree.evaluate.reporting.document import all_tables, report
from vectree.evaluate.reporting.plots import draw_plots
from vectree.evaluate.results.file import ResultsFile, read_all
from vectree.evaluate.results.rows import RunRow
from vectree.evaluate.running.plan import RunSummary
from vectree.evaluate.running.regrade import regrade
from vectree.evaluate.setup import read_dataset
from vectree.llm.usage import Price

REPORT = "report.md"


@eval_app.command("report")
def write_report(
    files: Annotated[list[Path], typer.Argument(metavar="RESULTS...", help="Results files.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write report.md and plots here instead of to standard output."),
    ] = None,
    judge: Annotated[str | None, typer.Option(metavar="NAME", help="Whose grades to take.")] = None,
    plots: Annotated[
        bool, typer.Option("--plots/--no-plots", help="Draw plots beside the report; needs matplotlib.")
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Draw every table of the paper, and plots, from results files."""
    with output.results_only() as stdout:
        results = read_all(files)
        names = draw_plots(results, out, judge=judge) if plots and out is not None else ()
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            (out / REPORT).write_text(report(results, judge=judge, plots=names), encoding="utf-8")
        if as_json:
            tables = [asdict(table) for table in all_tables(results, judge=judge)]
            output.write_json({"tables": tables, "plots": list(names)}, stdout)
        elif out is not None:
            output.write(f"{out / REPORT}, {len(names)} plots", stdout)
        else:
            output.write(report(results, judge=judge).rstrip("\n"), stdout)


@eval_app.command("regrade")
def regrade_results(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="Results file; grades are added to it.")],
    data: Annotated[Path, typer.Option("--data", metavar="FILE", help="Its question file.")],
    judges: Annotated[str, typer.Option("--judge", metavar="A,B", help="Judges, each another model.")],
    judge_price: JudgePriceOption = None,
    benchmark: Annotated[
        Benchmark | None, typer.Option(help="Which benchmark of the file [default: the only one].")
    ] = None,
    corpus: CorpusOption = DEFAULT_CORPUS,
    concurrency: ConcurrencyOption = 4,
    citations: Annotated[
        bool, typer.Option("--citation-support", help="Check cited pages too; needs the corpus.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Grade all answers again with other judges, and show how far judges agree."""
    with output.results_only() as stdout:
        which = benchmark or _only_benchmark(read_all([results]).runs)
        questions = {question.id: question for question in read_dataset(which, data).questions}
        done: list[RunSummary] = []
        for name in read_names(judges):
            grader = _grader(name, read_price(judge_price), corpus if citations else None)
            with progress_bar(f"grading: {name}") as show:
                done.append(
                    regrade(
                        ResultsFile(results),
                        questions,
                        grader,
                        benchmark=which.value,
                        concurrency=concurrency,
                        on_progress=show,
                    )
                )
        found = read_all([results])
        tables = [
            judge_tables.between_judges(found),
            judge_tables.by_judge(found),
            judge_tables.mechanical(found),
            judge_tables.effort(found),
        ]
        if as_json:
            shown = {"runs": [asdict(each) for each in done], "tables": [asdict(table) for table in tables]}
            output.write_json(shown, stdout)
        else:
            output.write("\n\n".join(map(Table.markdown, tables)), stdout)
    if any(each.ungraded or each.stopped for each in done):
        raise typer.Exit(EXIT_FAILED)


def _only_benchmark(runs: Sequence[RunRow]) -> Benchmark:
    named = dict.fromkeys(run.benchmark for run in runs)
    if len(named) != 1:
        held = ", ".join(named) or "no run"
        raise UsageError(f"The file holds {held}.", hint="Say which with --benchmark.")
    return next(iter(named))


def _grader(name: str, price: Price | None, corpus: Path | None) -> Grader:
    model = read_model(name, price)
    if model is None:
        raise UsageError(f"{name!r} cannot judge.")
    papers = open_papers(corpus) if corpus else None
    return Grader(
        Judge(model),
        page_reader(papers) if papers else _no_text,
        embedder=papers.embedder if papers else None,
        citations=papers is not None,
    )


def _no_text(unit: Unit) -> str:
    raise UsageError(f"The text of {unit[0]}, page {unit[1]}, is not at hand without the corpus.")
