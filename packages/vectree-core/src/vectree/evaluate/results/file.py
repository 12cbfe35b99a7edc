"""Writing and reading a results file so that a run killed at any moment can be taken up again.

Each row is one line, written with one call. What a killed process left of its last line is cut off by the
next one that writes, and skipped by all that read.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import TypeAdapter, ValidationError

from vectree.errors import StoreError, UsageError
from vectree.evaluate.results.rows import AnswerKey, AnswerRow, GradeKey, GradeRow, Row, RunRow, SystemRow

_ROW: TypeAdapter[RunRow | SystemRow | AnswerRow | GradeRow] = TypeAdapter(Row)
_TAIL = 1 << 20
_log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Results:
    """Everything a file holds, the latest row of each key.

    Attributes:
        runs: Run rows in order.
        systems: Benchmark and system to its row.
        answers: Answers, and errors that no later answer replaced.
        grades: Grades by every judge.
    """

    runs: list[RunRow] = field(default_factory=lambda: list[RunRow]())
    systems: dict[tuple[str, str], SystemRow] = field(
        default_factory=lambda: dict[tuple[str, str], SystemRow]()
    )
    answers: dict[AnswerKey, AnswerRow] = field(default_factory=lambda: dict[AnswerKey, AnswerRow]())
    grades: dict[GradeKey, GradeRow] = field(default_factory=lambda: dict[GradeKey, GradeRow]())

    def take(self, row: RunRow | SystemRow | AnswerRow | GradeRow) -> None:
        """Add a row in place of an earlier one of its key.

        Args:
            row: The row.
        """
        match row:
            case RunRow():
                self.runs.append(row)
            case SystemRow():
                self.systems[row.benchmark.value, row.system] = row
            case AnswerRow():
                self.answers[row.key] = row
            case GradeRow():
                self.grades[row.key] = row


class ResultsFile:
    """A results file. Appending is safe from several threads; one process writes at a time.

    Args:
        path: The file; it need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    def read(self) -> Results:
        """Read the file.

        Returns:
            Its rows; nothing if there is no file.

        Raises:
            StoreError: If a line that is not the last one cannot be read.
        """
        results = Results()
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return results
        except OSError as error:
            raise StoreError(f"{str(self.path)!r} cannot be read: {error.strerror or error}.") from error
        *lines, torn = data.split(b"\n")
        if torn:
            _log.warning("%s: the last line is incomplete and is skipped", self.path.name)
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                results.take(_ROW.validate_json(line))
            except ValidationError as error:
                raise StoreError(
                    f"{self.path.name}, line {number}, is no row of results.",
                    hint="Restore the file, or remove that line.",
                ) from error
        return results

    def append(self, row: RunRow | SystemRow | AnswerRow | GradeRow) -> None:
        """Write a row at the end.

        Args:
            row: The row.

        Raises:
            StoreError: If the file cannot be written to.
        """
        line = row.model_dump_json(exclude_defaults=False).encode() + b"\n"
        try:
            with self._lock, self.path.open("ab", buffering=0) as file:
                written = file.write(line)
                while written < len(line):
                    written += file.write(line[written:])
        except OSError as error:
            raise StoreError(f"{str(self.path)!r} cannot be written: {error.strerror or error}.") from error

    @contextmanager
    def writing(self) -> Generator[None]:
        """Be the one process that writes; cuts off a torn last line first.

        Yields:
            None: once the file is ready to be appended to.

        Raises:
            UsageError: If another process is writing.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(f"{self.path}.lock", timeout=0)
        try:
            lock.acquire()
        except Timeout as error:
            raise UsageError(
                f"Another run is writing to {str(self.path)!r}.", hint="Wait for it, or choose another file."
            ) from error
        try:
            self._cut_torn_line()
            yield
        finally:
            lock.release()

    def _cut_torn_line(self) -> None:
        try:
            with self.path.open("r+b") as file:
                size = file.seek(0, os.SEEK_END)
                end = size
                while end > 0:
                    start = max(0, end - _TAIL)
                    file.seek(start)
                    newline = file.read(end - start).rfind(b"\n")
                    if newline >= 0:
                        end = start + newline + 1
                        break
                    end = start
                if end < size:
                    file.truncate(end)
        except FileNotFoundError:
            return


def read_all(paths: Iterable[Path]) -> Results:
    """Read several files as one.

    Args:
        paths: Results files; later ones replace rows of earlier ones.

    Returns:
        Their rows.

    Raises:
        UsageError: If one does not exist.
    """
    merged = Results()
    for path in paths:
        if not path.is_file():
            raise UsageError(f"There is no results file {str(path)!r}.")
        found = ResultsFile(path).read()
        for row in (*found.runs, *found.systems.values(), *found.answers.values(), *found.grades.values()):
            merged.take(row)
    return merged
