"""Between a system's answer and its row."""

from __future__ import annotations

import json
from dataclasses import asdict

from vectree.agent.trajectory import from_jsonl, step_data
from vectree.evaluate.records import Footprint, Question, SystemAnswer
from vectree.evaluate.results.rows import AnswerRow, CitationRow, FootprintRow, UsageRow
from vectree.evidence import Citation, CitationStatus, RunUsage
from vectree.llm.chat import Usage


def usage_row(usage: RunUsage) -> UsageRow:
    """Write the usage of an answer.

    Args:
        usage: The usage.

    Returns:
        The row.
    """
    return UsageRow.model_validate(asdict(usage))


def judge_usage(usage: Usage, calls: int) -> UsageRow:
    """Write the usage of a judge.

    Args:
        usage: Tokens and money.
        calls: Requests.

    Returns:
        The row.
    """
    return UsageRow.model_validate({**asdict(usage), "model_calls": calls})


def footprint_row(footprint: Footprint, *, timed: bool) -> FootprintRow:
    """Write what a system keeps.

    Args:
        footprint: From `System.prepare`.
        timed: Whether its seconds mean anything; a replay's do not.

    Returns:
        The row.
    """
    return FootprintRow(
        vectors=footprint.vectors,
        index_bytes=footprint.index_bytes,
        seconds=round(footprint.seconds, 3) if timed else None,
        usage=usage_row(footprint.usage),
        details=footprint.details,
    )


def answer_row(
    question: Question,
    answer: SystemAnswer,
    *,
    system: str,
    seed: int,
    model: str,
    seconds: float | None,
    metrics: dict[str, float | None],
    labels: dict[str, str],
    keep_context: bool,
) -> AnswerRow:
    """Write an answer.

    Args:
        question: The question.
        answer: The answer.
        system: Name of the system.
        seed: The seed.
        model: Name of the answering model; empty if there was none.
        seconds: Wall time; ``None`` in a replay.
        metrics: What needs no judge.
        labels: Strata that depend on the answer.
        keep_context: Whether to keep the texts that were read.

    Returns:
        The row.
    """
    return AnswerRow(
        benchmark=question.benchmark,
        question=question.id,
        kind=question.kind,
        system=system,
        seed=seed,
        model=model,
        text=answer.text,
        evidence=sorted(answer.evidence),
        ranking=list(answer.ranking),
        context=list(answer.context) if keep_context else [],
        citations=[
            CitationRow(doc_id=each.doc_id, page=each.page, status=each.status.value, text=each.text)
            for each in answer.citations
        ],
        uncited=list(answer.uncited),
        trajectory=[step_data(step) for step in answer.trajectory],
        usage=usage_row(answer.usage),
        seconds=None if seconds is None else round(seconds, 3),
        retrieval_seconds=answer.retrieval_seconds if seconds is not None else None,
        stopped=answer.stopped,
        details=answer.details,
        metrics=metrics,
        labels=labels,
    )


def answer_from_row(row: AnswerRow) -> SystemAnswer:
    """Read an answer back, as far as the row keeps it.

    Args:
        row: The row.

    Returns:
        The answer.
    """
    return SystemAnswer(
        text=row.text,
        evidence=frozenset(row.evidence),
        context=tuple(row.context),
        usage=RunUsage(**row.usage.model_dump()),
        citations=tuple(
            Citation(doc_id=each.doc_id, page=each.page, status=CitationStatus(each.status), text=each.text)
            for each in row.citations
        ),
        uncited=tuple(row.uncited),
        trajectory=from_jsonl("\n".join(json.dumps(step) for step in row.trajectory)),
        retrieval_seconds=row.retrieval_seconds,
        stopped=row.stopped,
        ranking=tuple(row.ranking),
        details=row.details,
    )
