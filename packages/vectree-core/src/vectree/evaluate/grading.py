"""What only a judge can say of an answer: the paper's verdicts and figures (§4.3)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from vectree.evaluate.cited import cited_sentences, without_citations
from vectree.evaluate.judges.choice import judge_choice
from vectree.evaluate.judges.citation_support import judge_citations
from vectree.evaluate.judges.correctness import judge_correctness
from vectree.evaluate.judges.coverage import extract_facts, judge_coverage
from vectree.evaluate.judges.factuality import judge_factuality
from vectree.evaluate.judges.faithfulness import judge_faithfulness, room
from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.judges.mechanical import mechanical_choice, mechanical_correctness
from vectree.evaluate.judges.statements import decompose
from vectree.evaluate.metrics.composite import composite, is_comparable, scaled_cosine
from vectree.evaluate.metrics.shares import citation_support, coverage, faithfulness
from vectree.evaluate.records import Grading, Question, SystemAnswer
from vectree.evaluate.scoring import Metrics, PageText
from vectree.evaluate.verdicts import Choice
from vectree.index.embedder import Embedder
from vectree.llm.chat import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """What a judge said of an answer.

    Attributes:
        verdict: One of the paper's verdicts; empty where the grade is made of figures alone.
        selected: Letter of the option the answer selects.
        rationale: The judge's one sentence.
        mechanical: The verdict a fixed rule gives, where it can; empty otherwise.
        metrics: Figures.
        details: Statements, facts, counts, as plain JSON.
        usage: Tokens and money.
        calls: Requests.
        repeats: Replies that could not be read and were asked for again.
    """

    verdict: str = ""
    selected: str = ""
    rationale: str = ""
    mechanical: str = ""
    metrics: Metrics = field(default_factory=lambda: Metrics())
    details: dict[str, Any] = field(default_factory=lambda: dict[str, Any]())
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    repeats: int = 0


class Grader:
    """Grades answers with one judge. Safe to use from several threads.

    What depends on the question alone (statements and facts of the reference) is asked for once.

    Args:
        judge: The judge.
        page_text: Gives the text of a page, for citation support.
        embedder: For the composite's cosine; ``None`` leaves cosine and composite out.
        citations: Whether to judge citation support.
    """

    def __init__(
        self, judge: Judge, page_text: PageText, *, embedder: Embedder | None = None, citations: bool = True
    ) -> None:
        self.judge = judge
        self._page_text = page_text
        self._embedder = embedder
        self._citations = citations
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, str], tuple[str, ...]] = {}

    def grade(self, question: Question, answer: SystemAnswer) -> Grade:
        """Grade an answer in the way its question asks for.

        Args:
            question: The question.
            answer: The answer.

        Returns:
            The grade; `ModelReplyError` says that the judge gave no usable reply, `ModelRequestError` that it
            cannot be reached.
        """
        judge = self.judge.fresh()
        match question.grading:
            case Grading.CORRECTNESS:
                grade = _correctness(judge, question, answer)
            case Grading.CHOICE:
                grade = _choice(judge, question, answer)
            case Grading.SYNTHESIS:
                grade = self._synthesis(judge, question, answer)
        cited = self._cited(judge, answer)
        return replace(
            grade,
            metrics={**grade.metrics, **cited},
            usage=judge.usage,
            calls=judge.calls,
            repeats=judge.repeats,
        )

    def _synthesis(self, judge: Judge, question: Question, answer: SystemAnswer) -> Grade:
        reference = question.references[0].text
        said = without_citations(answer.text)
        stated = decompose(judge, question.text, said)
        wanted = self._once(question, "statements", lambda: decompose(judge, question.text, reference))
        facts = self._once(question, "facts", lambda: extract_facts(judge, question.text, reference))
        counts = judge_factuality(judge, question.text, stated, wanted)
        covered = judge_coverage(judge, question.text, facts, said)
        supported = judge_faithfulness(judge, stated, answer.context)
        cosine = None if self._embedder is None else scaled_cosine(said, reference, self._embedder)
        return Grade(
            metrics={
                "factuality_precision": counts.precision,
                "factuality_recall": counts.recall,
                "factuality_f1": counts.f1,
                "scaled_cosine": cosine,
                "composite": None if cosine is None else composite(counts.f1, cosine),
                "coverage": coverage(covered, reference=reference),
                "faithfulness": faithfulness(supported, context=any(map(str.strip, answer.context))),
            },
            details={
                "statements": list(stated),
                "supported": list(supported),
                "covered": list(covered),
                "counts": [counts.true_positives, counts.false_positives, counts.false_negatives],
                "reference_statements": len(wanted),
                **self._cosine_note(),
            },
        )

    def _cosine_note(self) -> dict[str, Any]:
        if self._embedder is None:
            return {}
        fingerprint = self._embedder.fingerprint
        return {"cosine_embedder": fingerprint.name, "cosine_comparable": is_comparable(fingerprint)}

    def _once(self, question: Question, what: str, make: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        key = (question.id, what)
        with self._lock:
            kept = self._kept.get(key)
        if kept is None:
            kept = make()
            with self._lock:
                kept = self._kept.setdefault(key, kept)
        return kept

    def _cited(self, judge: Judge, answer: SystemAnswer) -> Metrics:
        sentences = cited_sentences(answer.text, answer.evidence)
        if not self._citations or not any(sentence.units for sentence in sentences):
            return {}
        given = judge_citations(judge, sentences, self._page_text, room=room(judge, [answer.text]))
        share, support = citation_support(given)
        return {"cited_sentences": share, "citation_support": support}


def _correctness(judge: Judge, question: Question, answer: SystemAnswer) -> Grade:
    given = judge_correctness(judge, question, answer.text)
    mechanical = mechanical_correctness(question, answer.text)
    return Grade(
        verdict=given.verdict.value,
        rationale=given.rationale,
        mechanical=mechanical.value if mechanical else "",
        metrics={"correctness": given.verdict.strict, "correctness_partial": given.verdict.lenient},
    )


def _choice(judge: Judge, question: Question, answer: SystemAnswer) -> Grade:
    given = judge_choice(judge, question, answer.text)
    mechanical = mechanical_choice(question, answer.text)
    return Grade(
        verdict=given.verdict.value,
        selected=given.selected,
        rationale=given.rationale,
        mechanical=mechanical.value if mechanical else "",
        metrics={
            "accuracy": float(given.verdict is Choice.CORRECT),
            "answered": float(given.verdict is not Choice.ABSTAIN),
        },
        details={"consistent": given.consistent(question)},
    )
