"""Converting in a subprocess: a converter has no bounds of its own on time and memory."""

from __future__ import annotations

from pathlib import Path

from vectree.errors import MissingExtra
from vectree.ingest.parse import ParsedDocument, ParseLimits
from vectree.ingest.parsers.converted.available import converters_missing
from vectree.ingest.parsers.converted.html import EXTRA
from vectree.ingest.parsers.formats import Format
from vectree.ingest.parsers.pdfium.isolation import worker_environment
from vectree.ingest.parsers.pdfium.watch import START_SECONDS
from vectree.ingest.parsers.run_worker import run_worker

WORKER = "vectree.ingest.parsers.converted.worker"

_DEFAULT_LIMITS = ParseLimits()


class IsolatedConverter:
    """Reads HTML or DOCX in a process of its own; implements ``ingest.parse.Parser``.

    Args:
        kind: The format.
        limits: Bounds on one document; ``total_seconds`` counts from when the process has started.
    """

    def __init__(self, kind: Format, limits: ParseLimits = _DEFAULT_LIMITS) -> None:
        self.name = kind.value
        self._limits = limits

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        """Read a document.

        Args:
            path: The source file.
            figures: An existing empty folder that receives figure files.
            password: Not used.

        Returns:
            Synthetic pages, with the file's headings as claims; errors are those of `run_worker`.

        Raises:
            MissingExtra: Without the extra ``docs``.
        """
        if missing := converters_missing():
            raise MissingExtra(missing[0], extra=EXTRA)
        return run_worker(
            [WORKER, self.name],
            who="The converter",
            path=path,
            figures=figures,
            limits=self._limits,
            environment=worker_environment(),
            seconds=START_SECONDS + self._limits.total_seconds,
        )
