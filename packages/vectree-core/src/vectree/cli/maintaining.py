"""Commands that look after what is stored: metadata refresh, check summaries."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated, Any, TextIO, cast

import typer
from typer.core import TyperGroup

from vectree.cli import output
from vectree.cli.app import app
from vectree.cli.options import DEFAULT_CORPUS, CorpusOption, JsonOption, OnlineOption
from vectree.cli.progress import progress_bar
from vectree.corpus import Corpus
from vectree.corpus.checking import SummaryCheck
from vectree.corpus.refreshing import Refreshed

DocumentsArgument = Annotated[
    list[str] | None, typer.Argument(metavar="[DOC]...", help="Documents; all of them by default.")
]

_CONTEXT = {"help_option_names": ["-h", "--help"]}
metadata_app = typer.Typer(
    name="metadata",
    help="Bibliographic data of the papers.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings=_CONTEXT,
)
check_app = typer.Typer(
    name="check",
    help="Checks of what is stored.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings=_CONTEXT,
)
app.add_typer(metadata_app)
app.add_typer(check_app)


@metadata_app.callback()
@check_app.callback()
def _frame(context: typer.Context) -> None:
    """Hand settings from a file on to the commands below."""
    group = cast("TyperGroup", context.command)
    settings = dict(context.default_map or {})
    context.default_map = {command: settings for command in group.list_commands(context)}


@metadata_app.command("refresh")
def refresh(
    doc_ids: DocumentsArgument = None,
    corpus: CorpusOption = DEFAULT_CORPUS,
    offline: OnlineOption = False,
    as_json: JsonOption = False,
) -> None:
    """Look papers up at Crossref and take over what agrees with them; nothing is parsed anew."""
    with output.results_only() as stdout:
        library = Corpus.open(corpus)
        with progress_bar("looking up") as show:
            done = library.refresh_metadata(
                *(doc_ids or ()),
                offline=offline,
                on_paper=lambda doc_id, ordinal, total: show(ordinal, total, doc_id),
            )
        if as_json:
            output.write_json({"documents": [asdict(each) for each in done]}, stdout)
            return
        for line in output.columns(
            [("doc_id", "crossref", "changed", "conflicts")] + [_row(e) for e in done]
        ):
            output.write(line, stdout)


def _row(done: Refreshed) -> tuple[str, ...]:
    conflicts = "; ".join(f"{name}: {value}" for name, value in done.conflicts.items())
    return done.doc_id, done.status, ", ".join(done.changed) or "—", output.clip(conflicts or "—", 90)


@check_app.command("summaries")
def summaries(
    doc_ids: DocumentsArgument = None,
    corpus: CorpusOption = DEFAULT_CORPUS,
    model: Annotated[
        str, typer.Option("--model", envvar="VECTREE_MODEL", metavar="NAME", help="The judge.")
    ] = "",
    sample: Annotated[int, typer.Option(min=1, help="Summaries to judge.")] = 20,
    seed: Annotated[int, typer.Option(help="Decides which ones.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Have a model judge whether a sample of summaries follows from their sections."""
    with output.results_only() as stdout:
        library = Corpus.open(corpus)
        with progress_bar("judging") as show:
            check = library.check_summaries(
                *(doc_ids or ()),
                model=model,
                sample=sample,
                seed=seed,
                on_summary=lambda doc_id, ordinal, total: show(ordinal, total, doc_id),
            )
        if as_json:
            output.write_json(_check_shape(check), stdout)
        else:
            _write_check(check, stdout)


def _check_shape(check: SummaryCheck) -> dict[str, Any]:
    return {
        "model": check.model,
        "summaries": check.summaries,
        "sample": len(check.checked),
        "rate": check.rate,
        **check.counts,
        "checked": [asdict(each) for each in check.checked],
    }


def _write_check(check: SummaryCheck, stream: TextIO) -> None:
    for each in check.checked:
        if each.verdict != "supported":
            output.write(f"{each.doc_id} {each.node_id} {each.title}: {each.verdict}", stream)
            for part in each.unsupported:
                output.write(f"  - {output.clip(part, 110)}", stream)
    rate = "no verdict" if check.rate is None else f"{check.rate:.1%} supported"
    output.write(f"{len(check.checked)} of {check.summaries} summaries judged: {rate}", stream)
    if check.counts["unknown"]:
        output.write(f"{check.counts['unknown']} without a usable verdict", sys.stderr)
