"""The command that measures an embedder on the corpus: calibrate."""

from __future__ import annotations

import dataclasses
import sys
from typing import Annotated, Any

import typer

from vectree.cli import output
from vectree.cli.app import app
from vectree.cli.options import DEFAULT_CORPUS, ConnectionOption, CorpusOption, JsonOption
from vectree.corpus import Corpus
from vectree.search.calibration import BIN, Bin, Calibration

_BAR = 40


@app.command()
def calibrate(
    corpus: CorpusOption = DEFAULT_CORPUS,
    write: Annotated[
        bool, typer.Option("--write", help="Keep the suggested gates in the corpus; searches use them.")
    ] = False,
    embedder: Annotated[
        str | None, typer.Option(metavar="NAME", help="The corpus's embedder, if its name alone finds none.")
    ] = None,
    offline: ConnectionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure what unrelated texts score with the corpus's embedder, and suggest gates for search."""
    with output.results_only() as stdout:
        found = Corpus.open(corpus, embedder=embedder, offline=offline).calibrate(write=write)
        if as_json:
            output.write_json(calibration_shape(found, written=write), stdout)
        else:
            for line in calibration_lines(found):
                output.write(line, stdout)
        for warning in found.warnings:
            output.write(f"warning: {warning}", sys.stderr)
        if not as_json:
            output.write(
                "kept in the corpus" if write else "nothing was changed; add --write to keep the gates",
                sys.stderr,
            )


def calibration_shape(found: Calibration, *, written: bool) -> dict[str, Any]:
    """A calibration as ``calibrate --json`` shows it.

    Args:
        found: The calibration.
        written: Whether the suggested gates were kept.

    Returns:
        Plain JSON.
    """
    return {**dataclasses.asdict(found), "written": written}


def calibration_lines(found: Calibration) -> list[str]:
    """Write a calibration for a person: the histogram, and the gates in it.

    Args:
        found: The calibration.

    Returns:
        Lines.
    """
    most_unrelated = max((bar.unrelated for bar in found.histogram), default=0)
    most_own = max((bar.own for bar in found.histogram), default=0)
    head = f"{'similarity':<14}{'questions of other fields':<{_BAR + 8}}own titles"
    suggested, current = found.suggested, found.current
    return [
        f"{found.embedder}: {found.pairs} pairs of an unrelated question and a paper, "
        f"{found.titles} titles and their own papers",
        "",
        head,
        *(_bar_line(bar, found, most_unrelated, most_own) for bar in found.histogram),
        "",
        f"median {found.unrelated_median:.2f} unrelated, {found.own_median:.2f} own; "
        f"{found.passing:.1%} of the unrelated pass the gate in use",
        f"suggested gates: relevant {suggested.relevant:.3f}, strong {suggested.strong:.3f} "
        f"(in use: {current.relevant:.3f}, {current.strong:.3f})",
    ]


def _bar_line(bar: Bin, found: Calibration, most_unrelated: int, most_own: int) -> str:
    gate = "".join(
        f"  ◂ {name}"
        for name, value in (("relevant", found.suggested.relevant), ("strong", found.suggested.strong))
        if bar.start <= value < bar.start + BIN
    )
    unrelated = f"{_bar(bar.unrelated, most_unrelated)} {bar.unrelated or ''}"
    own = f"{_bar(bar.own, most_own)} {bar.own or ''}"
    return f"{bar.start:5.2f}–{bar.start + BIN:4.2f}   {unrelated:<{_BAR + 8}}{own}{gate}".rstrip()


def _bar(count: int, most: int) -> str:
    """A bar that is seen as soon as there is anything to show."""
    return "█" * -(-count * _BAR // most) if count else ""
