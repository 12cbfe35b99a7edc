"""Fetching papers into a folder, with a record of where each came from and under which licence."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from vectree.errors import StoreError
from vectree.evaluate.fetching.courier import Courier, FetchError
from vectree.evaluate.fetching.places import SERVICES, Place
from vectree.evaluate.json_lines import JsonLinesFile
from vectree.evaluate.records import OnProgress
from vectree.store.durable import replace_file

RECORD = "fetched.jsonl"
MOST_PLACES = 6
"""Addresses tried for one paper."""

_NOT_NAME = re.compile(r"[^a-z0-9.()_-]+")
_LONGEST_NAME = 100


class Outcome(StrEnum):
    """What came of a DOI."""

    FETCHED = "fetched"
    NO_COPY = "no open copy"
    FAILED = "failed"


class FetchRow(BaseModel):
    """What is recorded of a DOI.

    Attributes:
        doi: The DOI.
        outcome: What came of it.
        file: Name of the file in the folder.
        sha256: Hash of the file.
        bytes: Its size.
        url: Where it was.
        service: Who knew of it.
        licence: As that service writes it.
        version: As that service writes it.
        reasons: What went wrong, in order.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    doi: str
    outcome: Outcome
    file: str = ""
    sha256: str = ""
    bytes: int = 0
    url: str = ""
    service: str = ""
    licence: str = ""
    version: str = ""
    reasons: list[str] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchReport:
    """What is known of all DOIs that were asked for.

    Attributes:
        rows: One for each, in their order.
        kept: How many were there already.
        licences: Licence to number of papers that were fetched.
    """

    rows: tuple[FetchRow, ...]
    kept: int = 0
    licences: dict[str, int] = field(default_factory=dict[str, int])

    def count(self, outcome: Outcome) -> int:
        """Count an outcome.

        Args:
            outcome: Which.

        Returns:
            How many DOIs came to it.
        """
        return sum(row.outcome is outcome for row in self.rows)


def fetch_papers(
    dois: Sequence[str], folder: Path, courier: Courier, *, on_progress: OnProgress | None = None
) -> FetchReport:
    """Fetch the open copies of papers.

    What a run before has fetched, and what is still as it was, is kept; everything else is tried again.

    Args:
        dois: Bare DOIs, in lower case.
        folder: Where files and record go.
        courier: Asks and downloads.
        on_progress: Called after each DOI.

    Returns:
        What came of each.
    """
    record = JsonLinesFile(folder / RECORD)
    rows: list[FetchRow] = []
    kept = 0
    with record.writing():
        known = _read(record)
        for done, doi in enumerate(dois, start=1):
            row = known.get(doi)
            if row is not None and _still_there(row, folder):
                kept += 1
            else:
                row = _fetch(doi, folder, courier)
                record.append_line(row.model_dump_json().encode())
            rows.append(row)
            if on_progress is not None:
                on_progress(done, len(dois), doi)
    return FetchReport(rows=tuple(rows), kept=kept, licences=_licences(rows))


def file_name(doi: str) -> str:
    """Name the file of a DOI.

    Args:
        doi: The DOI; nothing in it can lead out of a folder.

    Returns:
        Letters, digits and a few marks, with a few digits of a hash, so that no two DOIs share a name.
    """
    plain = _NOT_NAME.sub("-", doi.lower()).strip("-.")[:_LONGEST_NAME]
    return f"{plain}-{hashlib.sha256(doi.encode()).hexdigest()[:6]}.pdf"


def _fetch(doi: str, folder: Path, courier: Courier) -> FetchRow:
    reasons: list[str] = []
    for place in _places(doi, courier, reasons):
        try:
            data = courier.pdf(place.url)
        except FetchError as error:
            reasons.append(f"{place.service}: {error.message}")
            continue
        name = file_name(doi)
        replace_file(folder / name, data, scratch=folder)
        return FetchRow(
            doi=doi,
            outcome=Outcome.FETCHED,
            file=name,
            sha256=hashlib.sha256(data).hexdigest(),
            bytes=len(data),
            url=place.url,
            service=place.service,
            licence=place.licence,
            version=place.version,
            reasons=reasons,
        )
    outcome = Outcome.FAILED if reasons else Outcome.NO_COPY
    return FetchRow(doi=doi, outcome=outcome, reasons=reasons)


def _places(doi: str, courier: Courier, reasons: list[str]) -> Iterator[Place]:
    """Addresses, each once; a service is asked when those before it are used up."""
    seen: set[str] = set()
    for service in SERVICES:
        try:
            answer = courier.answer(service.address(doi, courier.mailto))
        except FetchError as error:
            reasons.append(f"{service.name}: {error.message}")
            continue
        for place in service.places(answer):
            if place.url not in seen and len(seen) < MOST_PLACES:
                seen.add(place.url)
                yield place


def _read(record: JsonLinesFile) -> dict[str, FetchRow]:
    rows: dict[str, FetchRow] = {}
    for number, line in record.lines():
        try:
            row = FetchRow.model_validate_json(line)
        except ValidationError as error:
            raise StoreError(f"{record.path.name}, line {number}, is no row of a record.") from error
        rows[row.doi] = row
    return rows


def _still_there(row: FetchRow, folder: Path) -> bool:
    if row.outcome is not Outcome.FETCHED or row.file != file_name(row.doi):
        return False
    path = folder / row.file
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == row.sha256


def _licences(rows: Sequence[FetchRow]) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in rows:
        if row.outcome is Outcome.FETCHED:
            name = row.licence or "not stated"
            found[name] = found.get(name, 0) + 1
    return found
