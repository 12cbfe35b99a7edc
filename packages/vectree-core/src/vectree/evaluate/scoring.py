"""What can be said of an answer without a judge."""

from __future__ import annotations

from collections.abc import Callable

from vectree.evaluate.cited import without_citations
from vectree.evaluate.metrics.evidence_sets import document_recall, evidence_scores
from vectree.evaluate.metrics.qasper_f1 import Prediction, qasper_score
from vectree.evaluate.metrics.trajectory import citation_validity, layer_adherence, rounds
from vectree.evaluate.records import Benchmark, Question, SystemAnswer, Unit

PageText = Callable[[Unit], str]
"""Gives the raw text of a page."""

Metrics = dict[str, float | None]
"""Name of a metric to its value; ``None`` where it does not apply."""

EVIDENCE = ("evidence_precision", "evidence_recall", "evidence_f1")


def score(question: Question, answer: SystemAnswer, page_text: PageText) -> Metrics:
    """Score an answer.

    Args:
        question: The question, its documents named as in the corpus.
        answer: The answer.
        page_text: Gives the raw text of a page, for QASPER's official evidence F1.

    Returns:
        The metrics.
    """
    metrics: Metrics = {
        **_evidence(question, answer),
        "document_recall": document_recall(question, answer.evidence),
        "documents_read": float(len({doc_id for doc_id, _ in answer.evidence})),
        "units_read": float(len(answer.evidence)),
        "layer_order": layer_adherence(answer),
        "citation_validity": citation_validity(answer.citations),
        "rounds": float(rounds(answer)) if answer.trajectory else None,
        "tool_calls": float(len(answer.trajectory)) if answer.trajectory else None,
    }
    if question.benchmark is Benchmark.QASPER:
        metrics |= _official(question, answer, page_text)
    return metrics


def failed(question: Question) -> Metrics:
    """Scores of a question whose answer failed: what was asked for and is not there counts as 0.

    Args:
        question: The question.

    Returns:
        The metrics.
    """
    nothing = SystemAnswer(text="", evidence=frozenset())
    metrics = dict.fromkeys(score(question, nothing, lambda _: ""))
    metrics |= _evidence(question, nothing)
    if question.benchmark is Benchmark.QASPER:
        metrics |= {"answer_f1": 0.0, "official_evidence_f1": 0.0}
    return metrics


def labels(question: Question, answer: SystemAnswer) -> dict[str, str]:
    """Strata that depend on the answer.

    Args:
        question: The question.
        answer: The answer.

    Returns:
        For QASPER ``answer_kind``: the type of the reference that matches best, by which the official
        evaluator groups its answer F1.
    """
    if question.benchmark is not Benchmark.QASPER or not answer.text.strip():
        return {}
    found = Prediction(answer=without_citations(answer.text))
    return {"answer_kind": qasper_score(found, question.references).kind}


def _evidence(question: Question, answer: SystemAnswer) -> Metrics:
    within = question.benchmark is Benchmark.LITQA2
    scores = evidence_scores(question, answer.evidence, within_gold=within)
    if scores is None:
        return dict.fromkeys(EVIDENCE)
    return dict(zip(EVIDENCE, (scores.precision, scores.recall, scores.f1), strict=True))


def _official(question: Question, answer: SystemAnswer, page_text: PageText) -> Metrics:
    paragraphs = tuple(page_text(unit) for unit in sorted(answer.evidence))
    found = Prediction(answer=without_citations(answer.text), evidence=paragraphs)
    official = qasper_score(found, question.references)
    answered = bool(answer.text.strip())
    return {
        "answer_f1": official.answer_f1 if answered else None,
        "official_evidence_f1": official.evidence_f1,
    }
