"""Evidence precision, recall and F1 over sets of units, against the best-matching annotator (§4.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from vectree.evaluate.records import EvidenceSet, Question


@dataclass(frozen=True, slots=True, kw_only=True)
class SetScores:
    """How a set of units compares with a gold set.

    Attributes:
        precision: Share of the found units that are gold; 0 if nothing was found.
        recall: Share of the gold units that were found.
        f1: Their harmonic mean; 0 if nothing gold was found.
    """

    precision: float
    recall: float
    f1: float


def set_scores(found: EvidenceSet, gold: EvidenceSet) -> SetScores:
    """Compare with one annotator.

    Args:
        found: What a system read.
        gold: What an annotator marked; not empty.

    Returns:
        The scores.

    Raises:
        ValueError: If ``gold`` is empty, since recall is then undefined.
    """
    if not gold:
        raise ValueError("recall against an empty gold set is undefined")
    shared = len(found & gold)
    precision = shared / len(found) if found else 0.0
    recall = shared / len(gold)
    return SetScores(
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall) if shared else 0.0,
    )


def best_annotator(found: EvidenceSet, golds: Iterable[EvidenceSet | None]) -> SetScores | None:
    """Compare with the annotator whose set matches best.

    The paper does not say by which measure. Here it is F1, then recall, so that precision and recall come
    from the same annotator. Annotators without any gold unit (an unanswerable question, evidence in figures
    alone) do not take part: the paper gives no rule for them, and recall is undefined.

    Args:
        found: What a system read.
        golds: Gold set of each annotator; ``None`` where it is not known.

    Returns:
        The scores; ``None`` if no annotator has a gold unit.
    """
    scores = [set_scores(found, gold) for gold in golds if gold]
    return max(scores, key=lambda each: (each.f1, each.recall, each.precision), default=None)


def evidence_scores(question: Question, found: EvidenceSet, *, within_gold: bool = False) -> SetScores | None:
    """Score the evidence of an answer.

    Args:
        question: The question.
        found: What a system read.
        within_gold: Look only at units of the documents that hold the answer, as for LitQA2 (Appendix B),
            whose one key passage says nothing about other papers.

    Returns:
        The scores; ``None`` if no gold unit is known.
    """
    if within_gold:
        found = frozenset(unit for unit in found if unit[0] in question.documents)
    return best_annotator(found, (reference.evidence for reference in question.references))


def document_recall(question: Question, found: EvidenceSet) -> float | None:
    """Share of the documents that hold the answer from which anything was read.

    Args:
        question: The question.
        found: What a system read.

    Returns:
        0 to 1; ``None`` if the documents are not known.
    """
    if not question.documents:
        return None
    read = {doc_id for doc_id, _ in found}
    return len(question.documents & read) / len(question.documents)
