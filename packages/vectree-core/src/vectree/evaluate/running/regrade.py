"""Grading answers again with other judges (Appendix E: judges of other model families)."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed

from vectree.evaluate.grading import Grader
from vectree.evaluate.records import RETRIEVAL_ONLY, OnProgress, Question
from vectree.evaluate.results.convert import answer_from_row
from vectree.evaluate.results.file import ResultsFile
from vectree.evaluate.results.rows import AnswerRow
from vectree.evaluate.running.breaker import Breaker
from vectree.evaluate.running.grades import grade_row
from vectree.evaluate.running.plan import GIVE_UP_AFTER, RunSummary


def regrade(
    file: ResultsFile,
    questions: Mapping[str, Question],
    grader: Grader,
    *,
    benchmark: str,
    concurrency: int = 4,
    on_progress: OnProgress | None = None,
) -> RunSummary:
    """Grade every answer of a results file that this judge has not graded yet.

    Args:
        file: The results; grades are added to it.
        questions: Question id to question, documents named as in the corpus.
        grader: The grader.
        benchmark: Which of the file's answers.
        concurrency: Answers under way at once.
        on_progress: Called after each answer, in this thread.

    Returns:
        What was done; answers whose question is not given are counted as kept.
    """
    breaker = Breaker(GIVE_UP_AFTER, lambda: False)
    lock = threading.Lock()
    graded = ungraded = 0

    def one(row: AnswerRow, question: Question) -> bool | None:
        if breaker.open:
            return None
        grade = grade_row(grader, question, row, answer_from_row(row), breaker)
        with lock:
            file.append(grade)
        return not grade.error

    with file.writing():
        results = file.read()
        due = [
            (row, questions[row.question])
            for row in results.answers.values()
            if row.benchmark.value == benchmark and row.question in questions and _gradable(row)
            if (grade := results.grades.get((*row.key, grader.judge.name))) is None or grade.error
        ]
        kept = sum(row.benchmark.value == benchmark for row in results.answers.values()) - len(due)
        with ThreadPoolExecutor(max(1, concurrency), thread_name_prefix="vectree-regrade") as pool:
            futures = {pool.submit(one, row, question): row for row, question in due}
            for done, future in enumerate(as_completed(futures), start=1):
                worked = future.result()
                graded, ungraded = graded + (worked is True), ungraded + (worked is False)
                if on_progress:
                    on_progress(done, len(due), f"{futures[future].system}: {futures[future].question}")
    return RunSummary(graded=graded, ungraded=ungraded, kept=kept, stopped=breaker.reason)


def _gradable(row: AnswerRow) -> bool:
    return not row.error and row.stopped != RETRIEVAL_ONLY
