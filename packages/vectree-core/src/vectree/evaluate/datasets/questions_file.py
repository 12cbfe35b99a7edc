"""MOSAIC-format sets and a user's own questions: one JSON object a line.

::

    {"id": "q1", "type": "comparison", "question": "…", "answer": "…", "reasoning_chain": ["…"],
     "evidence": [{"doc_id": "lee-2021-3fa9", "page": 4, "quote": "…"}]}

Required are ``question`` and one of ``answer``, ``answers``. A document may be named by ``doc_id``, DOI,
source path or content hash. A user's own file may also have:

* ``answers``: several references, any of which suffices,
* ``options`` with ``correct`` (the text, the letter or the position from 0 of the right one): multiple
  choice,
* ``documents``: the only papers to look at,
* ``grading``: ``"correctness"``, ``"choice"`` or ``"synthesis"``; by default what the fields suggest.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import AliasChoices, BaseModel, Field

from vectree.errors import UsageError
from vectree.evaluate.datasets.dataset import Dataset, DocumentHint
from vectree.evaluate.datasets.json_file import read_rows, validated
from vectree.evaluate.records import (
    INSUFFICIENT,
    Benchmark,
    EvidenceSet,
    Grading,
    Question,
    Reference,
    letter,
)

SYNTHESIS_KINDS = ("inference", "aggregation", "comparison")
_KIND_NAMES = {"aggregate": "aggregation", "compare": "comparison", "multi-hop inference": "inference"}
_MAX_OPTIONS = 25


class _Evidence(BaseModel):
    doc_id: str
    page: int = Field(ge=1)
    quote: str = ""


class _Row(BaseModel):
    id: str = Field(default="", coerce_numbers_to_str=True)
    type: str = Field(default="", validation_alias=AliasChoices("type", "kind"))
    question: str = Field(min_length=1)
    answer: str = Field(default="", validation_alias=AliasChoices("answer", "reference", "reference_answer"))
    answers: list[str] = []
    reasoning_chain: list[str] = Field(default=[], validation_alias=AliasChoices("reasoning_chain", "chain"))
    evidence: list[_Evidence] | None = None
    options: list[str] = []
    correct: str | int | None = None
    documents: list[str] | None = None
    grading: Grading | None = None


def read_questions(path: Path, *, benchmark: Benchmark = Benchmark.OWN) -> Dataset:
    """Read a MOSAIC-format set or a user's own questions.

    Args:
        path: JSON Lines or a JSON array.
        benchmark: ``MOSAIC`` grades every question by synthesis; ``OWN`` by what its fields suggest.

    Returns:
        The questions, documents named as in the file.

    Raises:
        UsageError: If a question cannot be used, or an id occurs twice.
    """
    questions: dict[str, Question] = {}
    for number, raw in enumerate(read_rows(path), start=1):
        where = f"row {number}"
        row = validated(_Row, {key: value for key, value in raw.items() if value is not None}, path, where)
        question = _question(row, benchmark, number, path)
        if question.id in questions:
            raise UsageError(f"{path.name}, {where}: the id {question.id!r} occurs twice.")
        questions[question.id] = question
    named: set[str] = set()
    for question in questions.values():
        named |= question.documents | (question.scope or frozenset())
    return Dataset(
        benchmark=benchmark,
        questions=tuple(questions.values()),
        documents={doc: DocumentHint(doi=doc, source=doc, sha256=doc) for doc in sorted(named)},
    )


def _question(row: _Row, benchmark: Benchmark, number: int, path: Path) -> Question:
    where = f"{path.name}, row {number}"
    evidence = _evidence(row)
    options, gold, unsure = _options(row, where)
    texts = [*row.answers, *([row.answer] if row.answer.strip() else [])]
    if gold is not None and not texts:
        texts = [options[gold]]
    if not texts:
        raise UsageError(f"{where}: a question needs an 'answer' or 'answers'.")
    kind = _KIND_NAMES.get(row.type.strip().lower(), row.type.strip().lower())
    quotes = tuple(item.quote for item in row.evidence or () if item.quote.strip())
    chain = tuple(row.reasoning_chain)
    return Question(
        id=row.id or f"{number}",
        text=row.question.strip(),
        benchmark=benchmark,
        grading=_grading(row, benchmark, kind, where),
        kind=kind,
        references=tuple(
            Reference(text=text, evidence=evidence, quotes=quotes, chain=chain) for text in texts
        ),
        options=options,
        gold_option=gold,
        unsure_option=unsure,
        scope=None if row.documents is None else frozenset(row.documents),
        documents=frozenset(doc for doc, _ in evidence or ()),
    )


def _evidence(row: _Row) -> EvidenceSet | None:
    return None if row.evidence is None else frozenset((item.doc_id, item.page) for item in row.evidence)


def _grading(row: _Row, benchmark: Benchmark, kind: str, where: str) -> Grading:
    if benchmark is Benchmark.MOSAIC:
        return Grading.SYNTHESIS
    if row.grading is Grading.CHOICE and not row.options:
        raise UsageError(f"{where}: grading 'choice' needs 'options' and 'correct'.")
    if row.grading is not None:
        return row.grading
    if row.options:
        return Grading.CHOICE
    return Grading.SYNTHESIS if kind in SYNTHESIS_KINDS else Grading.CORRECTNESS


def _options(row: _Row, where: str) -> tuple[tuple[str, ...], int | None, int | None]:
    """Options as given, with that of insufficient information; the right one and that one."""
    if not row.options:
        return (), None, None
    if len(row.options) > _MAX_OPTIONS or len(set(row.options)) < len(row.options):
        raise UsageError(f"{where}: there may be {_MAX_OPTIONS} options, each different from the others.")
    options = tuple(row.options)
    lowered = [option.strip().rstrip(".").lower() for option in options]
    if INSUFFICIENT.lower() not in lowered:
        options, lowered = (*options, INSUFFICIENT), [*lowered, INSUFFICIENT.lower()]
    return options, _position(row.correct, options, where), lowered.index(INSUFFICIENT.lower())


def _position(correct: str | int | None, options: tuple[str, ...], where: str) -> int:
    named: dict[Any, int] = {letter(index): index for index in range(len(options))}
    named |= {index: index for index in range(len(options))}
    named |= {option: index for index, option in enumerate(options)}
    if correct not in named:
        raise UsageError(f"{where}: 'correct' must be the text, letter or position of one of the options.")
    return named[correct]
