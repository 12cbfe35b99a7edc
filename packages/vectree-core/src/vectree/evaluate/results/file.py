"""The rows of a run on disk, and the latest of each key."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from vectree.errors import StoreError, UsageError
from vectree.evaluate.json_lines import JsonLinesFile
from vectree.evaluate.results.rows import AnswerKey, AnswerRow, GradeKey, GradeRow, Row, RunRow, SystemRow

_ROW: TypeAdapter[RunRow | SystemRow | AnswerRow | GradeRow] = TypeAdapter(Row)


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


class ResultsFile(JsonLinesFile):
    """A results file. Appending is safe from several threads; one process writes at a time."""

    def read(self) -> Results:
        """Read the file.

        Returns:
            Its rows; nothing if there is no file.

        Raises:
            StoreError: If a line that is not the last one cannot be read.
        """
        results = Results()
        for number, line in self.lines():
            try:
                results.take(_ROW.validate_json(line))
            except ValidationError as error:
                raise StoreError(
                    f"{self.path.name}, line {number}, is no row of results.",
                    hint="Restore the file, or remove that line.",
                ) from error
        return results

    def append(self, row: RunRow | SystemRow | AnswerRow | GradeRow) -> None:
        """Write a row at the end; `StoreError` says that the file cannot be written to.

        Args:
            row: The row.
        """
        self.append_line(row.model_dump_json(exclude_defaults=False).encode())


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
