"""People's verdicts: a table to fill in, and what came back.

MOSAIC was screened by models alone, which the paper names as a limitation. The table opens in any spreadsheet;
every reviewer fills in a copy, and the name of the file is the name of the reviewer.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from pathlib import Path
from typing import Any

from vectree.errors import UsageError
from vectree.evaluate.datasets.json_file import read_text
from vectree.evaluate.metrics.agreement import Agreement, agreement

COLUMNS = (
    "id",
    "type",
    "question",
    "answer",
    "reasoning",
    "evidence",
    "verdict (keep, fix or drop)",
    "comment",
)

_VERDICT = "verdict"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Verdict(StrEnum):
    """What a person says of a question."""

    KEEP = "keep"
    FIX = "fix"
    DROP = "drop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What people said.

    Attributes:
        verdicts: Reviewer to question to verdict.
        comments: Reviewer to question to comment, where there is one.
        agreements: Pairs of reviewers and how far they agree.
    """

    verdicts: dict[str, dict[str, Verdict]]
    comments: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    agreements: dict[tuple[str, str], Agreement] = field(default_factory=dict[tuple[str, str], Agreement])

    @property
    def with_checks(self) -> float | None:
        """Share of verdicts that keep a question, as the automated checks did; ``None`` without verdicts."""
        given = [verdict for one in self.verdicts.values() for verdict in one.values()]
        return given.count(Verdict.KEEP) / len(given) if given else None

    @property
    def kept(self) -> frozenset[str]:
        """Questions that more than half of their reviewers keep."""
        given: dict[str, list[Verdict]] = {}
        for one in self.verdicts.values():
            for question, verdict in one.items():
                given.setdefault(question, []).append(verdict)
        return frozenset(
            question for question, found in given.items() if 2 * found.count(Verdict.KEEP) > len(found)
        )

    @property
    def counts(self) -> dict[str, int]:
        """Verdicts of all reviewers together."""
        return dict(Counter(verdict.value for one in self.verdicts.values() for verdict in one.values()))


def review_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write the table to fill in.

    Args:
        rows: Questions in the MOSAIC format.

    Returns:
        CSV. Cells that a spreadsheet could take for a formula begin with an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in rows:
        evidence = [f"{item['doc_id']}, p.{item['page']}: {item['quote']}" for item in row["evidence"]]
        steps = [f"{number}. {step}" for number, step in enumerate(row["reasoning_chain"], start=1)]
        texts = (
            row["id"],
            row["type"],
            row["question"],
            row["answer"],
            "\n".join(steps),
            "\n".join(evidence),
        )
        writer.writerow([*map(_cell, texts), "", ""])
    return out.getvalue()


def read_reviews(files: Sequence[Path], known: Sequence[str]) -> Review:
    """Read filled-in tables.

    Args:
        files: One for each reviewer, named after them.
        known: Questions of the set.

    Returns:
        Verdicts and their agreement; questions without a verdict are left out.

    Raises:
        UsageError: If a table has no columns for id and verdict, a verdict is none, a question is not of the
            set, or two files have the same name.
    """
    verdicts: dict[str, dict[str, Verdict]] = {}
    comments: dict[str, dict[str, str]] = {}
    for file in files:
        if file.stem in verdicts:
            raise UsageError(f"Two reviews are named {file.stem!r}.", hint="Name each after its reviewer.")
        verdicts[file.stem], comments[file.stem] = _read(file, frozenset(known))
    pairs = {
        (one, other): agreement(verdicts[one], verdicts[other]) for one, other in combinations(verdicts, 2)
    }
    return Review(verdicts=verdicts, comments=comments, agreements=pairs)


def only_kept(rows: Sequence[Mapping[str, Any]], review: Review) -> str:
    """Write the set that people kept.

    Args:
        rows: Questions in the MOSAIC format.
        review: What people said.

    Returns:
        JSON Lines.
    """
    kept = [row for row in rows if row["id"] in review.kept]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept)


def _read(file: Path, known: frozenset[str]) -> tuple[dict[str, Verdict], dict[str, str]]:
    text = read_text(file)
    rows = csv.DictReader(io.StringIO(text), delimiter=_delimiter(text))
    names = {_column(name): name for name in rows.fieldnames or ()}
    if "id" not in names or _VERDICT not in names:
        raise UsageError(
            f"{file.name} has no columns 'id' and 'verdict'.", hint="Fill in a copy of the table."
        )
    verdicts: dict[str, Verdict] = {}
    comments: dict[str, str] = {}
    for number, row in enumerate(rows, start=2):
        question = (row.get(names["id"]) or "").strip().lstrip("'")
        said = (row.get(names[_VERDICT]) or "").strip().lower()
        if not question or not said:
            continue
        if question not in known:
            raise UsageError(f"{file.name}, row {number}: the set has no question {question!r}.")
        if said not in list(Verdict):
            raise UsageError(f"{file.name}, row {number}: a verdict is keep, fix or drop, not {said!r}.")
        verdicts[question] = Verdict(said)
        if comment := (row.get(names.get("comment", "")) or "").strip():
            comments[question] = comment
    return verdicts, comments


def _column(name: str) -> str:
    """The word that a column is known by."""
    return (name or "").strip().lower().split(" ")[0]


def _delimiter(text: str) -> str:
    """Spreadsheets of some countries separate by semicolons or tabs."""
    head = text.partition("\n")[0]
    return max(",;\t", key=head.count)


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
