"""The command that finds sections of one paper: locate."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from vectree.agent.tree_search.located import Located, Method
from vectree.cli import output, shapes
from vectree.cli.app import EXIT_FAILED, app
from vectree.cli.options import (
    DEFAULT_CORPUS,
    BaseUrlOption,
    CorpusOption,
    DocumentArgument,
    JsonOption,
    ModelOption,
)
from vectree.corpus import Corpus
from vectree.corpus.models import DEFAULT_MODEL, resolve_model


@app.command()
def locate(
    doc_id: DocumentArgument,
    question: Annotated[str, typer.Argument(help="The question.")],
    corpus: CorpusOption = DEFAULT_CORPUS,
    model: ModelOption = DEFAULT_MODEL,
    base_url: BaseUrlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the sections of a paper that hold an answer: named by a model, checked by rules."""
    with output.results_only() as stdout:
        located = Corpus.open(corpus).locate(doc_id, question, model=resolve_model(model, base_url=base_url))
        if as_json:
            output.write_json(shapes.located_shape(located), stdout)
        else:
            rows = [
                (section.node_id, f"p. {section.pages}", output.clip(section.path, 90))
                for section in located.sections
            ]
            for line in output.columns(rows):
                output.write(line, stdout)
            output.write(how_located(located), sys.stderr)
        if not located.sections:
            raise typer.Exit(EXIT_FAILED)


def how_located(located: Located) -> str:
    """Say where sections come from and what the checks made of them.

    Args:
        located: The result.

    Returns:
        One line.
    """
    count = len(located.sections)
    if located.method is Method.HYBRID:
        return f"{count} sections, ranked by words and vectors; no model named or checked them"
    checked = f"confidence {located.confidence:.2f}, {located.retries} retries, {located.model}"
    if located.method is Method.LEXICAL:
        return f"{count} sections by shared words: the model's did not pass the checks ({checked})"
    return f"{count} sections named by the model, which exist and share words with the question ({checked})"
