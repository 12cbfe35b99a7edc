"""QASPER: the official file, and the columnar form in which data hubs hand it out.

Gold answers are read in the order of the official evaluator: unanswerable, extractive spans, free form, yes
or no. A question's stratum is the type of its first annotator's answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel

from vectree.errors import UsageError
from vectree.evaluate.datasets.dataset import Dataset, DocumentHint
from vectree.evaluate.datasets.json_file import parse_json, read_rows, read_text, validated
from vectree.evaluate.datasets.qasper_evidence import EvidenceMap
from vectree.evaluate.records import Benchmark, Grading, Question, Reference
from vectree.ingest.parsers.qasper.paper import QasperPaper, make_paper

UNANSWERABLE = "Unanswerable"
"""How the official evaluator writes the answer to a question that the paper does not answer."""


class _Answer(BaseModel):
    unanswerable: bool = False
    extractive_spans: list[str] = []
    yes_no: bool | None = None
    free_form_answer: str = ""
    evidence: list[str] = []


class _Annotation(BaseModel):
    answer: _Answer


class _Question(BaseModel):
    question: str
    question_id: str
    answers: list[_Annotation]


class _Section(BaseModel):
    section_name: str | None = None
    paragraphs: list[str] = []


class _Paper(BaseModel):
    title: str = ""
    abstract: str = ""
    full_text: list[_Section] = []
    qas: list[_Question] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Qasper:
    """A QASPER file.

    Attributes:
        papers: In the order of the file.
        dataset: Its questions; documents are named by arXiv id.
        unmapped: Evidence strings that were found in no paragraph.
        floats: Evidence strings that point at figures or tables.
    """

    papers: tuple[QasperPaper, ...]
    dataset: Dataset
    unmapped: int
    floats: int


def read_qasper(path: Path) -> Qasper:
    """Read a QASPER file.

    Args:
        path: The official JSON object, a JSON array or JSON Lines of columnar rows; plain or gzipped.

    Returns:
        Papers and questions. Questions about papers without any text are left out, with a warning. A file
        that is none of these raises `UsageError`.
    """
    papers: list[QasperPaper] = []
    questions: dict[str, Question] = {}
    warnings: list[str] = []
    unmapped = floats = 0
    for key, row in _rows(path):
        parsed = validated(_Paper, _official(row), path, f"paper {key}")
        paper = make_paper(
            key,
            title=parsed.title,
            abstract=parsed.abstract,
            named=[(section.section_name, section.paragraphs) for section in parsed.full_text],
        )
        papers.append(paper)
        if not any(page.section >= 0 for page in paper.pages):
            warnings.append(f"Paper {key} has no body text; its {len(parsed.qas)} questions are left out.")
            continue
        evidence = EvidenceMap(paper)
        for asked in parsed.qas:
            mapped = [evidence.find(tuple(given.answer.evidence)) for given in asked.answers]
            unmapped += sum(len(found.unmapped) for found in mapped)
            floats += sum(found.floats for found in mapped)
            pages = [None if found.floats and not found.pages else found.pages for found in mapped]
            questions.setdefault(asked.question_id, _question(paper.id, asked, pages))
    dataset = Dataset(
        benchmark=Benchmark.QASPER,
        questions=tuple(questions.values()),
        documents={paper.id: DocumentHint(source=f"#{paper.id}", title=paper.title) for paper in papers},
        warnings=tuple(warnings),
    )
    return Qasper(papers=tuple(papers), dataset=dataset, unmapped=unmapped, floats=floats)


def gold_answer(answer: dict[str, Any]) -> tuple[str, str]:
    """Read one annotator's answer as the official evaluator does.

    Args:
        answer: The ``answer`` object of an annotation.

    Returns:
        The text, and its type: ``"none"``, ``"extractive"``, ``"abstractive"``, ``"boolean"``; both empty if
        the annotation holds no answer at all.
    """
    return _gold(_Answer.model_validate(answer))


def _gold(answer: _Answer) -> tuple[str, str]:
    if answer.unanswerable:
        return UNANSWERABLE, "none"
    if answer.extractive_spans:
        return ", ".join(answer.extractive_spans), "extractive"
    if answer.free_form_answer:
        return answer.free_form_answer, "abstractive"
    if answer.yes_no is not None:
        return ("Yes" if answer.yes_no else "No"), "boolean"
    return "", ""


def _question(key: str, asked: _Question, pages: list[frozenset[int] | None]) -> Question:
    references: list[Reference] = []
    for annotation, found in zip(asked.answers, pages, strict=True):
        text, kind = _gold(annotation.answer)
        if not kind:
            continue
        gold = None if found is None else frozenset((key, page) for page in found)
        quotes = tuple(annotation.answer.evidence)
        if kind == "none":
            gold, quotes = frozenset[tuple[str, int]](), ()
        references.append(Reference(text=text, kind=kind, evidence=gold, quotes=quotes))
    return Question(
        id=asked.question_id,
        text=asked.question.strip(),
        benchmark=Benchmark.QASPER,
        grading=Grading.CORRECTNESS,
        kind=references[0].kind if references else "",
        references=tuple(references),
        scope=frozenset({key}),
        documents=frozenset({key}),
    )


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Key and object of every paper, whatever the form of the file."""
    text = read_text(path)
    if text.lstrip().startswith("{") and not _is_lines(text):
        value: dict[str, Any] = parse_json(text, path)
        if "full_text" not in value:
            for key, row in value.items():
                if not isinstance(row, dict):
                    raise UsageError(f"{path.name}: {key!r} is no paper of QASPER.")
                yield key, cast("dict[str, Any]", row)
            return
    for number, row in enumerate(read_rows(path), start=1):
        if "id" not in row or "full_text" not in row:
            raise UsageError(f"{path.name}, row {number}: expected the fields 'id' and 'full_text'.")
        yield str(row["id"]), row


def _is_lines(text: str) -> bool:
    """Whether the first line is an object of its own: JSON Lines."""
    first, _, rest = text.strip().partition("\n")
    return bool(rest) and first.rstrip().endswith("}") and '"full_text"' in first


def _official(row: dict[str, Any]) -> dict[str, Any]:
    """Bring a row from columns to lists of objects; rows in the official form stay as they are."""
    return {
        **row,
        "full_text": _zipped(row.get("full_text")),
        "qas": [
            {**asked, "answers": [_annotation(each) for each in _zipped(asked.get("answers"))]}
            for asked in _zipped(row.get("qas"))
        ],
    }


def _annotation(each: dict[str, Any]) -> dict[str, Any]:
    return each if "answer" in each else {"answer": each}


def _zipped(columns: Any) -> list[dict[str, Any]]:
    """``{"a": [1, 2], "b": [3, 4]}`` as ``[{"a": 1, "b": 3}, {"a": 2, "b": 4}]``; a list stays a list."""
    if not isinstance(columns, dict):
        return list(columns or [])
    values = cast("dict[str, Any]", columns)
    named: dict[str, list[Any]] = {key: value for key, value in values.items() if isinstance(value, list)}
    length = max((len(values) for values in named.values()), default=0)
    return [{key: values[i] for key, values in named.items() if i < len(values)} for i in range(length)]
