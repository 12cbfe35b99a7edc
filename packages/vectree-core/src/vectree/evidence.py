"""The nouns of a result: search hits, the evidence of a run, checked citations, the answer.

No field is called ``score``: ``similarity`` is a cosine, ``bm25`` a BM25 score, ``rrf`` a reciprocal rank
fusion value, ``confidence`` a share of passing nodes. All numbers are plain Python floats.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from vectree.document import PageRange


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Restrictions applied before ranking.

    Attributes:
        year_min: Earliest year, inclusive.
        year_max: Latest year, inclusive.
        journal: Case- and accent-insensitive part of the journal's name.
        author: Case- and accent-insensitive part of an author's name.
    """

    year_min: int | None = None
    year_max: int | None = None
    journal: str | None = None
    author: str | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing is restricted."""
        return self == Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionHit:
    """A section that matches a query.

    Attributes:
        node_id: The node in the document's tree.
        title: Number and title.
        path: Titles from the top-level section down to this one, joined by " > ".
        pages: Covering page range.
        similarity: Cosine of query and section entry; ``None`` where no vector exists.
        bm25: BM25 score, 0 where no term matches.
        likely_pages: Pages of the range on which the query's terms concentrate, best first.
        likely_shares: How near each of them comes to the best page of the document, which has 1; empty where
            that is not known.
    """

    node_id: str
    title: str
    path: str
    pages: PageRange
    similarity: float | None
    bm25: float
    rrf: float = 0.0
    likely_pages: tuple[int, ...] = ()
    likely_shares: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A document found by search (§3.4).

    Attributes:
        doc_id: The document.
        title: Its title.
        authors: Its authors in order.
        journal: Its venue.
        year: Its year.
        total_pages: Number of physical pages.
        description: One sentence.
        related_documents: Supplements, or the paper this supplements.
        rrf: Fused value; 0 in a listing.
        similarity: Best cosine over the document entry and its section entries; ``None`` in a listing.
        bm25: Best BM25 over the same.
        best_entry: ``"document"`` or the node id of the section entry with the best similarity.
        sections: Matching sections, best first.
    """

    doc_id: str
    title: str
    authors: tuple[str, ...]
    journal: str | None
    year: int | None
    total_pages: int
    description: str
    related_documents: tuple[str, ...]
    rrf: float
    similarity: float | None
    bm25: float
    best_entry: str
    sections: tuple[SectionHit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What a search returned.

    Attributes:
        query: The query as given.
        hits: One page of results, best first.
        total_matches: How many documents matched before paging.
        total_documents: How many documents the corpus holds.
        excluded_unknown: How many documents a filter excluded because they lack the field it asks about.
        note: A sentence for the reader, e.g. why nothing was found; may be empty.
    """

    query: str
    hits: tuple[SearchHit, ...]
    total_matches: int
    total_documents: int
    excluded_unknown: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Evidence:
    """A page that was read, and the deepest section it belongs to.

    Attributes:
        doc_id: The document.
        page: Physical page.
        node_id: The section; empty if unknown.
    """

    doc_id: str
    page: int
    node_id: str = ""


class CitationStatus(StrEnum):
    """What is known of a citation: the page was read, exists but was not read, does not exist, or no such document."""

    READ = "read"
    UNREAD = "unread"
    NO_SUCH_PAGE = "no_such_page"
    UNKNOWN_DOCUMENT = "unknown_document"


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A citation found in an answer.

    Attributes:
        doc_id: The document named.
        page: The page named.
        status: What is known of it.
        text: The citation as written.
    """

    doc_id: str
    page: int
    status: CitationStatus
    text: str = ""

    @property
    def read(self) -> bool:
        """Whether the cited page was read in this run."""
        return self.status is CitationStatus.READ


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfoundNumber:
    """A number of an answer that stands on none of the pages its sentence cites.

    Attributes:
        number: As written, in plain characters.
        sentence: The sentence it stands in.
        pages: (doc_id, page) pairs that the sentence cites and that were read.
    """

    number: str
    sentence: str
    pages: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One tool call of a run, in order.

    Attributes:
        round: Round of the loop, from 1.
        call: Ordinal of the call in the run, from 1; every issued call counts.
        tool: Name as issued, known or not.
        layer: Disclosure layer 0, 1 or 2; ``None`` for an unknown tool.
        arguments: As validated, or as written if they could not be.
        tokens: Size of the payload returned.
        error: What went wrong, for the model; empty if nothing.
        sources: (doc_id, page) pairs whose text or figure the call returned.
    """

    round: int
    call: int
    tool: str
    layer: int | None
    arguments: dict[str, Any]
    tokens: int
    error: str = ""
    sources: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunUsage:
    """What a run cost.

    Attributes:
        prompt_tokens: Tokens sent, summed over model calls.
        completion_tokens: Tokens generated.
        cached_tokens: Part of the prompt tokens served from a prefix cache.
        model_calls: Number of calls to the model.
        cost: Money in US dollars; ``None`` where the price is unknown, never 0 for unknown.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    model_calls: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a question, and how it came about.

    Attributes:
        question: As asked.
        text: The answer.
        citations: Every citation in the text, checked.
        uncited: Sentences of the text that carry no checked citation.
        evidence: Pages that were read, in document order.
        trajectory: Tool calls in order.
        usage: What it cost.
        stopped: ``"final"`` if the model answered; if its last text was taken, why: ``"round limit"``,
            ``"empty reply"`` or ``"cancelled"``.
        model: Name of the model.
        titles: Titles of the documents that were read or cited.
        unfound: Numbers that the pages cited for them do not hold.
        navigation: The part of ``usage`` that went to the navigation model; ``None`` if there was none.
        saved_tokens: Tokens of old page texts that compaction kept from being sent again, summed over calls.
    """

    question: str
    text: str
    citations: tuple[Citation, ...]
    uncited: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    trajectory: tuple[Step, ...]
    usage: RunUsage
    stopped: str
    model: str
    titles: dict[str, str] = field(default_factory=lambda: dict[str, str]())
    unfound: tuple[UnfoundNumber, ...] = ()
    navigation: RunUsage | None = None
    saved_tokens: int = 0

    @property
    def no_evidence(self) -> bool:
        """Whether no page was read for it, nor one that it cites before: nothing in the text can be checked."""
        return not self.evidence and not any(citation.read for citation in self.citations)
