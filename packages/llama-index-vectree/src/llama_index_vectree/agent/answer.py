"""The answer of a run, with its citations checked against the pages read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, TypedDict

from vectree.agent.citations import check_citations, uncited_sentences
from vectree.agent.library import Library
from vectree.agent.number_check import unfound_numbers
from vectree.agent.trajectory import evidence, pages_read, step_data
from vectree.errors import UnknownDocument
from vectree.evidence import RunUsage, Step


class AnswerData(TypedDict):
    """What ``vectree_answer`` of the last event holds: `vectree.Answer` as plain JSON.

    ``stopped`` is ``"final"`` if the model answered; if its last text was taken, it says why.
    """

    question: str
    text: str
    citations: list[dict[str, Any]]
    uncited: list[str]
    unfound: list[dict[str, Any]]
    evidence: list[dict[str, Any]]
    trajectory: list[dict[str, Any]]
    usage: dict[str, Any]
    stopped: str
    rounds: int
    calls: int
    model: str
    titles: dict[str, str]


def checked_answer(
    library: Library,
    question: str,
    text: str,
    steps: Sequence[Step],
    *,
    usage: RunUsage,
    stopped: str,
    rounds: int,
    calls: int,
    model: str,
) -> AnswerData:
    """Check an answer.

    Args:
        library: The corpus.
        question: As asked.
        text: The answer.
        steps: Tool calls of the run, in order.
        usage: What it cost.
        stopped: Why the run ended.
        rounds: Replies of the model.
        calls: Calls it issued.
        model: Name of the model.

    Returns:
        The answer.
    """
    read = frozenset(pages_read(steps))
    citations = check_citations(text, read=read, total_pages=lambda doc_id: _total_pages(library, doc_id))
    unfound = unfound_numbers(text, read=read, page=lambda doc_id, page: library.pages(doc_id, [page])[0])
    found = evidence(steps, library)
    documents = dict.fromkeys([*(item.doc_id for item in found), *(item.doc_id for item in citations)])
    return AnswerData(
        question=question,
        text=text,
        citations=[asdict(item) | {"status": item.status.value} for item in citations],
        uncited=list(uncited_sentences(text, read=read)),
        unfound=[asdict(item) | {"pages": [list(page) for page in item.pages]} for item in unfound],
        evidence=[asdict(item) for item in found],
        trajectory=[step_data(step) for step in steps],
        usage=asdict(usage),
        stopped=stopped,
        rounds=rounds,
        calls=calls,
        model=model,
        titles={doc_id: title for doc_id in documents if (title := _title(library, doc_id))},
    )


def _total_pages(library: Library, doc_id: str) -> int | None:
    try:
        return library.record(doc_id).total_pages
    except UnknownDocument:
        return None


def _title(library: Library, doc_id: str) -> str:
    try:
        return library.record(doc_id).metadata.title
    except UnknownDocument:
        return ""
