"""One attempt: draft, check, repair, within bounds (§4.1)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vectree.errors import ModelReplyError
from vectree.evaluate.mosaic.checks.battery import CHECKS
from vectree.evaluate.mosaic.checks.check import Bench, Check
from vectree.evaluate.mosaic.desk import Desk
from vectree.evaluate.mosaic.draft import Draft, repair_draft, write_draft
from vectree.evaluate.mosaic.journal import AttemptRow, Fault
from vectree.evaluate.mosaic.settings import BuildSettings, Kind
from vectree.evaluate.mosaic.sources import choose_sources
from vectree.evaluate.records import Papers
from vectree.evaluate.systems.chunk_index import ChunkIndex

SOURCES = "sources"
"""Stands for a check where a neighbourhood has too few papers with readable pages."""

REPLY = "model reply"
"""Stands for a check where a model gave no usable reply."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What an attempt is to do.

    Attributes:
        number: From 0.
        kind: What to ask for.
        group: The neighbourhood.
        known: Questions drafted from much the same papers before.
        accepted: Questions of the set so far.
    """

    number: int
    kind: Kind
    group: tuple[str, ...]
    known: Sequence[str]
    accepted: Sequence[Draft]


@dataclass(slots=True, kw_only=True)
class Attempt:
    """What came of it.

    Attributes:
        job: What it was to do.
        desk: Where it asked.
        draft: The last draft.
        faults: What was found, in order.
        accepted: Whether the draft passed.
    """

    job: Job
    desk: Desk
    draft: Draft | None
    faults: list[Fault]
    accepted: bool

    @property
    def row(self) -> AttemptRow:
        """As the journal keeps it."""
        return AttemptRow(
            number=self.job.number,
            kind=self.job.kind,
            papers=list(self.job.group),
            accepted=self.accepted,
            faults=self.faults,
            question=self.draft.as_row(f"q{self.job.number:04d}") if self.draft else None,
            usage=self.desk.usage,
        )


def make_attempt(
    job: Job, papers: Papers, desk: Desk, settings: BuildSettings, passages: Callable[[], ChunkIndex]
) -> Attempt:
    """Make an attempt.

    Args:
        job: What to do.
        papers: The corpus.
        desk: Where to ask.
        settings: Bounds.
        passages: Gives the corpus cut into passages.

    Returns:
        What came of it. A model that gives no usable reply is a rejection; `ModelRequestError` passes.
    """
    made = Attempt(job=job, desk=desk, draft=None, faults=[], accepted=False)
    sources = choose_sources(papers.library, job.group, settings)
    if len(sources) < settings.fewest:
        made.faults.append(Fault(check=SOURCES, reason=f"Only {len(sources)} papers have a readable page."))
        return made
    bench = Bench(
        desk=desk,
        library=papers.library,
        doc_ids=papers.doc_ids,
        sources=sources,
        passages=passages,
        accepted=job.accepted,
        settings=settings,
    )
    try:
        made.draft = write_draft(desk, job.kind, sources, known=job.known)
        _check_and_repair(made, made.draft, bench)
    except ModelReplyError as error:
        _log.debug("attempt %d: %s", job.number, error.message)
        made.faults.append(Fault(check=REPLY, reason=error.message))
    return made


def _check_and_repair(made: Attempt, draft: Draft, bench: Bench) -> None:
    for left in range(bench.settings.repairs, -1, -1):
        check, reason = first_fault(draft, bench)
        if check is None:
            made.accepted = True
            return
        made.faults.append(Fault(check=check.name, reason=reason))
        if not check.repairable or not left:
            return
        draft = made.draft = repair_draft(bench.desk, draft, bench.sources, reason)


def first_fault(draft: Draft, bench: Bench) -> tuple[Check | None, str]:
    """Make the checks until one fails.

    Args:
        draft: The draft.
        bench: What they may use.

    Returns:
        The check that failed, and why; ``None`` and an empty text if all passed.
    """
    for check in CHECKS:
        if draft.kind in check.kinds and (reason := check.find(draft, bench)):
            return check, reason
    return None, ""
