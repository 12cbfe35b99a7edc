"""How the extractive model puts its answers: quotations with citations, and plain words on what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vectree.agent.extractive.quotes import Quote
from vectree.agent.naming import citation
from vectree.agent.payloads.search_results import FoundPaper

_NOTICE = "extractive answer: quoted word for word, not written by a language model"


def quoted(quotes: Sequence[Quote], titles: Mapping[str, str]) -> str:
    """Answer with the best sentences.

    Args:
        quotes: Sentences, best first; at least one.
        titles: doc_id to title.

    Returns:
        A lead line and a list.
    """
    documents = list(dict.fromkeys(quote.doc_id for quote in quotes))
    if len(documents) == 1:
        title = titles.get(documents[0], documents[0])
        return "\n".join([f"What “{_inner(title)}” says on this ({_NOTICE}):", "", *map(_item, quotes)])
    lines = [f"What the papers say on this ({_NOTICE}):"]
    for doc_id in documents:
        lines += ["", _paper_line(doc_id, quotes, titles), *(_item(q) for q in quotes if q.doc_id == doc_id)]
    return "\n".join(lines)


def compared(quotes: Sequence[Quote], titles: Mapping[str, str], silent: Sequence[str]) -> str:
    """Answer paper by paper.

    Args:
        quotes: The best sentences of each paper, in the order of the papers; at least one.
        titles: doc_id to title.
        silent: Documents that were read and hold no matching sentence.

    Returns:
        A lead line, then a list for each paper.
    """
    lines = [f"Paper by paper ({_NOTICE}; the comparison is left to you):"]
    for doc_id in dict.fromkeys(quote.doc_id for quote in quotes):
        lines += ["", _paper_line(doc_id, quotes, titles), *(_item(q) for q in quotes if q.doc_id == doc_id)]
    if silent:
        named = ", ".join(f"“{_inner(titles.get(doc_id, doc_id))}” ({doc_id})" for doc_id in silent)
        lines += ["", f"Read without finding a sentence on it: {named}."]
    return "\n".join(lines)


def listed(papers: Sequence[FoundPaper], totals: tuple[int, int], asked: Mapping[str, Any]) -> str:
    """Answer a question about the library.

    Args:
        papers: The papers found.
        totals: How many papers match, and how many there are.
        asked: Query and filters of the search, ``"*"`` for everything.

    Returns:
        The numbers and a line a paper.
    """
    matches, documents = totals
    terms = _terms(asked)
    held = f"The library holds {documents} paper{'' if documents == 1 else 's'}"
    counted = f"; {matches} {terms}" if terms else ""
    if not papers:
        return f"{held}{counted}."
    cut = f", of which the first {len(papers)} are" if len(papers) < matches else ""
    return "\n".join([f"{held}{counted}{cut}:", *(f"- {p.title} ({p.key}, {p.doc_id})" for p in papers)])


def nothing_found(queries: Sequence[str]) -> str:
    """Answer when no paper matches.

    Args:
        queries: What was searched for.

    Returns:
        A plain statement.
    """
    tried = " and ".join(f"“{_inner(query)}”" for query in dict.fromkeys(queries))
    return f"The library has nothing on this: no paper matches {tried}."


def nothing_in_pages(read: Sequence[tuple[str, int]], titles: Mapping[str, str]) -> str:
    """Answer when the pages read hold no matching sentence.

    Args:
        read: (doc_id, page) pairs.
        titles: doc_id to title.

    Returns:
        A plain statement naming what was read.
    """
    if not read:
        return "The closest papers have no readable text on this; nothing can be quoted."
    parts: list[str] = []
    for doc_id in dict.fromkeys(doc_id for doc_id, _ in read):
        pages = [str(page) for document, page in read if document == doc_id]
        noun = "page" if len(pages) == 1 else "pages"
        parts.append(f"“{_inner(titles.get(doc_id, doc_id))}” ({doc_id}), {noun} {', '.join(pages)}")
    return f"No sentence on this was found in the closest papers. Read: {'; '.join(parts)}."


def _terms(asked: Mapping[str, Any]) -> str:
    """What a listing was restricted to, in words."""
    first, last, query = asked.get("year_min"), asked.get("year_max"), str(asked.get("query", "*"))
    years = f"of {first}" if first == last else f"from {first} to {last}"
    if first is None or last is None:
        years = f"from {first} on" if first is not None else f"up to {last}" if last is not None else ""
    by = f"by {asked['author']}" if "author" in asked else ""
    about = f"matching “{_inner(query)}”" if query != "*" else ""
    return " ".join(term for term in (by, years, about) if term)


def _paper_line(doc_id: str, quotes: Sequence[Quote], titles: Mapping[str, str]) -> str:
    key = next(quote.key for quote in quotes if quote.doc_id == doc_id)
    return f"{key}, “{_inner(titles.get(doc_id, doc_id))}”:"


def _item(quote: Quote) -> str:
    return f"- “{_inner(quote.text)}” {citation(quote.key, quote.doc_id, quote.page)}"


def _inner(text: str) -> str:
    """Text for inside quotation marks: its own typographic double quotes become single ones."""
    return text.translate(str.maketrans("“”", "‘’"))
