"""The journal of a build: one line for each attempt, accepted or rejected, with the reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from vectree.errors import StoreError, UsageError
from vectree.evaluate.json_lines import JsonLinesFile
from vectree.evaluate.mosaic.draft import Draft, Quoted
from vectree.evaluate.mosaic.settings import Kind
from vectree.evidence import RunUsage
from vectree.llm.chat import Usage
from vectree.llm.usage import total


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class BuildRow(_Row):
    """What a build says of itself.

    Attributes:
        row: ``"build"``.
        drafter: Model that drafts.
        checker: Model that checks.
        embedder: Name of the embedder that neighbourhoods were formed with.
        corpus: Hash of the documents.
        settings: Everything else that decides what is drafted.
    """

    row: Literal["build"] = "build"
    drafter: str
    checker: str
    embedder: str
    corpus: str
    settings: dict[str, Any]


class Fault(_Row):
    """What a check found.

    Attributes:
        check: Its name.
        reason: What is wrong.
    """

    check: str
    reason: str


class AttemptRow(_Row):
    """An attempt.

    Attributes:
        row: ``"attempt"``.
        number: From 0.
        kind: What was asked for.
        papers: The neighbourhood.
        accepted: Whether the draft passed every check.
        faults: What was found, in order; the last one decided a rejection, earlier ones were repaired.
        question: The last draft in the MOSAIC format; ``None`` if none was written.
        usage: What it took, as in `vectree.evidence.RunUsage`.
    """

    row: Literal["attempt"] = "attempt"
    number: int
    kind: Kind
    papers: list[str]
    accepted: bool
    faults: list[Fault] = []
    question: dict[str, Any] | None = None
    usage: RunUsage

    @property
    def draft(self) -> Draft | None:
        """The draft as it was."""
        if self.question is None:
            return None
        return Draft(
            kind=self.kind,
            question=self.question["question"],
            answer=self.question["answer"],
            chain=tuple(self.question["reasoning_chain"]),
            evidence=tuple(Quoted(**item) for item in self.question["evidence"]),
        )


_ROW: TypeAdapter[BuildRow | AttemptRow] = TypeAdapter(
    Annotated[BuildRow | AttemptRow, Field(discriminator="row")]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSummary:
    """What a journal holds.

    Attributes:
        accepted: Accepted questions of each kind.
        attempts: Attempts in all.
        rejected: Rejections by the check that decided them.
        repaired: Accepted questions that took a repair.
        usage: What all attempts took.
    """

    accepted: dict[str, int] = field(default_factory=dict[str, int])
    attempts: int = 0
    rejected: dict[str, int] = field(default_factory=dict[str, int])
    repaired: int = 0
    usage: RunUsage = field(default_factory=RunUsage)


class Journal(JsonLinesFile):
    """The journal on disk. Attempts are written in order, so that it always holds the first so many."""

    def read(self) -> tuple[BuildRow | None, list[AttemptRow]]:
        """Read the journal.

        Returns:
            What the build says of itself, and its attempts; ``None`` and none if there is no journal.

        Raises:
            StoreError: If a line cannot be read.
        """
        build: BuildRow | None = None
        attempts: list[AttemptRow] = []
        for number, line in self.lines():
            try:
                row = _ROW.validate_json(line)
            except ValidationError as error:
                raise StoreError(f"{self.path.name}, line {number}, is no row of a build.") from error
            if isinstance(row, BuildRow):
                build = build or row
            else:
                attempts.append(row)
        return build, attempts

    def begin(self, build: BuildRow) -> list[AttemptRow]:
        """Start a build, or take it up again.

        Args:
            build: What it says of itself.

        Returns:
            Attempts made so far.

        Raises:
            UsageError: If the journal was begun with other settings.
        """
        known, attempts = self.read()
        if known is None:
            self.append_line(build.model_dump_json().encode())
        elif differing := _difference(known, build):
            raise UsageError(
                f"{str(self.path)!r} was begun otherwise: {differing}.", hint="Build into another folder."
            )
        return attempts

    def append(self, attempt: AttemptRow) -> None:
        """Write an attempt.

        Args:
            attempt: The attempt.
        """
        self.append_line(attempt.model_dump_json().encode())


def summarize(attempts: list[AttemptRow]) -> BuildSummary:
    """Count what a journal holds.

    Args:
        attempts: Its attempts.

    Returns:
        The counts.
    """
    accepted = [attempt for attempt in attempts if attempt.accepted]
    used = total(
        Usage(
            prompt_tokens=attempt.usage.prompt_tokens,
            completion_tokens=attempt.usage.completion_tokens,
            cached_tokens=attempt.usage.cached_tokens,
            cost=attempt.usage.cost,
        )
        for attempt in attempts
    )
    return BuildSummary(
        accepted=dict(Counter(attempt.kind.value for attempt in accepted)),
        attempts=len(attempts),
        rejected=dict(Counter(each.faults[-1].check for each in attempts if not each.accepted)),
        repaired=sum(bool(attempt.faults) for attempt in accepted),
        usage=RunUsage(
            prompt_tokens=used.prompt_tokens,
            completion_tokens=used.completion_tokens,
            cached_tokens=used.cached_tokens,
            model_calls=sum(attempt.usage.model_calls for attempt in attempts),
            cost=used.cost,
        ),
    )


def _difference(known: BuildRow, build: BuildRow) -> str:
    """The first field that differs; counts and bounds may grow from run to run."""
    old, new = known.model_dump(mode="json"), build.model_dump(mode="json")
    pairs = [(name, old[name], new[name]) for name in old if name != "settings"]
    pairs += [(name, value, new["settings"].get(name)) for name, value in old["settings"].items()]
    return next((f"{name} was {was!r} and is {now!r}" for name, was, now in pairs if was != now), "")
