"""The one model call of a retrieval baseline: passages in, an answer with citations out (§4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from vectree.agent.citations import check_citations, uncited_sentences
from vectree.agent.library import Library
from vectree.agent.naming import citation, cite_key
from vectree.errors import ModelReplyError, UnknownDocument
from vectree.evaluate.records import RETRIEVAL_ONLY, Question, SystemAnswer
from vectree.evaluate.systems.chunk_index import units_in_order
from vectree.evaluate.systems.chunks import Passage
from vectree.evidence import RunUsage
from vectree.fence import fence_for
from vectree.llm.chat import ChatModel, ChatRequest, Message, Reply, Role
from vectree.prompts import fill

_PAPERS_NAMED = 8
"""Papers named at the head of a summary that spans more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """What a baseline hands to the model.

    Attributes:
        chunks: Best first.
        seconds: Finding them took.
    """

    chunks: tuple[Passage, ...]
    seconds: float


def prompt(question: Question, chunks: Sequence[Passage], library: Library) -> str:
    """Write the request.

    Args:
        question: The question.
        chunks: Passages in the order to show.
        library: Names authors and years.

    Returns:
        The passages and the question.
    """
    return fill("eval_rag", passages=passages(chunks, library), question=question.asked)


def passages(chunks: Sequence[Passage], library: Library) -> str:
    """Quote passages.

    Args:
        chunks: Passages in the order to show.
        library: Names authors and years.

    Returns:
        Passages between marks they do not contain, each with the form of its citation.
    """
    mark = fence_for([chunk.text for chunk in chunks])
    blocks = [
        f"Passage {number}, {_origin(library, chunk)}. <<{mark}\n{chunk.text}\n{mark}>>"
        for number, chunk in enumerate(chunks, start=1)
    ]
    return "\n".join(blocks) or "(none)"


def write_answer(
    question: Question, retrieved: Retrieved, *, library: Library, model: ChatModel | None
) -> SystemAnswer:
    """Answer from passages.

    Args:
        question: The question.
        retrieved: The passages.
        library: The corpus.
        model: Writes; ``None`` to leave it at retrieval.

    Returns:
        The answer; its evidence is every page that a passage spans.

    Raises:
        ModelReplyError: If the model says nothing.
    """
    units = units_in_order(retrieved.chunks)
    text, usage, stopped = "", RunUsage(), RETRIEVAL_ONLY
    if model is not None:
        said = Message(role=Role.USER, text=prompt(question, retrieved.chunks, library))
        reply = model.complete(ChatRequest(messages=(said,)))
        text, usage, stopped = reply.text.strip(), _usage(reply), "final"
        if not text:
            raise ModelReplyError("The model gave an empty answer.")
    read = frozenset(units)
    return SystemAnswer(
        text=text,
        evidence=read,
        context=tuple(chunk.text for chunk in retrieved.chunks),
        usage=usage,
        citations=check_citations(text, read=read, total_pages=lambda doc_id: _total(library, doc_id)),
        uncited=uncited_sentences(text, read=read),
        retrieval_seconds=retrieved.seconds,
        stopped=stopped,
        ranking=units,
        details={"passages": len(retrieved.chunks)},
    )


def _usage(reply: Reply) -> RunUsage:
    return RunUsage(
        prompt_tokens=reply.usage.prompt_tokens,
        completion_tokens=reply.usage.completion_tokens,
        cached_tokens=reply.usage.cached_tokens,
        model_calls=1,
        cost=reply.usage.cost,
    )


def _origin(library: Library, chunk: Passage) -> str:
    """Pages and form of citation; of the first few papers, where a summary spans many."""
    pages: dict[str, list[int]] = {}
    for doc_id, page in chunk.units:
        pages.setdefault(doc_id, []).append(page)
    named = [
        f"{_pages(numbers)}. Cite as {_form(library, doc_id)}"
        for doc_id, numbers in islice(pages.items(), _PAPERS_NAMED)
    ]
    more = len(pages) - len(named)
    return "; ".join(named) + (f"; and {more} more papers" if more else "")


def _pages(numbers: Sequence[int]) -> str:
    first, last = min(numbers), max(numbers)
    return f"page {first}" if first == last else f"pages {first}-{last}"


def _form(library: Library, doc_id: str) -> str:
    about = library.record(doc_id).metadata
    return citation(cite_key(about.authors, about.year), doc_id, "N")


def _total(library: Library, doc_id: str) -> int | None:
    try:
        return library.record(doc_id).total_pages
    except UnknownDocument:
        return None
