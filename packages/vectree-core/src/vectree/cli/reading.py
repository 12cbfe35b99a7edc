"""Commands that look things up: search, tree, read, figures."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from vectree.cli import explaining, output, shapes
from vectree.cli.app import app
from vectree.cli.options import (
    DEFAULT_CORPUS,
    ConnectionOption,
    CorpusOption,
    DocumentArgument,
    IndexOption,
    JsonOption,
)
from vectree.corpus import Corpus
from vectree.document import Node
from vectree.errors import UsageError
from vectree.evidence import Filters, SearchHit
from vectree.tree.outline import path_to_node

_WIDTH = 100

EXPLAINED_BEYOND = 20
"""Candidates explained beyond the page of results that is shown."""


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="What to look for; '*' lists every document.")],
    corpus: CorpusOption = DEFAULT_CORPUS,
    top_k: Annotated[int, typer.Option("--top-k", "-k", min=1, max=100, help="Results at most.")] = 10,
    offset: Annotated[int, typer.Option(min=0, help="Results to skip, for paging.")] = 0,
    year_min: Annotated[int | None, typer.Option(help="Earliest year.")] = None,
    year_max: Annotated[int | None, typer.Option(help="Latest year.")] = None,
    journal: Annotated[str | None, typer.Option(help="Part of the journal's name.")] = None,
    author: Annotated[str | None, typer.Option(help="Part of an author's name.")] = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show ranks, scores and the gate that decided, rejected papers too."),
    ] = False,
    embedder: Annotated[
        str | None, typer.Option(metavar="NAME", help="The corpus's embedder, if its name alone finds none.")
    ] = None,
    index: IndexOption = None,
    offline: ConnectionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find papers: compact results with the sections that match."""
    filters = Filters(year_min=year_min, year_max=year_max, journal=journal, author=author)
    with output.results_only() as stdout:
        library = Corpus.open(corpus, embedder=embedder, index=index, offline=offline)
        result = library.search(query, top_k=top_k, offset=offset, filters=filters)
        explained = None
        if explain and query.strip() != "*":
            explained = library.explain(query, filters=filters, limit=offset + top_k + EXPLAINED_BEYOND)
        if as_json:
            output.write_json(explaining.with_explanation(shapes.search_shape(result), explained), stdout)
            return
        if explained is not None:
            for line in explaining.explanation_lines(explained):
                output.write(line, stdout)
            output.write("", stdout)
        for rank, hit in enumerate(result.hits, start=offset + 1):
            output.write("\n".join(_hit_lines(rank, hit)) + "\n", stdout)
        shown = f"{len(result.hits)} of {result.total_matches} matches in {result.total_documents} documents"
        output.write(f"{shown}. {result.note}".strip(), sys.stderr)


def _hit_lines(rank: int, hit: SearchHit) -> list[str]:
    year = str(hit.year) if hit.year else "no year"
    head = f"{rank:2}. {output.clip(hit.title, _WIDTH)}"
    venue = ", ".join(part for part in (output.names(hit.authors), year, hit.journal or "") if part)
    lines = [head, f"    {hit.doc_id}  {venue}, {hit.total_pages} pages"]
    if hit.similarity is not None:
        lines[-1] += f"  (similarity {hit.similarity:.2f}, bm25 {hit.bm25:.1f})"
    if hit.description:
        lines.append(f"    {output.clip(hit.description, _WIDTH)}")
    lines += [f"    > {s.node_id}  {output.clip(s.title, 70)}  p. {s.pages}" for s in hit.sections]
    if hit.related_documents:
        lines.append(f"    related: {', '.join(hit.related_documents)}")
    return lines


@app.command()
def tree(
    doc_id: DocumentArgument,
    corpus: CorpusOption = DEFAULT_CORPUS,
    node: Annotated[
        str | None, typer.Option(metavar="ID", help="Show this section and what is below it.")
    ] = None,
    summaries: Annotated[bool, typer.Option(help="Show summaries.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a paper's section tree with page ranges."""
    with output.results_only() as stdout:
        library = Corpus.open(corpus)
        record, sections = library.record(doc_id), library.tree(doc_id)
        if as_json:
            output.write_json(shapes.tree_shape(record, sections, node_id=node), stdout)
            return
        nodes = sections.nodes if node is None else path_to_node(sections, node)[-1:]
        output.write(f"{record.metadata.title}  ({doc_id}, {sections.total_pages} pages)", stdout)
        for top in nodes:
            output.write("\n".join(_node_lines(top, 0, summaries)), stdout)


def _node_lines(node: Node, depth: int, summaries: bool) -> list[str]:
    indent = "  " * depth
    mark = "  [not the authors' heading]" if node.synthetic else ""
    lines = [f"{node.id}  {indent}{output.clip(node.printed, 80)}  p. {node.covering}{mark}"]
    if summaries and node.summary:
        lines.append(f"      {indent}{output.clip(node.summary, 300)}")
    for child in node.children:
        lines += _node_lines(child, depth + 1, summaries)
    return lines


@app.command()
def read(
    doc_id: DocumentArgument,
    pages: Annotated[str, typer.Argument(help="Physical pages, counted from 1: '3', '3-5', '2,7-9'.")],
    corpus: CorpusOption = DEFAULT_CORPUS,
    raw: Annotated[bool, typer.Option(help="The text as extracted, before markdown.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print pages of a paper."""
    with output.results_only() as stdout:
        library = Corpus.open(corpus)
        record, found = library.record(doc_id), library.pages(doc_id, pages)
        if as_json:
            output.write_json(shapes.pages_shape(record, found, raw=raw), stdout)
            return
        for page in found:
            label = f" (printed {page.label})" if page.label else ""
            state = "" if page.status.value == "text" else f" [{page.status.value}]"
            output.write(f"── {doc_id}, page {page.number} of {record.total_pages}{label}{state} ──", stdout)
            output.write((page.raw if raw else page.text) + "\n", stdout)


@app.command()
def figures(
    doc_id: DocumentArgument,
    name: Annotated[str | None, typer.Argument(help="A figure's name, to save it.")] = None,
    corpus: CorpusOption = DEFAULT_CORPUS,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Save the figure here.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List a paper's figures, or save one."""
    with output.results_only() as stdout:
        library = Corpus.open(corpus)
        record, known = library.record(doc_id), library.figures(doc_id)
        if name is not None:
            if out is None:
                raise UsageError("A figure needs a file to be saved to.", hint="Add: --out FILE")
            out.write_bytes(library.figure(doc_id, name))
            output.write(f"saved {name} to {out}", sys.stderr)
            known = tuple(figure for figure in known if figure.name == name)
        if as_json:
            output.write_json(shapes.figures_shape(record, known), stdout)
        elif name is None:
            rows = [
                (f.name, f"p. {f.page}", f"{f.width}×{f.height}", f.kind, output.clip(f.caption or "", 80))
                for f in known
            ]
            for line in output.columns(rows) or [f"{doc_id} has no figures"]:
                output.write(line, stdout)
