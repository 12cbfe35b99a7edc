"""What the pages that were read say about an answer: one set of checks, whoever ran the loop (§4.3)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from vectree.agent.citations import check_citations, uncited_sentences
from vectree.agent.library import Library
from vectree.agent.number_check import unfound_numbers
from vectree.agent.trajectory import evidence, pages_read
from vectree.errors import UnknownDocument
from vectree.evidence import Citation, Evidence, Step, UnfoundNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The outcome; `vectree.evidence.Answer` describes the fields.

    Attributes:
        citations: Each resolved, in the order of the text.
        uncited: Sentences without a citation of a page that was read.
        unfound: Numbers that the pages cited for them do not hold.
        evidence: Pages that were read.
        titles: ``doc_id`` → title of every paper read or cited that is still there.
    """

    citations: tuple[Citation, ...]
    uncited: tuple[str, ...]
    unfound: tuple[UnfoundNumber, ...]
    evidence: tuple[Evidence, ...]
    titles: dict[str, str]


def check_text(
    library: Library, text: str, steps: Sequence[Step], before: Set[tuple[str, int]] = frozenset()
) -> Checked:
    """Check an answer against what its run has read.

    Args:
        library: The corpus.
        text: The answer.
        steps: Tool calls of the run, in order.
        before: (doc_id, page) pairs read earlier in a conversation; they may be cited, but are no evidence of
            this run.

    Returns:
        The outcome.
    """
    read = frozenset(pages_read(steps)) | before
    citations = check_citations(text, read=read, total_pages=lambda doc_id: _total_pages(library, doc_id))
    found = evidence(steps, library)
    documents = dict.fromkeys([*(item.doc_id for item in found), *(item.doc_id for item in citations)])
    return Checked(
        citations=citations,
        uncited=uncited_sentences(text, read=read),
        unfound=unfound_numbers(text, read=read, page=lambda doc_id, page: library.pages(doc_id, [page])[0]),
        evidence=found,
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
