"""What reading a paper with a model costs: calls and prompt tokens, counted on a model without faults.

    python benchmarks/model_cost.py ../shared/data/pdfs/litqa2-10-1007-s00125-024-06103-w.pdf
    python benchmarks/model_cost.py ../shared/data/pdfs/*.pdf --modes auto

The model knows the headings that layout and bookmarks give together, and answers every question rightly, so
that no call is due to a mistake. Tokens are characters divided by four, instructions included.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from vectree.document import SummarySource
from vectree.ingest.headings import find_headings
from vectree.ingest.model.reading import Structure
from vectree.ingest.page_text import render_pages
from vectree.ingest.parse import ParsedDocument
from vectree.ingest.parsers.pdfium import PdfiumParser
from vectree.ingest.pipeline import Ingested, IngestSettings, ingest_parsed
from vectree.ingest.report import Stopwatch
from vectree.testing.honest_reader import HonestReader
from vectree.tree.walk import walk


def main() -> None:
    """Print one line for each paper and mode."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("pdfs", nargs="+", type=Path)
    arguments.add_argument("--modes", default="layout,auto,llm,exact")
    chosen = arguments.parse_args()
    for path in chosen.pdfs:
        with tempfile.TemporaryDirectory() as figures:
            document = PdfiumParser().parse(path, figures=Path(figures))
        for mode in chosen.modes.split(","):
            print(report(document, path.name, mode))


def report(document: ParsedDocument, name: str, mode: str) -> str:
    """Read one document with a model that answers rightly.

    Args:
        document: As parsed.
        name: Its file.
        mode: A structure mode, or ``"exact"``.

    Returns:
        The figures.
    """
    truth = render_pages(document, find_headings(document).headings).headings
    model = HonestReader(truth)
    settings = IngestSettings(
        model=model,
        structure=Structure.LLM if mode == "exact" else Structure(mode),
        paper_exact=mode == "exact",
    )
    found = ingest_parsed(document, name, settings=settings, watch=Stopwatch())
    without = ingest_parsed(document, name, settings=IngestSettings(), watch=Stopwatch())
    long = sum(node.summary_source is SummarySource.EXTRACTIVE for node in walk(without.tree))
    stages = {stage: counts["calls"] for stage, counts in found.report["model"]["stages"].items()}
    return (
        f"{name[:44]:44} {mode:6} {len(found.pages):4} pages, {len(list(walk(found.tree))):3} sections, "
        f"{long:3} of 200 tokens: {len(model.requests):3} calls, {model.prompt_tokens:7,} prompt tokens; {stages}"
        f"{_structure(found)}"
    )


def _structure(found: Ingested) -> str:
    told = found.report["headings"].get("structure", {})
    doubts = [doubt["reason"] for doubt in told.get("doubts", ())]
    rates = [told.get(key) for key in ("paper_rate_before", "paper_rate_after", "verified_rate_after")]
    shown = " ".join("-" if rate is None else f"{rate:.3f}" for rate in rates)
    return f"; literal before/after, ours {shown}, rounds {told.get('repair_rounds', 0)}; doubts {doubts}"


if __name__ == "__main__":
    main()
