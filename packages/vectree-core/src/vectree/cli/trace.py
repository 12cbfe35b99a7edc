"""The trajectory of a run, written to a file as it happens, so that the file ends where the run ended."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TextIO

from vectree.agent.trajectory import to_jsonl
from vectree.errors import UsageError
from vectree.evidence import Step


class Trace:
    """A context manager; the file is opened before anything is asked.

    Args:
        path: The file; ``None`` to write nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> Trace:
        if self._path is not None:
            try:
                self._file = self._path.open("w", encoding="utf-8")
            except OSError as error:
                raise UsageError(
                    f"The trace cannot be written to {str(self._path)!r}: {error.strerror}."
                ) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, step: Step) -> None:
        """Append a step.

        Args:
            step: The step.
        """
        if self._file is not None:
            self._file.write(to_jsonl([step]))
            self._file.flush()
