"""A drafted question, and how a model is asked for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from vectree.evaluate.judges.quoting import numbered, quoted
from vectree.evaluate.mosaic.desk import Desk
from vectree.evaluate.mosaic.settings import Kind
from vectree.evaluate.mosaic.sources import Source
from vectree.evaluate.records import EvidenceSet
from vectree.prompts import template


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """A piece of evidence.

    Attributes:
        doc_id: The paper; empty if the draft named one that was not shown.
        page: The page.
        quote: What it says there.
    """

    doc_id: str
    page: int
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A question with its reference.

    Attributes:
        kind: What it asks for.
        question: The question.
        answer: The reference answer.
        chain: Steps that lead to it.
        evidence: Where it comes from.
    """

    kind: Kind
    question: str
    answer: str
    chain: tuple[str, ...]
    evidence: tuple[Quoted, ...]

    @property
    def units(self) -> EvidenceSet:
        """Papers and pages of the evidence."""
        return frozenset((item.doc_id, item.page) for item in self.evidence)

    @property
    def papers(self) -> tuple[str, ...]:
        """Papers of the evidence, each once, in order."""
        return tuple(dict.fromkeys(item.doc_id for item in self.evidence))

    def as_row(self, identifier: str) -> dict[str, Any]:
        """Write it in the MOSAIC format.

        Args:
            identifier: Its id.

        Returns:
            One row of a set, as `datasets.questions_file` reads it.
        """
        return {
            "id": identifier,
            "type": self.kind.value,
            "question": self.question,
            "answer": self.answer,
            "reasoning_chain": list(self.chain),
            "evidence": [
                {"doc_id": item.doc_id, "page": item.page, "quote": item.quote} for item in self.evidence
            ],
        }


class _Evidence(BaseModel):
    paper: int
    page: int
    quote: str


class _Reply(BaseModel):
    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    reasoning_chain: list[str] = []
    evidence: list[_Evidence]


def write_draft(desk: Desk, kind: Kind, sources: Sequence[Source], *, known: Sequence[str] = ()) -> Draft:
    """Have a question drafted.

    Args:
        desk: Who drafts.
        kind: What the question asks for.
        sources: What it may be drafted from.
        known: Questions that were drafted from these papers before, to be different from.

    Returns:
        The draft; `ModelReplyError` says that there was no usable reply.
    """
    reply = desk.draft(
        "mosaic_draft",
        _Reply,
        task=template(f"mosaic_{kind.value}"),
        sources=shown(sources),
        known=quoted(numbered(known)) if known else "(none)",
    )
    return _draft(kind, sources, reply)


def repair_draft(desk: Desk, draft: Draft, sources: Sequence[Source], fault: str) -> Draft:
    """Have a draft repaired.

    Args:
        desk: Who drafts.
        draft: What failed a check.
        sources: What it was drafted from.
        fault: What the check found.

    Returns:
        Another draft of the same kind; `ModelReplyError` says that there was no usable reply.
    """
    numbers = {source.doc_id: source.number for source in sources}
    evidence = [
        f"Paper {numbers.get(item.doc_id, '?')}, page {item.page}: {item.quote}" for item in draft.evidence
    ]
    reply = desk.draft(
        "mosaic_repair",
        _Reply,
        task=template(f"mosaic_{draft.kind.value}"),
        sources=shown(sources),
        question=quoted(draft.question),
        answer=quoted(draft.answer),
        chain=quoted(numbered(draft.chain)),
        evidence=quoted("\n".join(evidence)),
        fault=quoted(fault),
    )
    return _draft(draft.kind, sources, reply)


def shown(sources: Sequence[Source]) -> str:
    """Quote papers.

    Args:
        sources: The papers.

    Returns:
        All their pages, each under its number.
    """
    return "\n\n".join(source.shown for source in sources)


def _draft(kind: Kind, sources: Sequence[Source], reply: _Reply) -> Draft:
    names = {source.number: source.doc_id for source in sources}
    return Draft(
        kind=kind,
        question=" ".join(reply.question.split()),
        answer=reply.answer.strip(),
        chain=tuple(" ".join(step.split()) for step in reply.reasoning_chain if step.strip()),
        evidence=tuple(
            Quoted(doc_id=names.get(item.paper, ""), page=item.page, quote=" ".join(item.quote.split()))
            for item in reply.evidence
        ),
    )
