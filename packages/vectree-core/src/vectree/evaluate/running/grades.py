"""One grade as a row, or the error in its place."""

from __future__ import annotations

import logging

from vectree.errors import VecTreeError
from vectree.evaluate.grading import Grade, Grader
from vectree.evaluate.records import Question, SystemAnswer
from vectree.evaluate.results.convert import judge_usage
from vectree.evaluate.results.rows import AnswerRow, GradeRow
from vectree.evaluate.running.breaker import Breaker

_log = logging.getLogger(__name__)


def grade_row(
    grader: Grader, question: Question, row: AnswerRow, answer: SystemAnswer, breaker: Breaker
) -> GradeRow:
    """Grade an answer.

    Args:
        grader: The grader.
        question: The question.
        row: The answer's row.
        answer: The answer.
        breaker: Told whether it worked.

    Returns:
        The grade's row; with ``error`` if the judge failed.
    """
    error = ""
    grade = Grade()
    try:
        grade = grader.grade(question, answer)
        breaker.success()
    except VecTreeError as failure:
        breaker.failure(failure)
        error = f"{type(failure).__name__}: {failure}"
    except Exception as fault:
        _log.exception("grading %s of %s failed", row.system, question.id)
        error = f"{type(fault).__name__}: {fault}"
    return GradeRow(
        benchmark=row.benchmark,
        question=row.question,
        kind=row.kind,
        system=row.system,
        seed=row.seed,
        judge=grader.judge.name,
        verdict=grade.verdict,
        selected=grade.selected,
        rationale=grade.rationale,
        mechanical=grade.mechanical,
        metrics=grade.metrics,
        details={**grade.details, "repeats": grade.repeats},
        usage=judge_usage(grade.usage, grade.calls),
        error=error,
    )
