"""``ExtractiveModel``: search, tree, pages, quote. A fixed policy in the place of a language model.

It is a ``ChatModel`` like any other: it sees the conversation, answers with tool calls or with text, and the
loop counts, checks and records it the same way. It reads observations through the modules that wrote them. It
is deterministic, needs no network, and invents nothing: every sentence it answers with stands on a page it
read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vectree.agent.extractive import wording
from vectree.agent.extractive.pages import MAX_PAGES, WIDER_PERCENT, close_pages, rank_pages
from vectree.agent.extractive.question import Kind, Question, understand
from vectree.agent.extractive.quotes import Quote, choose_quotes, coverage, rank_quotes
from vectree.agent.extractive.transcript import Transcript, read_transcript
from vectree.agent.payloads.page_text import QuotedPage, read_pages
from vectree.agent.payloads.search_results import FoundPaper, read_search, read_totals
from vectree.agent.payloads.section_hits import read_sections
from vectree.errors import ModelRequestError
from vectree.llm.chat import ChatRequest, Reply, ToolCall, Usage
from vectree.words import content_words

_LISTED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractiveSettings:
    """How much the extractive model reads and quotes.

    Attributes:
        shortlist: Results of the search for papers.
        papers: Most papers opened for a question about research.
        compared: Most papers opened for a comparison.
        compared_pages: Pages read in each paper of a comparison, and in a second paper otherwise.
        sections: Sections asked for within a paper.
        pages: Pages read in the first paper otherwise.
        wider: Pages up to which a paper is read on where the nearest pages do not cover the question.
        quotes: Sentences quoted.
        compared_quotes: Sentences quoted from each paper of a comparison.
        relevant: A paper of a comparison is quoted for sentences with this share of the best one's weight.
        enough: Share of the question's weighted words that the quotes must cover; below it the next best pages
            of the paper are read, then the next paper. At 0.4 and 0.5 ten of the twelve LitQA2 questions have
            their page read, at 0.6 eleven; F1 on QASPER (train, 120 questions) is 0.31 each time.
    """

    shortlist: int = 6
    papers: int = 2
    compared: int = 4
    compared_pages: int = 2
    sections: int = 6
    pages: int = MAX_PAGES
    wider: int = 3
    quotes: int = 4
    compared_quotes: int = 2
    relevant: float = 0.4
    enough: float = 0.6


class ExtractiveModel:
    """A chat model with a fixed policy that quotes.

    Args:
        settings: How much it reads and quotes.
    """

    def __init__(self, settings: ExtractiveSettings = ExtractiveSettings()) -> None:
        self._settings = settings

    @property
    def name(self) -> str:
        """Name shown in outputs."""
        return "extractive"

    @property
    def context_window(self) -> int | None:
        """Unbounded."""
        return None

    def complete(self, request: ChatRequest) -> Reply:
        """Decide on the next tool calls, or answer.

        Args:
            request: The conversation so far; must offer tools.

        Returns:
            Tool calls, or an answer made of quotations.

        Raises:
            ModelRequestError: If the request offers no tools, since this model can do nothing else.
        """
        if not request.tools:
            raise ModelRequestError(
                "The extractive model works only through VecTree's tools.", hint="Use a language model here."
            )
        transcript = read_transcript(request.messages)
        return _Plan(transcript, self._settings).next_reply()


class _Plan:
    """What to do next, given what has been seen. Nothing is remembered between replies."""

    def __init__(self, transcript: Transcript, settings: ExtractiveSettings) -> None:
        self._seen = transcript
        self._settings = settings
        self._question: Question = understand(transcript.question)

    def next_reply(self) -> Reply:
        searches = self._seen.of("search_documents")
        if not searches:
            return self._search(self._question.query)
        if self._question.kind is Kind.LIBRARY:
            found = read_search(searches[-1].text)
            totals = read_totals(searches[-1].text)
            return _say(wording.listed(found, totals, searches[-1].arguments))
        papers = read_search(searches[-1].text)
        if papers:
            return self._read(self._shortlisted(papers))
        if len(searches) == 1 and self._question.reformulated not in ("", self._question.query):
            return self._search(self._question.reformulated)
        return _say(wording.nothing_found([str(search.arguments.get("query", "")) for search in searches]))

    def _search(self, query: str) -> Reply:
        listing = self._question.kind is Kind.LIBRARY
        if not listing and not content_words(query):
            return _say("The question holds no word to search for.")
        top_k = _LISTED if listing else self._settings.shortlist
        return self._calls(("search_documents", {"query": query, "top_k": top_k, **self._question.filters}))

    def _shortlisted(self, papers: Sequence[FoundPaper]) -> list[FoundPaper]:
        """The papers to open, in order; for a comparison without supplements of papers already in."""
        if not self._comparing:
            return list(papers[: self._settings.papers])
        chosen: list[FoundPaper] = []
        for paper in papers:
            if not any(paper.doc_id in other.related for other in chosen):
                chosen.append(paper)
        return chosen[: self._settings.compared]

    def _read(self, papers: Sequence[FoundPaper]) -> Reply:
        """Open and read paper by paper; stop as soon as the question's words are covered."""
        read: list[QuotedPage] = []
        for paper in papers:
            if not self._seen.of("search_within_paper", paper.doc_id):
                return self._open(paper)
            wanted = self._pages(paper, read, comparing=len(papers) > 1 and self._comparing)
            if wanted:
                return self._calls(("get_page_content", {"doc_id": paper.doc_id, "pages": wanted}))
            read += self._pages_read(paper)
            if self._question.kind is Kind.RESEARCH and self._covered(read):
                break
        return self._answer(papers, read)

    def _open(self, paper: FoundPaper) -> Reply:
        return self._calls(
            ("get_document_tree", {"doc_id": paper.doc_id}),
            (
                "search_within_paper",
                {"doc_id": paper.doc_id, "query": self._question.query, "top_k": self._settings.sections},
            ),
        )

    def _pages(self, paper: FoundPaper, before: Sequence[QuotedPage], *, comparing: bool) -> str:
        """The next pages to read in a paper; empty once there is nothing to add.

        First those that come near the best one; then, if what was read does not cover the question, the next
        best ones. Without any matching section the paper's first two pages.
        """
        within = self._seen.of("search_within_paper", paper.doc_id)[-1]
        ranked = rank_pages(read_sections(within.text))
        limit = self._settings.compared_pages if comparing or before else self._settings.pages
        asked = len(self._seen.of("get_page_content", paper.doc_id))
        near = close_pages(ranked, limit)
        if asked == 0:
            return ",".join(map(str, near)) or "1-2"
        wider = min(limit, self._settings.wider)
        if asked == 1 and not comparing and not self._covered([*before, *self._pages_read(paper)]):
            return ",".join(map(str, close_pages(ranked, wider, within=WIDER_PERCENT)[len(near) :]))
        return ""

    @property
    def _comparing(self) -> bool:
        return self._question.kind is Kind.COMPARISON

    def _pages_read(self, paper: FoundPaper) -> list[QuotedPage]:
        seen = self._seen.of("get_page_content", paper.doc_id)
        return [page for observation in seen for page in read_pages(observation.text)]

    def _covered(self, read: Sequence[QuotedPage]) -> bool:
        best = choose_quotes(self._ranked(read), self._settings.quotes)
        return coverage(self._question.statement, best, read) >= self._settings.enough

    def _ranked(self, pages: Sequence[QuotedPage]) -> list[Quote]:
        return rank_quotes(self._question.statement, pages, wants_number=self._question.wants_number)

    def _answer(self, papers: Sequence[FoundPaper], read: Sequence[QuotedPage]) -> Reply:
        titles = {paper.doc_id: paper.title for paper in papers}
        ranked = self._ranked(read)
        if not ranked:
            return _say(wording.nothing_in_pages([(page.doc_id, page.number) for page in read], titles))
        if not self._comparing:
            return _say(wording.quoted(choose_quotes(ranked, self._settings.quotes), titles))
        floor = self._settings.relevant * ranked[0].weight
        by_paper = {
            doc_id: [quote for quote in ranked if quote.doc_id == doc_id and quote.weight >= floor]
            for doc_id in dict.fromkeys(page.doc_id for page in read)
        }
        chosen = [choose_quotes(quotes, self._settings.compared_quotes) for quotes in by_paper.values()]
        silent = [doc_id for doc_id, quotes in by_paper.items() if not quotes]
        return _say(wording.compared([quote for quotes in chosen for quote in quotes], titles, silent))

    def _calls(self, *wanted: tuple[str, dict[str, Any]]) -> Reply:
        first = len(self._seen.observations) + 1
        return Reply(
            tool_calls=tuple(
                ToolCall(id=f"extractive-{number}", name=name, arguments=json.dumps(arguments))
                for number, (name, arguments) in enumerate(wanted, start=first)
            ),
            usage=Usage(cost=0.0),
        )


def _say(text: str) -> Reply:
    return Reply(text=text, usage=Usage(cost=0.0))
