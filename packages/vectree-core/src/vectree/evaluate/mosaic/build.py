"""Building a set: attempts in waves until every kind has its questions (§4.1)."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

from vectree.evaluate.model_wrappers import RecallingModel
from vectree.evaluate.models import file_name
from vectree.evaluate.mosaic.attempt import Attempt, Job, make_attempt
from vectree.evaluate.mosaic.checks.battery import DUPLICATION
from vectree.evaluate.mosaic.checks.check import Bench
from vectree.evaluate.mosaic.desk import Desk
from vectree.evaluate.mosaic.draft import Draft
from vectree.evaluate.mosaic.journal import (
    AttemptRow,
    BuildRow,
    BuildSummary,
    Fault,
    Journal,
    summarize,
)
from vectree.evaluate.mosaic.neighbourhoods import neighbourhoods
from vectree.evaluate.mosaic.settings import BuildSettings, Kind
from vectree.evaluate.records import OnProgress, Papers
from vectree.evaluate.systems.chunk_index import ChunkIndex, build_index
from vectree.evaluate.systems.chunks import passage_chunks
from vectree.llm.chat import ChatModel
from vectree.store.durable import replace_file

JOURNAL = "attempts.jsonl"
QUESTIONS = "questions.jsonl"
REPLIES = "replies"

_FREE = ("counts", "attempts_each", "concurrency")
"""Settings that may change when a build is taken up again."""


def build_set(
    papers: Papers,
    folder: Path,
    settings: BuildSettings,
    *,
    drafter: ChatModel,
    checker: ChatModel | None = None,
    on_progress: OnProgress | None = None,
) -> BuildSummary:
    """Build a question set, or go on building it.

    Attempts run in waves. Each sees the questions accepted before its wave; those of one wave are compared
    with each other when it ends, in order, so that the result does not hang on timing. Replies are kept in
    the folder: what was asked is not asked again after an interruption.

    Args:
        papers: The corpus.
        folder: Where the set, the journal and the replies go.
        settings: What to build.
        drafter: Drafts and repairs.
        checker: Checks; by default the drafter, as in the paper.
        on_progress: Called after each attempt with questions accepted and wanted.

    Returns:
        What the journal holds at the end; fewer questions than wanted if the attempts were used up.
        `ModelRequestError` ends a build; call again to go on.
    """
    journal = Journal(folder / JOURNAL)
    with journal.writing():
        judge = checker or drafter
        attempts = journal.begin(_title(papers, settings, drafter, judge))
        kept = folder / REPLIES
        models = (_recalling(drafter, kept / "draft"), _recalling(judge, kept / "check"))
        build = _Build(papers, settings, models, journal, attempts)
        for _ in build.waves():
            write_questions(folder, attempts)
            if on_progress is not None:
                on_progress(build.accepted, settings.wanted, f"attempt {len(attempts)}")
        write_questions(folder, attempts)
        return summarize(attempts)


def write_questions(folder: Path, attempts: Sequence[AttemptRow]) -> None:
    """Write the set as it stands.

    Args:
        folder: Where to.
        attempts: All attempts; the accepted ones make the set.
    """
    rows = [attempt.question for attempt in attempts if attempt.accepted]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    replace_file(folder / QUESTIONS, lines.encode(), scratch=folder)


class _Build:
    """A build while it lasts; ``attempts`` grows."""

    def __init__(
        self,
        papers: Papers,
        settings: BuildSettings,
        models: tuple[ChatModel, ChatModel],
        journal: Journal,
        attempts: list[AttemptRow],
    ) -> None:
        self._papers = papers
        self._settings = settings
        self._models = models
        self._journal = journal
        self._attempts = attempts
        self._passages = _once(lambda: build_index(papers, passage_chunks))

    @property
    def accepted(self) -> int:
        return sum(attempt.accepted for attempt in self._attempts)

    def waves(self) -> Iterator[None]:
        groups = neighbourhoods(self._papers, self._settings)
        for _ in range(len(self._attempts)):
            next(groups)
        while jobs := self._wave(groups):
            with ThreadPoolExecutor(len(jobs), thread_name_prefix="vectree-mosaic") as pool:
                made = list(pool.map(self._make, jobs))
            self._settle(made)
            yield

    def _wave(self, groups: Iterator[tuple[str, ...]]) -> list[Job]:
        """Jobs for the kinds that lack most, none beyond what is wanted."""
        left = dict(self._settings.counts)
        for attempt in self._attempts:
            if attempt.accepted and attempt.kind in left:
                left[attempt.kind] -= 1
        begin = len(self._attempts)
        room = min(self._settings.concurrency, self._settings.attempts - begin)
        jobs: list[Job] = []
        while len(jobs) < room and (kind := max(left, key=lambda each: left[each], default=None)):
            if left[kind] <= 0:
                break
            left[kind] -= 1
            jobs.append(self._job(begin + len(jobs), kind, next(groups)))
        return jobs

    def _job(self, number: int, kind: Kind, group: tuple[str, ...]) -> Job:
        enough = self._settings.fewest - 1
        drafts = [(attempt, draft) for attempt in self._attempts if (draft := attempt.draft)]
        known = [draft.question for attempt, draft in drafts if len({*attempt.papers} & {*group}) >= enough]
        accepted = [draft for attempt, draft in drafts if attempt.accepted]
        return Job(number=number, kind=kind, group=group, known=known, accepted=accepted)

    def _make(self, job: Job) -> Attempt:
        desk = Desk(*self._models, self._settings)
        return make_attempt(job, self._papers, desk, self._settings, self._passages)

    def _settle(self, made: Sequence[Attempt]) -> None:
        """Compare the accepted drafts of a wave with each other, and write all attempts down."""
        fresh: list[Draft] = []
        for attempt in made:
            if attempt.accepted and attempt.draft:
                if reason := DUPLICATION.find(attempt.draft, self._bench(attempt, fresh)):
                    attempt.accepted = False
                    attempt.faults.append(Fault(check=DUPLICATION.name, reason=reason))
                else:
                    fresh.append(attempt.draft)
            row = attempt.row
            self._journal.append(row)
            self._attempts.append(row)

    def _bench(self, attempt: Attempt, fresh: Sequence[Draft]) -> Bench:
        return Bench(
            desk=attempt.desk,
            library=self._papers.library,
            doc_ids=self._papers.doc_ids,
            sources=(),
            passages=self._passages,
            accepted=tuple(fresh),
            settings=self._settings,
        )


def _once(make: Callable[[], ChunkIndex]) -> Callable[[], ChunkIndex]:
    """Make a value when it is first asked for, from any thread."""
    lock = threading.Lock()
    made: list[ChunkIndex] = []

    def get() -> ChunkIndex:
        with lock:
            if not made:
                made.append(make())
            return made[0]

    return get


def _recalling(model: ChatModel, folder: Path) -> ChatModel:
    return RecallingModel(model, folder / file_name(model.name))


def _title(papers: Papers, settings: BuildSettings, drafter: ChatModel, checker: ChatModel) -> BuildRow:
    fixed = asdict(replace(settings, counts={}))
    return BuildRow(
        drafter=drafter.name,
        checker=checker.name,
        embedder=papers.embedder.fingerprint.name,
        corpus=hashlib.sha256("\n".join(papers.doc_ids).encode()).hexdigest()[:16],
        settings={name: value for name, value in fixed.items() if name not in _FREE},
    )
