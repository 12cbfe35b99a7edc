"""Pages per second of the PDF reader by stage, and its peak memory.

Run: ``python benchmarks/parse_speed.py FOLDER [--limit N]``. Everything runs in this process on one core, and
CPU time is counted, so that other work on the machine disturbs less. ``pdfium`` only parses pages and lays
out their text, the floor of any reader on it; ``lines`` reads text, order and furniture; ``regions`` also
finds figures; rendering them is reported apart.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from vectree.errors import ParseError
from vectree.ingest.parsers.pdfium.native import pdfium
from vectree.ingest.parsers.pdfium.read import read_document


@dataclass(slots=True, kw_only=True)
class Times:
    """CPU seconds by stage, and what was read in them."""

    pages: int = 0
    figures: int = 0
    pdfium: float = 0.0
    lines: float = 0.0
    regions: float = 0.0
    crops: float = 0.0

    def add(self, other: Times) -> None:
        """Add another document's."""
        self.pages += other.pages
        self.figures += other.figures
        self.pdfium += other.pdfium
        self.lines += other.lines
        self.regions += other.regions
        self.crops += other.crops

    def row(self, name: str) -> str:
        """One line of the table."""
        rates = [self.pages / max(seconds, 1e-9) for seconds in (self.lines, self.regions)]
        crop = 1000 * self.crops / max(self.figures, 1)
        return (
            f"{name[:44]:<44} {self.pages:>6} {self.pages / max(self.pdfium, 1e-9):>9.0f} "
            f"{rates[0]:>9.0f} {rates[1]:>9.0f} {self.figures:>8} {crop:>8.0f}"
        )


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


def measure(path: Path) -> Times:
    """Read one document three times: by PDFium alone, without figures, and with them."""
    started = time.process_time()
    load(path)
    pdfium_alone = time.process_time() - started
    started = time.process_time()
    document = read_document(path, figures=None)
    lines = time.process_time() - started
    clock = StageClock()
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        document = read_document(path, figures=Path(folder), tell=clock.tell)
        whole = time.process_time() - started
    crops = clock.seconds["crop"]
    return Times(
        pages=len(document.pages),
        figures=len(document.figures),
        pdfium=pdfium_alone,
        lines=lines,
        regions=whole - crops,
        crops=crops,
    )


def peak_memory() -> str:
    """Peak resident memory of this process."""
    try:
        import resource
    except ImportError:
        return "not measured on this system"
    unit = 1 if sys.platform == "darwin" else 1024
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20:.0f} MB"


def main() -> int:
    """Measure every PDF of a folder and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of PDFs")
    parser.add_argument("--limit", type=int, default=None, help="read only the first N files")
    options = parser.parse_args()
    total = Times()
    print(
        f"{'document':<44} {'pages':>6} {'pdfium/s':>9} {'lines/s':>9} {'regions/s':>9} "
        f"{'figures':>8} {'ms/crop':>8}"
    )
    for path in sorted(options.folder.glob("*.pdf"))[: options.limit]:
        try:
            times = measure(path)
        except (ParseError, pdfium.PdfiumError) as error:
            print(f"{path.name[:44]:<44} refused: {error}")
            continue
        total.add(times)
        print(times.row(path.name), flush=True)
    print(total.row("all (pages per CPU second)"))
    print(f"rendering figures: {total.crops:.1f} s in all; peak memory: {peak_memory()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
