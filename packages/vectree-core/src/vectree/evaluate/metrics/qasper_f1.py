"""QASPER's official figures: answer F1 over all and by type of answer, evidence F1.

They are computed as the official evaluator does, so that they can be compared with published ones: the best
reference counts, a missing prediction is 0 in both figures and in no type, and the precision of evidence
divides by the length of the predicted list, duplicates included. ``evidence_sets`` has the paper's own
evidence metrics.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from vectree.evaluate.datasets.qasper_evidence import is_float
from vectree.evaluate.metrics.token_f1 import token_f1
from vectree.evaluate.records import Question, Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What the official evaluator reads.

    Attributes:
        answer: The answer; the literal ``"Unanswerable"`` where there is none.
        evidence: Paragraphs, verbatim.
    """

    answer: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QasperScore:
    """Official figures of one question.

    Attributes:
        answer_f1: Best over the references.
        kind: Type of the reference that was best, the first of equals.
        evidence_f1: Best over the references.
    """

    answer_f1: float
    kind: str
    evidence_f1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class QasperFigures:
    """Official figures over many questions.

    Attributes:
        answer_f1: Mean.
        answer_f1_by_kind: Mean over the questions whose best reference is of this type.
        evidence_f1: Mean.
        missing: Questions without a prediction.
    """

    answer_f1: float
    answer_f1_by_kind: dict[str, float]
    evidence_f1: float
    missing: int


def paragraph_f1(prediction: Sequence[str], reference: Sequence[str]) -> float:
    """F1 of two lists of paragraphs.

    Args:
        prediction: Paragraphs predicted.
        reference: Paragraphs of the gold evidence.

    Returns:
        0 to 1; 1 if both are empty.
    """
    if not prediction and not reference:
        return 1.0
    shared = len(set(prediction) & set(reference))
    if not shared:
        return 0.0
    precision, recall = shared / len(prediction), shared / len(reference)
    return 2 * precision * recall / (precision + recall)


def qasper_score(
    prediction: Prediction, references: Sequence[Reference], *, text_evidence_only: bool = False
) -> QasperScore:
    """Score one question.

    Args:
        prediction: What was predicted.
        references: Gold answers, at least one.
        text_evidence_only: Leave evidence out that points at figures and tables.

    Returns:
        The figures.
    """
    answers = [(token_f1(prediction.answer, reference.text), reference.kind) for reference in references]
    best, kind = max(answers, key=lambda item: item[0])
    evidence = [_quotes(reference, text_evidence_only) for reference in references]
    return QasperScore(
        answer_f1=best,
        kind=kind,
        evidence_f1=max(paragraph_f1(prediction.evidence, quotes) for quotes in evidence),
    )


def qasper_figures(
    questions: Iterable[Question], predictions: Mapping[str, Prediction], *, text_evidence_only: bool = False
) -> QasperFigures:
    """Score a set of questions.

    Args:
        questions: Every question that should have been answered.
        predictions: Question id to prediction.
        text_evidence_only: Leave evidence out that points at figures and tables.

    Returns:
        The figures; 0 where there is nothing to average.
    """
    answer, evidence, missing = list[float](), list[float](), 0
    by_kind: defaultdict[str, list[float]] = defaultdict(list)
    for question in questions:
        prediction = predictions.get(question.id)
        if prediction is None:
            missing += 1
            answer.append(0.0)
            evidence.append(0.0)
            continue
        score = qasper_score(prediction, question.references, text_evidence_only=text_evidence_only)
        answer.append(score.answer_f1)
        evidence.append(score.evidence_f1)
        by_kind[score.kind].append(score.answer_f1)
    return QasperFigures(
        answer_f1=fmean(answer) if answer else 0.0,
        answer_f1_by_kind={kind: fmean(values) for kind, values in by_kind.items()},
        evidence_f1=fmean(evidence) if evidence else 0.0,
        missing=missing,
    )


def _quotes(reference: Reference, text_only: bool) -> tuple[str, ...]:
    return tuple(quote for quote in reference.quotes if not (text_only and is_float(quote)))
