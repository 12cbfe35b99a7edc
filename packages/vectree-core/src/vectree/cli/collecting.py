"""Commands that keep a corpus: add, list, remove, report, reindex."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, TextIO, cast

import typer

from vectree.cli import output, shapes
from vectree.cli.app import EXIT_FAILED, app
from vectree.cli.options import (
    DEFAULT_CORPUS,
    ConnectionOption,
    CorpusOption,
    DocumentArgument,
    EmbedderOption,
    EntryDepthOption,
    IndexOption,
    JsonOption,
    PaperExactOption,
    ParserOption,
    ReaderOption,
    StructureOption,
)
from vectree.cli.progress import progress_bar
from vectree.corpus import AddEvent, AddReport, Corpus
from vectree.document import Record


@app.command()
def add(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...", help="PDF, Markdown, text, HTML, DOCX and QASPER files, and folders of them."
        ),
    ],
    corpus: CorpusOption = DEFAULT_CORPUS,
    embedder: EmbedderOption = None,
    index: IndexOption = None,
    password: Annotated[
        str | None, typer.Option(envvar="VECTREE_PASSWORD", help="For encrypted files.")
    ] = None,
    bookmarks: Annotated[
        bool,
        typer.Option(
            "--bookmarks/--no-bookmarks", help="Whether the files' bookmarks may serve as headings."
        ),
    ] = True,
    parser: ParserOption = "auto",
    reader: ReaderOption = None,
    structure: StructureOption = "auto",
    paper_exact: PaperExactOption = False,
    entry_depth: EntryDepthOption = None,
    offline: ConnectionOption = None,
    reread: Annotated[
        bool, typer.Option("--reread", help="Read also what is there already, e.g. with a model now.")
    ] = False,
    jobs: Annotated[int | None, typer.Option(min=1, max=32, help="Files read at the same time.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Add papers; what is there already costs a hash, a bad file costs only itself."""
    with output.results_only() as stdout:
        library = Corpus.open(
            corpus, embedder=embedder, index=index, offline=offline, entry_depth=entry_depth
        )
        with progress_bar("adding") as show:

            def on_progress(event: AddEvent) -> None:
                show(event.done, event.total, f"{event.source} ({event.stage})")

            report = library.add(
                *paths,
                password=password,
                use_bookmarks=bookmarks,
                parser=parser,
                model=reader,
                structure=structure,
                paper_exact=paper_exact,
                offline=offline is not False,
                reread=reread,
                on_progress=on_progress,
                jobs=jobs,
            )
        if as_json:
            output.write_json(shapes.add_shape(report), stdout)
        else:
            _write_added(library, report, stdout)
    if report.failed:
        raise typer.Exit(EXIT_FAILED)


def _write_added(library: Corpus, report: AddReport, stream: TextIO) -> None:
    for warning in report.warnings:
        output.write(f"warning: {warning}", sys.stderr)
    for failure in report.failed:
        output.write(f"failed: {failure.source}: {failure.reason}", sys.stderr)
    new = (*report.added, *report.replaced)
    for document in new:
        record = library.record(document.doc_id)
        title = output.clip(record.metadata.title, 70)
        output.write(f"{record.doc_id:28}  {record.total_pages:4} pages  {title}", stream)
    counts = {
        "added": len(report.added),
        "replaced": len(report.replaced),
        "unchanged": len(report.unchanged),
        "failed": len(report.failed),
    }
    said = ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "nothing to add"
    output.write(
        f"{said}; nothing to do" if not new and not report.failed and report.unchanged else said, stream
    )


@app.command("list")
def list_documents(corpus: CorpusOption = DEFAULT_CORPUS, as_json: JsonOption = False) -> None:
    """List the papers of the corpus."""
    with output.results_only() as stdout:
        records = Corpus.open(corpus).list()
        if as_json:
            output.write_json({"documents": [shapes.record_shape(record) for record in records]}, stdout)
            return
        rows = [("doc_id", "year", "pages", "authors", "title")] + [_row(record) for record in records]
        for line in output.columns(rows):
            output.write(line, stdout)
        output.write(f"{len(records)} documents", sys.stderr)


def _row(record: Record) -> tuple[str, ...]:
    metadata = record.metadata
    state = "" if record.status.value == "ok" else f"  [{record.status.value}]"
    return (
        record.doc_id,
        str(metadata.year or "—"),
        str(record.total_pages),
        output.clip(output.names(metadata.authors), 28),
        output.clip(metadata.title, 90) + state,
    )


@app.command()
def remove(
    doc_ids: Annotated[list[str], typer.Argument(metavar="DOC...", help="Documents to remove.")],
    corpus: CorpusOption = DEFAULT_CORPUS,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove papers from the corpus; the files they came from are left alone."""
    with output.results_only() as stdout:
        removed = Corpus.open(corpus, index=index).remove(*doc_ids)
        if as_json:
            output.write_json({"removed": list(removed)}, stdout)
        else:
            output.write(f"removed {', '.join(removed)}", stdout)


@app.command()
def report(
    doc_id: DocumentArgument, corpus: CorpusOption = DEFAULT_CORPUS, as_json: JsonOption = False
) -> None:
    """Show what happened when a paper was read: pages, headings, rates, seconds, warnings."""
    with output.results_only() as stdout:
        found = Corpus.open(corpus).report(doc_id)
        if as_json:
            output.write_json(found, stdout)
            return
        for key, value in found.items():
            for line in _report_lines(key, value, ""):
                output.write(line, stdout)


def _report_lines(key: str, value: Any, indent: str) -> list[str]:
    label = f"{indent}{key.replace('_', ' ')}:"
    if isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        nested = [line for k, v in table.items() for line in _report_lines(str(k), v, indent + "  ")]
        return [label, *nested] if nested else [f"{label} none"]
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return [label, *(f"{indent}  - {item}" for item in items)] if items else [f"{label} none"]
    return [f"{label} {value:.3f}" if isinstance(value, float) else f"{label} {value}"]


@app.command()
def reindex(
    corpus: CorpusOption = DEFAULT_CORPUS,
    embedder: EmbedderOption = None,
    index: IndexOption = None,
    entry_depth: EntryDepthOption = None,
    offline: ConnectionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Build the index anew from the stored papers, also with another embedder, in another place."""
    with output.results_only() as stdout:
        library = Corpus.open(corpus, offline=offline)
        vectors = library.count_vectors(entry_depth=entry_depth)
        output.write(
            f"{len(library.list())} documents have {vectors} index entries, a vector each", sys.stderr
        )
        with progress_bar("indexing") as show:
            count = library.reindex(
                embedder=embedder,
                index=index,
                entry_depth=entry_depth,
                on_paper=lambda doc_id, ordinal, total: show(ordinal, total, doc_id),
            )
        if as_json:
            output.write_json({"indexed": count}, stdout)
        else:
            output.write(f"indexed {count} documents", stdout)
