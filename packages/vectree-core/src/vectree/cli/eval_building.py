"""Commands that make question sets: ``eval build-set`` and ``eval review-set``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from vectree.cli import output
from vectree.cli.app import EXIT_FAILED
from vectree.cli.eval_app import eval_app
from vectree.cli.eval_options import (
    ConcurrencyOption,
    EvalModelOption,
    PerMinuteOption,
    read_model,
)
from vectree.cli.options import DEFAULT_CORPUS, CorpusOption, JsonOption
from vectree.cli.prices import PriceOption, read_price
from vectree.cli.progress import progress_bar
from vectree.errors import UsageError
from vectree.evaluate.datasets.json_file import read_rows
from vectree.evaluate.mosaic.build import JOURNAL, QUESTIONS, build_set
from vectree.evaluate.mosaic.estimate import estimate_build
from vectree.evaluate.mosaic.journal import BuildSummary
from vectree.evaluate.mosaic.review import Review, only_kept, read_reviews, review_table
from vectree.evaluate.mosaic.settings import BuildSettings, Kind
from vectree.evaluate.papers import open_papers
from vectree.evaluate.reporting.cells import money, share
from vectree.evaluate.running.estimate import Expected, priced
from vectree.llm.throttle import ThrottledModel

FOLDER = Path("vectree-eval/set")
REVIEW = "review.csv"
REVIEWED = "questions-reviewed.jsonl"

_RANGE = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?")
_DEFAULTS = BuildSettings()

OutOption = Annotated[
    Path, typer.Option(metavar="DIR", help="Folder of the set, its journal and its replies.")
]


@eval_app.command("build-set")
def build(
    corpus: CorpusOption = DEFAULT_CORPUS,
    out: OutOption = FOLDER,
    inference: Annotated[int, typer.Option(min=0, help="Questions of this kind.")] = 24,
    aggregation: Annotated[int, typer.Option(min=0, help="Questions of this kind.")] = 13,
    comparison: Annotated[int, typer.Option(min=0, help="Questions of this kind.")] = 12,
    papers: Annotated[str, typer.Option(metavar="N-M", help="Papers that a question needs.")] = "5-7",
    model: EvalModelOption = None,
    checker: Annotated[
        str | None, typer.Option(metavar="NAME", help="Model of the checks [default: --model].")
    ] = None,
    price: PriceOption = None,
    checker_price: Annotated[
        str | None, typer.Option(metavar="IN,OUT[,CACHED]", help="Price of the checker [default: --price].")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of sizes and order of neighbourhoods.")] = _DEFAULTS.seed,
    concurrency: ConcurrencyOption = _DEFAULTS.concurrency,
    per_minute: PerMinuteOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would take; ask nobody.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Draft questions that need several papers each, check them, and write them down in the MOSAIC format."""
    fewest, most = read_range(papers)
    settings = BuildSettings(
        counts={Kind.INFERENCE: inference, Kind.AGGREGATION: aggregation, Kind.COMPARISON: comparison},
        fewest=fewest,
        most=most,
        concurrency=concurrency,
        seed=seed,
    )
    prices = (read_price(price), read_price(checker_price or price))
    with output.results_only() as stdout:
        library = open_papers(corpus)
        if dry_run:
            drafts, checks = estimate_build(library, settings)
            expected = (priced("drafts", drafts, prices[0]), priced("checks", checks, prices[1]))
            _write_estimate(expected, settings, stdout, as_json=as_json)
            return
        drafter, judge = read_model(model, prices[0]), read_model(checker or model, prices[1])
        if drafter is None or judge is None:
            raise UsageError("A set is drafted by a model.", hint="Name one with --model.")
        bounded = [
            ThrottledModel(each, concurrency=concurrency, per_minute=per_minute) for each in (drafter, judge)
        ]
        with progress_bar("building") as show:
            done = build_set(library, out, settings, drafter=bounded[0], checker=bounded[1], on_progress=show)
        table = review_table(read_rows(out / QUESTIONS)) if done.accepted else ""
        (out / REVIEW).write_text(table, encoding="utf-8-sig", newline="")
        _write_build(done, out, stdout, as_json=as_json)
    if sum(done.accepted.values()) < settings.wanted:
        raise typer.Exit(EXIT_FAILED)


@eval_app.command("review-set")
def review(
    reviews: Annotated[
        list[Path],
        typer.Argument(metavar="REVIEW...", help="Filled-in copies of review.csv, one a reviewer."),
    ],
    out: OutOption = FOLDER,
    as_json: JsonOption = False,
) -> None:
    """Read people's verdicts back: their agreement, and the questions that most of them keep."""
    with output.results_only() as stdout:
        rows = read_rows(out / QUESTIONS)
        found = read_reviews(reviews, [str(row.get("id", "")) for row in rows])
        (out / REVIEWED).write_text(only_kept(rows, found), encoding="utf-8")
        if as_json:
            output.write_json({**_as_json(found), "questions": str(out / REVIEWED)}, stdout)
        else:
            _write_review(found, out, stdout)


def read_range(text: str) -> tuple[int, int]:
    """Read a number of papers.

    Args:
        text: ``"5-7"`` or ``"6"``.

    Returns:
        Fewest and most.

    Raises:
        UsageError: If it is written otherwise, or asks for less than two papers.
    """
    match = _RANGE.fullmatch(text.strip())
    fewest = int(match.group(1)) if match else 0
    most = int(match.group(2) or match.group(1)) if match else 0
    if not 2 <= fewest <= most:
        raise UsageError(f"--papers is a range as 5-7, from at least 2; not {text!r}.")
    return fewest, most


def _write_estimate(
    expected: Sequence[Expected], settings: BuildSettings, stream: TextIO, *, as_json: bool
) -> None:
    costs = [part.cost for part in expected if part.cost is not None]
    cost = sum(costs) if len(costs) == len(expected) else None
    if as_json:
        parts = [asdict(part) for part in expected]
        output.write_json(
            {"dry_run": True, "questions": settings.wanted, "parts": parts, "cost": cost}, stream
        )
        return
    rows: list[tuple[str, ...]] = [("", "calls", "tokens sent", "generated", "cost")]
    for part in expected:
        sent, generated = f"{part.prompt_tokens:,}", f"{part.completion_tokens:,}"
        rows.append((part.name, f"{part.calls:,}", sent, generated, money(part.cost)))
    for line in output.columns(rows):
        output.write(line, stream)
    known = money(cost) if cost is not None else "not known; give --price"
    output.write(f"\n{settings.wanted} questions; expected cost: {known}", stream)


def _write_build(done: BuildSummary, out: Path, stream: TextIO, *, as_json: bool) -> None:
    if as_json:
        output.write_json({**asdict(done), "folder": str(out)}, stream)
        return
    accepted = ", ".join(f"{count} {kind}" for kind, count in sorted(done.accepted.items())) or "none"
    output.write(f"Accepted: {accepted}; {done.repaired} of them after a repair.", stream)
    for check, count in sorted(done.rejected.items(), key=lambda item: -item[1]):
        output.write(f"Rejected by {check}: {count}", stream)
    used = done.usage
    output.write(
        f"{done.attempts} attempts, {used.model_calls:,} calls, {used.prompt_tokens:,} tokens sent, "
        f"{used.completion_tokens:,} generated, cost {money(used.cost)}.",
        stream,
    )
    output.write(f"{out / QUESTIONS}; every attempt in {out / JOURNAL}; for people {out / REVIEW}", stream)


def _write_review(found: Review, out: Path, stream: TextIO) -> None:
    for reviewer, verdicts in found.verdicts.items():
        counts = ", ".join(f"{count} {verdict}" for verdict, count in _counts(list(verdicts.values())))
        output.write(f"{reviewer}: {counts or 'no verdict'}", stream)
    for (one, other), each in found.agreements.items():
        kappa = "not defined" if each.kappa is None else f"{each.kappa:.2f}"
        output.write(
            f"{one} and {other}: agree on {each.agreements} of {each.count}, Cohen's kappa {kappa}", stream
        )
    output.write(f"Agreement with the automated checks: {share(found.with_checks)}", stream)
    output.write(f"{len(found.kept)} questions kept: {out / REVIEWED}", stream)


def _counts(verdicts: Sequence[str]) -> list[tuple[str, int]]:
    return [(verdict, verdicts.count(verdict)) for verdict in dict.fromkeys(sorted(verdicts))]


def _as_json(found: Review) -> dict[str, Any]:
    return {
        "reviewers": {
            name: {"verdicts": verdicts, "comments": found.comments.get(name, {})}
            for name, verdicts in found.verdicts.items()
        },
        "agreements": [
            {"reviewers": list(pair), **asdict(each), "share": each.share}
            for pair, each in found.agreements.items()
        ],
        "agreement_with_checks": found.with_checks,
        "kept": sorted(found.kept),
    }
