"""Commands that answer: ask, demo."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, TextIO

import typer

from vectree.agent.trajectory import to_jsonl
from vectree.cli import output, shapes
from vectree.cli.app import EXIT_FAILED, app
from vectree.cli.options import DEFAULT_CORPUS, CorpusOption, JsonOption, ModelOption
from vectree.corpus import Corpus
from vectree.demo import QUESTIONS, papers_folder
from vectree.evidence import Answer, Citation, Step
from vectree.tree.walk import find_node

DEFAULT_MODEL = "extractive"
_LAYER_NAMES = {0: "find papers", 1: "navigate", 2: "read pages"}


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    corpus: CorpusOption = DEFAULT_CORPUS,
    model: ModelOption = DEFAULT_MODEL,
    trace: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the trajectory here, as JSON Lines.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a question; every citation is checked against the pages that were read."""
    with output.results_only() as stdout:
        library = Corpus.open(corpus)
        steps: list[Step] = []

        def on_step(step: Step) -> None:
            steps.append(step)
            if not as_json:
                output.write(step_line(step), sys.stderr)

        try:
            answer = library.ask(question, model=model, on_step=on_step)
        finally:
            if trace is not None:
                trace.write_text(to_jsonl(steps), encoding="utf-8")
        if as_json:
            output.write_json(shapes.answer_shape(answer), stdout)
        else:
            output.write("", sys.stderr)
            write_answer(library, answer, stdout)
        if not answer.text.strip():
            raise typer.Exit(EXIT_FAILED)


def step_line(step: Step) -> str:
    """One tool call of the walk through the layers, as a line.

    Args:
        step: The call.

    Returns:
        For example ``"  1  layer 0  find papers  search_documents(query='…')  412 tokens"``.
    """
    layer = "layer ?" if step.layer is None else f"layer {step.layer}"
    name = _LAYER_NAMES.get(-1 if step.layer is None else step.layer, "unknown tool")
    arguments = ", ".join(f"{key}={value!r}" for key, value in step.arguments.items() if value is not None)
    outcome = f"error: {step.error}" if step.error else f"{step.tokens} tokens"
    return f"{step.call:3}  {layer}  {name:11}  {output.clip(f'{step.tool}({arguments})', 90)}  {outcome}"


def write_answer(library: Corpus, answer: Answer, stream: TextIO) -> None:
    """Write an answer, its citations and the evidence table.

    Args:
        library: The corpus that was asked, for titles.
        answer: The answer.
        stream: Where to.
    """
    output.write(answer.text, stream)
    output.write("\nCitations", stream)
    lines = [_citation_line(citation) for citation in answer.citations]
    for line in dict.fromkeys(lines) or ["  none"]:
        output.write(line, stream)
    output.write("\nEvidence (pages that were read)", stream)
    rows = [("document", "page", "section"), *_evidence_rows(library, answer)]
    for line in output.columns(rows) if answer.evidence else ["none"]:
        output.write(f"  {line}", stream)
    if answer.uncited:
        output.write(
            f"\nNot checked: {len(answer.uncited)} sentence(s) without a citation of a page read", stream
        )
        for sentence in answer.uncited:
            output.write(f"  - {output.clip(sentence, 110)}", stream)


def _citation_line(citation: Citation) -> str:
    mark = "✓ read" if citation.read else f"✗ {citation.status.value.replace('_', ' ')}"
    return f"  {mark}  {citation.doc_id}, p.{citation.page}"


def _evidence_rows(library: Corpus, answer: Answer) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for item in answer.evidence:
        node = find_node(library.tree(item.doc_id), item.node_id)
        section = f"{item.node_id}  {output.clip(node.printed, 70)}" if node else "—"
        rows.append((item.doc_id, str(item.page), section))
    return rows


@app.command()
def demo(
    corpus: Annotated[
        Path, typer.Option("--corpus", metavar="DIR", help="Folder of the demo's corpus.")
    ] = Path("demo-corpus"),
    model: ModelOption = DEFAULT_MODEL,
) -> None:
    """Build a corpus from the example papers and ask two questions; needs no network and no key."""
    with output.results_only() as stdout:
        library = Corpus.open(corpus)
        report = library.add(papers_folder())
        for failure in report.failed:
            output.write(f"failed: {failure.source}: {failure.reason}", sys.stderr)
        output.write(
            f"Corpus {corpus}: {len(report.added)} papers added, {len(report.unchanged)} unchanged", stdout
        )
        for record in library.list():
            line = (
                f"  {record.doc_id:22}  {record.total_pages} pages  {output.clip(record.metadata.title, 70)}"
            )
            output.write(line, stdout)
        for question in QUESTIONS:
            output.write(f"\n{'─' * 100}\nQuestion: {question}\n", stdout)
            output.write("The walk through the three layers", stdout)
            answer = library.ask(
                question, model=model, on_step=lambda step: output.write(step_line(step), stdout)
            )
            output.write("\nAnswer", stdout)
            write_answer(library, answer, stdout)
