"""Questions × systems × seeds, several at a time, written down one by one (§4.2).

A run can be interrupted at any moment and started again with the same file: answers that are there are kept,
failures are tried again, answers without a grade are graded.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from vectree.errors import UsageError, VecTreeError
from vectree.evaluate.papers import page_reader
from vectree.evaluate.records import (
    RETRIEVAL_ONLY,
    Follower,
    Grading,
    OnProgress,
    Question,
    Selective,
    System,
    SystemAnswer,
    documents_asked,
)
from vectree.evaluate.results.convert import answer_from_row, answer_row, footprint_row
from vectree.evaluate.results.file import Results, ResultsFile
from vectree.evaluate.results.rows import AnswerRow, GradeRow, RunRow, SystemRow
from vectree.evaluate.running.breaker import Breaker
from vectree.evaluate.running.grades import grade_row
from vectree.evaluate.running.plan import Plan, RunSummary
from vectree.evaluate.scoring import failed, labels, score
from vectree.llm.chat import ChatModel

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """One question, one system, one seed; with the answer if only the grade is missing."""

    question: Question
    system: System
    seed: int
    model: ChatModel | None
    answered: AnswerRow | None = None


def run(
    plan: Plan,
    file: ResultsFile,
    *,
    on_progress: OnProgress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> RunSummary:
    """Carry out a plan.

    Args:
        plan: What to do.
        file: Where results go; results that are there are kept.
        on_progress: Called after each question, in this thread.
        cancelled: Asked before each question; the run ends when it returns True.

    Returns:
        What was done; errors of single questions are in the results, and counted.
    """
    plan.check()
    systems = plan.in_order()
    with file.writing():
        return _Run(plan, file, on_progress or _quiet, cancelled or (lambda: False)).carry_out(systems)


class _Run:
    """A run while it lasts."""

    def __init__(
        self, plan: Plan, file: ResultsFile, on_progress: OnProgress, cancelled: Callable[[], bool]
    ) -> None:
        self._plan = plan
        self._file = file
        self._on_progress = on_progress
        self._breaker = Breaker(plan.settings.give_up_after, cancelled)
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._done = 0
        self._results = file.read()
        self._page_text = page_reader(plan.papers)

    def carry_out(self, systems: tuple[System, ...]) -> RunSummary:
        self._write(self._plan.header)
        for system in systems:
            if not self._breaker.open:
                self._run_system(system)
        return RunSummary(
            answered=self._counts["answered"],
            failed=self._counts["failed"],
            graded=self._counts["graded"],
            ungraded=self._counts["ungraded"],
            kept=self._counts["kept"],
            stopped=self._breaker.reason,
        )

    def _run_system(self, system: System) -> None:
        jobs = list(self._jobs(system))
        if any(job.answered is None for job in jobs):
            self._prepare(system)
        # A replay is written in the order of its questions, so that two replays are the same file.
        workers = self._plan.settings.concurrency if self._plan.models.timed else 1
        with ThreadPoolExecutor(max(1, workers), thread_name_prefix="vectree-eval") as pool:
            futures = {pool.submit(self._do, job): job for job in jobs}
            try:
                self._await(futures)
            except BaseException:
                self._breaker.stop("interrupted")
                pool.shutdown(cancel_futures=True)
                raise

    def _await(self, futures: dict[Future[None], _Job]) -> None:
        total = len(self._plan.questions) * len(self._plan.systems) * len(self._plan.settings.seeds)
        for future in as_completed(futures):
            future.result()
            self._done += 1
            job = futures[future]
            self._on_progress(self._done, total, f"{job.system.name}: {job.question.id}")

    def _jobs(self, system: System) -> Iterator[_Job]:
        """What is still to do; what is done counts as progress."""
        for seed in self._plan.settings.seeds:
            model = self._plan.models.for_answer(system.name, seed)
            for question in self._plan.questions:
                key = (question.benchmark.value, question.id, system.name, seed)
                row = self._results.answers.get(key)
                if row is None or (row.error and self._plan.settings.retry_errors):
                    yield _Job(question=question, system=system, seed=seed, model=model)
                    continue
                self._counts["kept"] += 1
                if self._to_grade(row):
                    yield _Job(question=question, system=system, seed=seed, model=model, answered=row)
                else:
                    self._done += 1

    def _to_grade(self, row: AnswerRow) -> bool:
        grader = self._plan.grader
        if grader is None or row.error or row.stopped == RETRIEVAL_ONLY:
            return False
        grade = self._results.grades.get((*row.key, grader.judge.name))
        return grade is None or (bool(grade.error) and self._plan.settings.retry_errors)

    def _prepare(self, system: System) -> None:
        if isinstance(system, Selective):
            system.expect(documents_asked(self._plan.questions))
        footprint = system.prepare(
            self._plan.papers,
            model=self._plan.models.for_preparing(system.name),
            on_progress=lambda done, total, what: self._on_progress(done, total, f"{system.name}: {what}"),
        )
        if isinstance(system, Follower):
            system.follow(_tokens_used(self._results, self._plan.benchmark.value, system.follows))
        row = SystemRow(
            benchmark=self._plan.benchmark,
            system=system.name,
            title=system.title,
            parameters={
                **system.parameters,
                "model": self._plan.models.generator_name or None,
                "temperature": self._plan.models.temperature if self._plan.models.generator_name else None,
            },
            footprint=footprint_row(footprint, timed=self._plan.models.timed),
        )
        known = self._results.systems.get((row.benchmark.value, row.system))
        if known is not None:
            _refuse_other(known, row, self._file)
        if known is None or self._plan.models.timed:
            self._write(row)

    def _do(self, job: _Job) -> None:
        if self._breaker.open:
            return
        if job.answered is not None:
            self._grade(job.question, job.answered, answer_from_row(job.answered))
            return
        answer, row = self._answer(job)
        self._write(row)
        self._count("failed" if answer is None else "answered")
        if answer is not None and self._to_grade(row):
            self._grade(job.question, row, answer)

    def _answer(self, job: _Job) -> tuple[SystemAnswer | None, AnswerRow]:
        started = time.perf_counter()
        try:
            answer = job.system.answer(job.question, model=job.model, seed=job.seed)
            metrics = score(job.question, answer, self._page_text)
        except Exception as error:
            return None, self._failure(job, error)
        self._breaker.success()
        seconds = time.perf_counter() - started if self._plan.models.timed else None
        row = answer_row(
            job.question,
            answer,
            system=job.system.name,
            seed=job.seed,
            model=job.model.name if job.model else "",
            seconds=seconds,
            metrics=metrics,
            labels=labels(job.question, answer),
            keep_context=job.question.grading is Grading.SYNTHESIS,
        )
        return answer, row

    def _failure(self, job: _Job, error: Exception) -> AnswerRow:
        fault = not isinstance(error, VecTreeError)
        if fault:
            _log.exception("%s failed on question %s", job.system.name, job.question.id)
        self._breaker.failure(error)
        return AnswerRow(
            benchmark=job.question.benchmark,
            question=job.question.id,
            kind=job.question.kind,
            system=job.system.name,
            seed=job.seed,
            model=job.model.name if job.model else "",
            metrics=failed(job.question),
            error=f"{type(error).__name__}: {error}",
            fault=fault,
        )

    def _grade(self, question: Question, row: AnswerRow, answer: SystemAnswer) -> None:
        if self._plan.grader is None:
            return
        grade = grade_row(self._plan.grader, question, row, answer, self._breaker)
        self._write(grade)
        self._count("ungraded" if grade.error else "graded")

    def _count(self, what: str) -> None:
        with self._lock:
            self._counts[what] += 1

    def _write(self, row: RunRow | SystemRow | AnswerRow | GradeRow) -> None:
        self._file.append(row)
        with self._lock:
            self._results.take(row)


def _quiet(done: int, total: int, what: str) -> None:
    """Progress nobody watches."""


def _tokens_used(results: Results, benchmark: str, system: str) -> dict[tuple[str, int], int]:
    return {
        (row.question, row.seed): row.usage.prompt_tokens + row.usage.completion_tokens
        for row in results.answers.values()
        if row.benchmark.value == benchmark and row.system == system and not row.error
    }


def _refuse_other(known: SystemRow, row: SystemRow, file: ResultsFile) -> None:
    """A file holds one setting of a system; figures of two must not be mixed."""
    names = sorted(known.parameters.keys() | row.parameters.keys())
    differing = [name for name in names if known.parameters.get(name) != row.parameters.get(name)]
    if differing:
        name = differing[0]
        raise UsageError(
            f"{file.path.name} holds answers of {row.system!r} with other settings: {name} was "
            f"{known.parameters.get(name)!r} and is {row.parameters.get(name)!r}.",
            hint="Write to another file, or remove this one.",
        )
