"""The command that fetches papers: ``eval fetch-litqa2``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TextIO

import typer

from vectree.cli import output
from vectree.cli.app import EXIT_FAILED
from vectree.cli.eval_app import eval_app
from vectree.cli.options import JsonOption
from vectree.cli.progress import progress_bar
from vectree.errors import UsageError
from vectree.evaluate.datasets.litqa2 import read_litqa2
from vectree.evaluate.fetching.courier import Courier
from vectree.evaluate.fetching.fetch import RECORD, FetchReport, Outcome, fetch_papers
from vectree.ingest.crossref import MAILTO_VARIABLE

FOLDER = Path("litqa2-papers")


@eval_app.command("fetch-litqa2")
def fetch_litqa2(
    data: Annotated[Path, typer.Option("--data", metavar="FILE", help="LitQA2's questions.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the papers.")] = FOLDER,
    mailto: Annotated[
        str,
        typer.Option(
            envvar=MAILTO_VARIABLE, metavar="ADDRESS", help="Your mail address; the services ask for it."
        ),
    ] = "",
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the first N papers.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Fetch the open copies of LitQA2's papers by DOI: OpenAlex, then Unpaywall, then Europe PMC."""
    if "@" not in mailto:
        raise UsageError(
            "The services ask who is calling: --mailto is missing.",
            hint=f"Give it, or set {MAILTO_VARIABLE}.",
        )
    dois = [hint.doi for hint in read_litqa2(data).documents.values() if hint.doi][:limit]
    with output.results_only() as stdout:
        with Courier(mailto) as courier, progress_bar("fetching") as show:
            report = fetch_papers(dois, out, courier, on_progress=show)
        if as_json:
            rows = [row.model_dump(mode="json") for row in report.rows]
            output.write_json({"papers": rows, "kept": report.kept, "licences": report.licences}, stdout)
        else:
            _write(report, out, stdout)
    if report.count(Outcome.FETCHED) < len(report.rows):
        raise typer.Exit(EXIT_FAILED)


def _write(report: FetchReport, out: Path, stream: TextIO) -> None:
    for row in report.rows:
        if row.outcome is not Outcome.FETCHED:
            output.write(f"{row.doi}: {row.outcome}. {' '.join(row.reasons)}".rstrip(), stream)
    licences = ", ".join(f"{count} {name}" for name, count in sorted(report.licences.items()))
    fetched = report.count(Outcome.FETCHED)
    output.write(
        f"{fetched} of {len(report.rows)} papers in {out}, {report.kept} of them from before; "
        f"{report.count(Outcome.NO_COPY)} have no open copy, {report.count(Outcome.FAILED)} failed.",
        stream,
    )
    output.write(f"Licences: {licences or 'none'}; where each came from: {out / RECORD}", stream)
    if fetched:
        output.write(f"Next: vectree add {out} --corpus DIR", stream)
