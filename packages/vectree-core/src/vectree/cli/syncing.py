"""The command that brings a corpus up to a folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from vectree.cli import output, shapes
from vectree.cli.app import EXIT_FAILED, app
from vectree.cli.options import (
    DEFAULT_CORPUS,
    CorpusOption,
    EmbedderOption,
    IndexOption,
    JsonOption,
    OnlineOption,
    PaperExactOption,
    ParserOption,
    ReaderOption,
    StructureOption,
)
from vectree.cli.progress import progress_bar
from vectree.corpus import AddEvent, Corpus, SyncReport


@app.command()
def sync(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder of papers.")],
    corpus: CorpusOption = DEFAULT_CORPUS,
    embedder: EmbedderOption = None,
    index: IndexOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Remove everything if the folder holds no paper.")
    ] = False,
    password: Annotated[
        str | None, typer.Option(envvar="VECTREE_PASSWORD", help="For encrypted files.")
    ] = None,
    parser: ParserOption = "auto",
    reader: ReaderOption = None,
    structure: StructureOption = "auto",
    paper_exact: PaperExactOption = False,
    offline: OnlineOption = True,
    jobs: Annotated[int | None, typer.Option(min=1, max=32, help="Files read at the same time.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Add what is new in a folder, replace what changed, remove the papers that left it."""
    with output.results_only() as stdout:
        library = Corpus.open(corpus, embedder=embedder, index=index)
        with progress_bar("syncing") as show:

            def on_progress(event: AddEvent) -> None:
                show(event.done, event.total, f"{event.source} ({event.stage})")

            report = library.sync(
                folder,
                dry_run=dry_run,
                allow_empty=allow_empty,
                password=password,
                parser=parser,
                model=reader,
                structure=structure,
                paper_exact=paper_exact,
                offline=offline,
                on_progress=on_progress,
                jobs=jobs,
            )
        if as_json:
            output.write_json(sync_shape(report), stdout)
        else:
            _write_synced(report, stdout)
    if report.failed:
        raise typer.Exit(EXIT_FAILED)


def sync_shape(report: SyncReport) -> dict[str, Any]:
    """What syncing did, as ``sync --json`` shows it: as ``add --json``, with what was removed.

    Args:
        report: What became of every source.

    Returns:
        Plain JSON; a ``doc_id`` that does not exist yet is null.
    """
    added = [{"doc_id": item.doc_id or None, "source": item.source} for item in report.added]
    removed = [{"doc_id": item.doc_id, "source": item.source} for item in report.removed]
    return {**shapes.add_shape(report), "added": added, "removed": removed, "dry_run": report.dry_run}


def _write_synced(report: SyncReport, stream: TextIO) -> None:
    for warning in report.warnings:
        output.write(f"warning: {warning}", sys.stderr)
    for failure in report.failed:
        output.write(f"failed: {failure.source}: {failure.reason}", sys.stderr)
    changes = (("added", report.added), ("replaced", report.replaced), ("removed", report.removed))
    for word, items in changes:
        for item in items:
            output.write(f"{word:8}  {item.doc_id or '(new)':28}  {item.source}", stream)
    counts = [(len(items), word) for word, items in (*changes, ("unchanged", report.unchanged))]
    counts.append((len(report.failed), "failed"))
    said = ", ".join(f"{count} {word}" for count, word in counts if count) or "nothing there"
    output.write(f"{said}; nothing was changed (--dry-run)" if report.dry_run else said, stream)
