"""Print the bibliographic fields that rules find on first pages, to be read beside the PDFs.

python benchmarks/bibliography.py ../shared/data/pdfs
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from vectree.document import Metadata
from vectree.errors import ParseError
from vectree.ingest.bibliography import find_bibliography
from vectree.ingest.parsers.pdfium.parser import PdfiumParser

FIELDS = ("title", "authors", "year", "journal", "volume", "article_pages", "doi")


def row(name: str, found: Metadata) -> str:
    """One document on three lines, each field with its origin where that is not the rules on the page."""
    origin = {field: source for field, source in found.provenance.items() if source != "rules"}
    people = "; ".join(found.authors[:6]) + (f"; … ({len(found.authors)})" if len(found.authors) > 6 else "")
    place = " | ".join(
        str(part or "-") for part in (found.year, found.journal, found.volume, found.article_pages)
    )
    return f"{name}\n    {found.title}\n    {people or '-'}\n    {place} | {found.doi or '-'} {origin or ''}"


def main() -> None:
    """Read every PDF of the folder."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("folder", type=Path)
    parser = PdfiumParser()
    filled = dict.fromkeys(FIELDS, 0)
    seconds = 0.0
    paths = sorted(arguments.parse_args().folder.glob("*.pdf"))
    for path in paths:
        with tempfile.TemporaryDirectory() as figures:
            try:
                document = parser.parse(path, figures=Path(figures))
            except ParseError as error:
                print(f"{path.name}\n    {error}")
                continue
        start = time.perf_counter()
        found = find_bibliography(document, path.name)
        seconds += time.perf_counter() - start
        for field in FIELDS:
            filled[field] += bool(getattr(found, field))
        print(row(path.name, found))
    print(f"\n{len(paths)} documents; filled: {filled}; rules took {seconds:.2f} s")


if __name__ == "__main__":
    main()
