"""Commands that exchange trees with other programs: import pageindex, export."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

from vectree.cli import output, shapes
from vectree.cli.app import EXIT_FAILED, app
from vectree.cli.options import DEFAULT_CORPUS, CorpusOption, DocumentArgument, EmbedderOption, JsonOption
from vectree.cli.progress import progress_bar
from vectree.corpus import AddEvent, Corpus
from vectree.errors import UsageError

PAGEINDEX = "pageindex"
FORMATS = (PAGEINDEX,)

import_app = typer.Typer(
    name="import",
    help="Take over what other programs made of papers.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(import_app)


@import_app.callback()
def _frame(context: typer.Context) -> None:
    """Hand settings from a file on to the commands below."""
    group = cast("TyperGroup", context.command)
    settings = dict(context.default_map or {})
    context.default_map = {command: settings for command in group.list_commands(context)}


@import_app.command(PAGEINDEX)
def import_pageindex(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="*_structure.json files, and .pageindex stores.")
    ],
    corpus: CorpusOption = DEFAULT_CORPUS,
    embedder: EmbedderOption = None,
    pdf: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The PDF of the tree, or a folder of PDFs.")
    ] = None,
    password: Annotated[
        str | None, typer.Option(envvar="VECTREE_PASSWORD", help="For encrypted files.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, max=32, help="Files read at the same time.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Add papers with the trees PageIndex made of them, summaries and all; no model is asked."""
    with output.results_only() as stdout:
        library = Corpus.open(corpus, embedder=embedder)
        with progress_bar("importing") as show:

            def on_progress(event: AddEvent) -> None:
                show(event.done, event.total, f"{event.source} ({event.stage})")

            report = library.import_pageindex(
                *paths, pdf=pdf, password=password, on_progress=on_progress, jobs=jobs
            )
        if as_json:
            output.write_json(shapes.add_shape(report), stdout)
        else:
            for warning in report.warnings:
                output.write(f"warning: {warning}", sys.stderr)
            for failure in report.failed:
                output.write(f"failed: {failure.source}: {failure.reason}", sys.stderr)
            for document in (*report.added, *report.replaced):
                output.write(f"{document.doc_id:28}  {document.source}", stdout)
    if report.failed:
        raise typer.Exit(EXIT_FAILED)


@app.command()
def export(
    doc_id: DocumentArgument,
    corpus: CorpusOption = DEFAULT_CORPUS,
    to: Annotated[
        str, typer.Option("--format", metavar="NAME", help=f"Form of the tree: {', '.join(FORMATS)}.")
    ] = PAGEINDEX,
    text: Annotated[bool, typer.Option("--text", help="Give every section its text.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to a file instead.")
    ] = None,
) -> None:
    """Write the tree of a paper for another program, as JSON."""
    if to not in FORMATS:
        raise UsageError(f"There is no format {to[:40]!r}.", hint=f"There are: {', '.join(FORMATS)}.")
    with output.results_only() as stdout:
        shape: dict[str, Any] = Corpus.open(corpus).export_pageindex(doc_id, text=text)
        if out is None:
            output.write_json(shape, stdout)
            return
        try:
            out.write_text(json.dumps(shape, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{str(out)!r} cannot be written: {error.strerror or error}.") from error
        output.write(f"wrote {out}", sys.stderr)
