"""Commands that evaluate: ``eval systems`` and ``eval qasper|litqa2|mosaic|FILE``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from vectree.cli import output
from vectree.cli.app import EXIT_FAILED
from vectree.cli.eval_app import RUN, eval_app
from vectree.cli.eval_options import (
    CitationOption,
    ConcurrencyOption,
    EvalCorpusOption,
    EvalModelOption,
    JudgeOption,
    JudgePriceOption,
    PerMinuteOption,
    RecordOption,
    ReplayOption,
    read_benchmark,
    read_models,
    read_names,
)
from vectree.cli.eval_output import write_estimate, write_run
from vectree.cli.options import DEFAULT_CORPUS, EmbedderOption, JsonOption
from vectree.cli.prices import PriceOption, read_price
from vectree.cli.progress import progress_bar
from vectree.corpus import AddEvent, AddReport, Corpus
from vectree.evaluate.datasets.sampling import SAMPLE_SEED
from vectree.evaluate.grading import Grader
from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.judges.truncation import ORIGINAL, UNTRUNCATED
from vectree.evaluate.models import GENERATOR_TEMPERATURE, Models
from vectree.evaluate.papers import page_reader
from vectree.evaluate.records import Benchmark, System
from vectree.evaluate.results.file import ResultsFile
from vectree.evaluate.running.estimate import estimate_run
from vectree.evaluate.running.header import run_header
from vectree.evaluate.running.plan import SEEDS, Plan, RunSettings
from vectree.evaluate.running.runner import run
from vectree.evaluate.setup import Setup, set_up
from vectree.evaluate.systems.catalogue import SYSTEMS, make_system
from vectree.index.embedders import resolve_embedder

FOLDER = Path("vectree-eval")
"""Where results go, and the corpus made of QASPER's papers."""


@eval_app.command("systems")
def list_systems(as_json: JsonOption = False) -> None:
    """List the systems that can be evaluated."""
    with output.results_only() as stdout:
        if as_json:
            entries = [
                {"name": each.name, "title": each.title, "summary": each.summary, "paper": each.paper}
                for each in SYSTEMS
            ]
            output.write_json({"systems": entries}, stdout)
            return
        for line in output.columns([(each.name, each.title, each.summary) for each in SYSTEMS]):
            output.write(line, stdout)


@eval_app.command(RUN)
def run_benchmark(
    benchmark: Annotated[
        str,
        typer.Argument(metavar="BENCHMARK", help="qasper, litqa2, mosaic, or a file of your own questions."),
    ],
    data: Annotated[
        Path | None, typer.Option("--data", metavar="FILE", help="Question file of the benchmark.")
    ] = None,
    corpus: EvalCorpusOption = None,
    names: Annotated[
        str, typer.Option("--systems", metavar="A,B", help="Systems; 'vectree eval systems' lists them.")
    ] = "agent",
    sample: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Stratified sample of N questions.")
    ] = None,
    sample_seed: Annotated[int, typer.Option(help="Which sample.")] = SAMPLE_SEED,
    seeds: Annotated[
        int | None,
        typer.Option(min=1, metavar="K", help="Answers to each question [default: 3; 1 without a model]."),
    ] = None,
    model: EvalModelOption = None,
    judge: JudgeOption = None,
    price: PriceOption = None,
    judge_price: JudgePriceOption = None,
    temperature: Annotated[float, typer.Option(min=0.0, help="Of the model.")] = GENERATOR_TEMPERATURE,
    embedder: EmbedderOption = None,
    results: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JSON Lines [default: vectree-eval/BENCHMARK.jsonl].")
    ] = None,
    concurrency: ConcurrencyOption = 4,
    per_minute: PerMinuteOption = None,
    record: RecordOption = None,
    replay: ReplayOption = None,
    citations: CitationOption = None,
    original_truncation: Annotated[
        bool, typer.Option(help="Cut long texts for the judge as the original protocol does.")
    ] = False,
    cosine_embedder: Annotated[
        str | None, typer.Option(metavar="NAME", help="Embedder of the composite [default: the corpus's].")
    ] = None,
    note: Annotated[str, typer.Option(help="A remark on the run, shown at the head of the report.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would take; ask nobody.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Run systems over the questions of a benchmark, several seeds each, and grade the answers."""
    which, file = read_benchmark(benchmark, data)
    prices = (read_price(price), read_price(judge_price))
    target = ResultsFile(results or FOLDER / f"{_stem(which, file)}.jsonl")
    models = read_models(
        model,
        judge,
        prices=prices,
        temperature=temperature,
        record=record,
        replay=replay,
        concurrency=concurrency,
        per_minute=per_minute,
        preparing=target.path.with_suffix(".replies"),
    )
    count = seeds or (len(SEEDS) if models.generator_name else 1)
    checked = which is Benchmark.MOSAIC if citations is None else citations
    with output.results_only() as stdout:
        systems = tuple(make_system(name, which) for name in read_names(names))
        setup = _set_up(which, file, corpus, embedder=embedder, sample=sample, sample_seed=sample_seed)
        if dry_run:
            estimate = estimate_run(
                questions=setup.questions,
                systems=systems,
                papers=setup.papers,
                seeds=count,
                generator=bool(models.generator_name),
                price=prices[0],
                judge=models.judge_name,
                judge_price=prices[1],
            )
            write_estimate(estimate, stdout, as_json=as_json)
            return
        chosen = {
            "systems": [system.name for system in systems],
            "seeds": count,
            "sample": sample,
            "sample_seed": sample_seed,
            "temperature": temperature,
            "truncation": "original" if original_truncation else "none",
            "citation_support": checked,
            "concurrency": concurrency,
            "per_minute": per_minute,
            "note": note,
        }
        grader = _grader(models, setup, cosine_embedder, citations=checked, original=original_truncation)
        settings = RunSettings(seeds=tuple(range(1, count + 1)), concurrency=concurrency)
        plan = _plan(setup, systems, models, grader, settings, chosen)
        with progress_bar("evaluating") as show:
            done = run(plan, target, on_progress=show)
        write_run(done, target, which, stdout, as_json=as_json)
    if done.failed or done.ungraded or done.stopped:
        raise typer.Exit(EXIT_FAILED)


def _set_up(
    benchmark: Benchmark,
    data: Path,
    corpus: Path | None,
    *,
    embedder: str | None,
    sample: int | None,
    sample_seed: int,
) -> Setup:
    own = FOLDER / f"{_stem(benchmark, data)}-corpus"
    default = own if benchmark is Benchmark.QASPER else DEFAULT_CORPUS
    return set_up(
        benchmark,
        data,
        corpus or default,
        embedder=embedder,
        sample=sample,
        sample_seed=sample_seed,
        add_papers=_add_papers,
    )


def _add_papers(library: Corpus, data: Path) -> AddReport:
    with progress_bar("adding papers") as show:

        def on_progress(event: AddEvent) -> None:
            show(event.done, event.total, event.source)

        return library.add(data, on_progress=on_progress)


def _grader(
    models: Models, setup: Setup, embedder: str | None, *, citations: bool, original: bool
) -> Grader | None:
    judge = models.for_judging()
    if judge is None:
        return None
    return Grader(
        Judge(judge, truncation=ORIGINAL if original else UNTRUNCATED),
        page_reader(setup.papers),
        embedder=resolve_embedder(embedder) if embedder else setup.papers.embedder,
        citations=citations,
    )


def _plan(
    setup: Setup,
    systems: Sequence[System],
    models: Models,
    grader: Grader | None,
    settings: RunSettings,
    chosen: Mapping[str, Any],
) -> Plan:
    header = run_header(
        dataset=setup.dataset,
        data=setup.data,
        bound=setup.bound,
        questions=setup.questions,
        papers=setup.papers,
        models=models,
        settings=chosen,
    )
    return Plan(
        header=header,
        questions=setup.questions,
        systems=tuple(systems),
        papers=setup.papers,
        models=models,
        grader=grader,
        settings=settings,
    )


def _stem(benchmark: Benchmark, data: Path) -> str:
    """Name of the results: the benchmark's, or that of a user's file."""
    return data.name.split(".", 1)[0] if benchmark is Benchmark.OWN else benchmark.value
