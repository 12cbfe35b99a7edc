"""Pages per second of the PDF reader by stage, on one core and in this process, and its peak memory.

Run: ``python benchmarks/parse_speed.py FOLDER [--limit N] [--crops]``.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from pathlib import Path

from vectree.errors import ParseError
from vectree.ingest.parse import ParseLimits
from vectree.ingest.parsers.pdfium.read import Reading, read_document, reading


def main() -> None:
    """Read every PDF of a folder three ways and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=None, help="read only the first N files")
    parser.add_argument("--rounds", type=int, default=1, help="repeat and take the fastest")
    options = parser.parse_args()
    files = sorted(options.folder.glob("*.pdf"))[: options.limit]
    print(f"{len(files)} files in {options.folder}")


if __name__ == "__main__":
    main()
