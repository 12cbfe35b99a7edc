"""Pages per second of the PDF reader by stage, through the tree, and its memory.

Run: ``python benchmarks/parse_speed.py PATH... [--limit N]`` for speed, with ``--memory`` for memory. For
speed, everything runs in this process on one core, and CPU time is counted, so that other work on the machine
disturbs less. ``pdfium`` only parses pages and lays out their text, the floor of any reader on it; ``lines``
reads text, order and furniture; ``regions`` also finds figures; rendering them is reported apart. The columns
with an arrow go on from there through headings, page text and section tree.

``--memory`` reads every file in a worker of its own, as a corpus does, and then all of them one after the
other in this process, where a leak would add up.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from vectree.errors import ParseError
from vectree.ingest.headings import conclude, gather
from vectree.ingest.page_text import render_pages
from vectree.ingest.parse import ParsedDocument
from vectree.ingest.parsers.pdfium import PdfiumParser
from vectree.ingest.parsers.pdfium.native import pdfium
from vectree.ingest.parsers.pdfium.read import read_document
from vectree.tree.build import build_tree

_EVERY = 10
_READ_ONE = """
import sys, tempfile, resource
from pathlib import Path
from vectree.errors import ParseError
from vectree.ingest.parsers.pdfium import PdfiumParser
with tempfile.TemporaryDirectory() as folder:
    try:
        PdfiumParser().parse(Path(sys.argv[1]), figures=Path(folder))
    except ParseError:
        pass
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@dataclass(slots=True, kw_only=True)
class Times:
    """CPU seconds by stage, and what was read in them."""

    pages: int = 0
    figures: int = 0
    pdfium: float = 0.0
    lines: float = 0.0
    regions: float = 0.0
    crops: float = 0.0
    tree: float = 0.0

    def add(self, other: Times) -> None:
        """Add another document's."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def row(self, name: str) -> str:
        """One line of the table."""
        stages = (
            self.pdfium,
            self.lines,
            self.regions,
            self.tree,
            self.lines + self.tree,
            self.regions + self.tree,
        )
        rates = " ".join(f"{self.pages / max(seconds, 1e-9):>9.0f}" for seconds in stages)
        crop = 1000 * self.crops / max(self.figures, 1)
        return f"{name[:40]:<40} {self.pages:>5} {rates} {self.figures:>8} {crop:>8.0f}"


class StageClock:
    """Shares CPU time out among the stages the reader names."""

    def __init__(self) -> None:
        self.seconds = {"read": 0.0, "finish": 0.0, "crop": 0.0}
        self._stage = "read"
        self._since = time.process_time()

    def tell(self, stage: str, _page: int, _pages: int) -> None:
        """The reader begins a step."""
        now = time.process_time()
        self.seconds[self._stage] += now - self._since
        self._stage, self._since = stage, now


def load(path: Path) -> None:
    """What no reader on PDFium can do without: parse every page and lay out its text."""
    document = pdfium.PdfDocument(path)
    try:
        for page in document:
            page.get_textpage().close()
            page.close()
    finally:
        document.close()


def find_tree(document: ParsedDocument) -> None:
    """What follows parsing: headings, page text, section tree."""
    gathered = gather(document)
    rendered = render_pages(document, conclude(gathered).headings, verifier=gathered.verifier)
    build_tree(rendered.headings, rendered.pages)


def measure(path: Path) -> Times:
    """Read one document by PDFium alone, without figures, and with them; then find its tree."""
    started = time.process_time()
    load(path)
    pdfium_alone = time.process_time() - started
    started = time.process_time()
    read_document(path, figures=None)
    lines = time.process_time() - started
    clock = StageClock()
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        document = read_document(path, figures=Path(folder), tell=clock.tell)
        whole = time.process_time() - started
    crops = clock.seconds["crop"]
    started = time.process_time()
    find_tree(document)
    return Times(
        pages=len(document.pages),
        figures=len(document.figures),
        pdfium=pdfium_alone,
        lines=lines,
        regions=whole - crops,
        crops=crops,
        tree=time.process_time() - started,
    )


def print_speed(paths: Iterable[Path]) -> None:
    """Measure every file and print a table."""
    total = Times()
    columns = ("pdfium/s", "lines/s", "regions/s", "tree/s", "lines>tree", "reg.>tree")
    print(
        f"{'document':<40} {'pages':>5} {' '.join(f'{c:>9}' for c in columns)} {'figures':>8} {'ms/crop':>8}"
    )
    for path in paths:
        try:
            times = measure(path)
        except (ParseError, pdfium.PdfiumError) as error:
            print(f"{path.name[:40]:<40} refused: {error}")
            continue
        total.add(times)
        print(times.row(path.name), flush=True)
    print(total.row("all (pages per CPU second)"))
    print(
        f"rendering figures: {total.crops:.1f} s in all; other work waiting: {os.getloadavg()[0]:.1f} processes"
    )


def print_memory(paths: Sequence[Path]) -> None:
    """Peak of every worker, then of this process as it reads file after file."""
    peaks = [(_worker_peak(path), path.name) for path in paths]
    largest = sorted(peaks, reverse=True)[:5]
    print(
        f"peak of a worker over {len(peaks)} files: "
        + ", ".join(f"{name} {mb:.0f} MB" for mb, name in largest)
    )
    for number, path in enumerate(paths, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                PdfiumParser(isolated=False).parse(path, figures=Path(folder))
            except ParseError:
                continue
            finally:
                if number % _EVERY == 0 or number == len(paths):
                    print(f"one process, after {number} files: {_resident():.0f} MB in use", flush=True)


def _worker_peak(path: Path) -> float:
    """Most memory of the process that reads a file, in MB."""
    done = subprocess.run([sys.executable, "-c", _READ_ONE, str(path)], capture_output=True, check=True)
    return int(done.stdout) / (2**20 if sys.platform == "darwin" else 2**10)


def _resident() -> float:
    """Memory of this process now, in MB; Linux only."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.glob("**/*.pdf")) if path.is_dir() else [path]


def main() -> int:
    """Measure PDFs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="+", type=Path, help="PDFs and folders of them")
    parser.add_argument("--limit", type=int, default=None, help="read only the first N files")
    parser.add_argument("--memory", action="store_true", help="measure memory instead")
    options = parser.parse_args()
    paths = list(_files(options.paths))[: options.limit]
    if options.memory:
        print_memory(paths)
    else:
        print_speed(paths)
    return 0


if __name__ == "__main__":
    sys.exit(main())
