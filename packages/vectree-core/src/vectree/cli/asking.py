"""Commands that answer: ask, demo."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from vectree.cli import output, shapes
from vectree.cli.answers import step_line, usage_line, write_answer
from vectree.cli.app import EXIT_FAILED, app
from vectree.cli.asking_options import loop_settings
from vectree.cli.options import (
    DEFAULT_CORPUS,
    BaseUrlOption,
    CompactOption,
    CorpusOption,
    ImagesOption,
    IndexOption,
    JsonOption,
    ModelOption,
    NavigationModelOption,
)
from vectree.cli.prices import PriceOption, read_price
from vectree.cli.trace import Trace
from vectree.corpus import Corpus
from vectree.corpus.models import DEFAULT_MODEL, resolve_model
from vectree.demo import QUESTIONS, papers_folder
from vectree.evidence import Step


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    corpus: CorpusOption = DEFAULT_CORPUS,
    index: IndexOption = None,
    model: ModelOption = DEFAULT_MODEL,
    navigation_model: NavigationModelOption = None,
    base_url: BaseUrlOption = None,
    price: PriceOption = None,
    images: ImagesOption = True,
    compact_above: CompactOption = None,
    trace: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the trajectory here, as JSON Lines.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a question; every citation is checked against the pages that were read."""
    with output.results_only() as stdout:
        settings = loop_settings(model, images=images, compact_above=compact_above)
        library = Corpus.open(corpus, index=index)
        with Trace(trace) as steps:

            def on_step(step: Step) -> None:
                steps.write(step)
                if not as_json:
                    output.write(step_line(step), sys.stderr)

            answer = library.ask(
                question,
                model=resolve_model(model, base_url=base_url, price=read_price(price)),
                navigation_model=resolve_model(navigation_model, base_url=base_url)
                if navigation_model
                else None,
                settings=settings,
                on_step=on_step,
            )
        if as_json:
            output.write_json(shapes.answer_shape(answer), stdout)
        else:
            output.write(usage_line(answer) + "\n", sys.stderr)
            write_answer(library, answer, stdout)
        if not answer.text.strip():
            raise typer.Exit(EXIT_FAILED)


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
