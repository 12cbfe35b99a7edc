"""The payload of ``search_documents``: at most 100 tokens a result (Table 1 estimates 50; see the design).

::

    12 of 41 papers match. Results 1-10; next: offset=10.
    1. berg2024-3f9a (2024) Stable electrolytes above 80 °C
       by M. van den Berg, J. Li, A. Moreno and 4 more | J. Power Sources | 12 pages
       about: A polymer electrolyte keeps its conductivity …
       sections: 0004 p.4-5 3.2 Conductivity | 0007 p.6 4 Discussion
       related: berg2024-77aa
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from vectree.agent.naming import short_authors, surname
from vectree.evidence import Filters, SearchHit, SearchResult
from vectree.tokens import CHARACTERS_PER_TOKEN
from vectree.tree.outline import clip

MAX_TOKENS_PER_RESULT = 100
_MAX_CHARACTERS = MAX_TOKENS_PER_RESULT * CHARACTERS_PER_TOKEN
_MAX_RELATED = 3
_MAX_AUTHORS = 25

_BUDGETS = ((3, 120), (3, 80), (2, 80), (1, 60), (1, 0), (0, 0))
"""Sections and characters of the description, tried in turn until a result fits."""

_SEPARATOR = " | "
_HEAD = re.compile(r"(\d+)\. (\S+) \((\d{1,4}|n\.d\.)\) (.*)")
_TOTALS = re.compile(r"(\d+) of (\d+) papers match\b")
_BY = "   by "
_SECTIONS = "   sections: "
_RELATED = "   related: "
_SECTION = re.compile(r"(\S+) p\.(\d+)(?:-(\d+))? (.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPaper:
    """A result as read back from the payload.

    Attributes:
        doc_id: The document.
        title: Its title, perhaps clipped.
        key: Author and year, as in a citation.
        sections: Ids of the matching sections shown.
        related: ``doc_id`` of related documents.
    """

    doc_id: str
    title: str
    key: str
    sections: tuple[str, ...] = ()
    related: tuple[str, ...] = ()


def render_search(result: SearchResult, filters: Filters, offset: int) -> str:
    """Write a page of results for a model.

    Args:
        result: What the search returned.
        filters: The restrictions that were applied.
        offset: How many results were skipped.

    Returns:
        A line on the whole, then up to five lines a result.
    """
    lines = [_summary(result, filters, offset)]
    lines += [_result(number, hit) for number, hit in enumerate(result.hits, start=offset + 1)]
    return "\n".join(lines)


def read_search(text: str) -> tuple[FoundPaper, ...]:
    """Read the results back from a payload.

    Args:
        text: What ``render_search`` wrote, perhaps with a note after it.

    Returns:
        The results in order.
    """
    found: list[FoundPaper] = []
    for line in text.split("\n"):
        if head := _HEAD.fullmatch(line):
            found.append(FoundPaper(doc_id=head[2], title=head[4], key=f"Anon., {head[3]}"))
        elif found:
            found[-1] = _with_line(found[-1], line)
    return tuple(found)


def _with_line(paper: FoundPaper, line: str) -> FoundPaper:
    if line.startswith(_BY):
        names = line.removeprefix(_BY).split(_SEPARATOR)[0]
        year = paper.key.rsplit(", ", 1)[1]
        others = " et al." if ", " in names or " and " in names else ""
        return replace(paper, key=f"{surname(names.split(', ')[0])}{others}, {year}")
    if line.startswith(_SECTIONS):
        pieces = line.removeprefix(_SECTIONS).split(_SEPARATOR)
        ids = tuple(match[1] for piece in pieces if (match := _SECTION.fullmatch(piece)))
        return replace(paper, sections=ids)
    if line.startswith(_RELATED):
        return replace(paper, related=tuple(line.removeprefix(_RELATED).split(", ")))
    return paper


def read_totals(text: str) -> tuple[int, int]:
    """Read how many papers matched, and how many there are.

    Args:
        text: What ``render_search`` wrote.

    Returns:
        Matches and papers in all; zeros for another text.
    """
    totals = _TOTALS.match(text)
    return (int(totals[1]), int(totals[2])) if totals else (0, 0)


def search_data(result: SearchResult) -> dict[str, Any]:
    """A search as plain JSON types.

    Args:
        result: What the search returned.

    Returns:
        The shape of ``vectree search --json``; long author lists are cut, with a count.
    """
    return {
        "query": result.query,
        "total_matches": result.total_matches,
        "total_documents": result.total_documents,
        "excluded_unknown": result.excluded_unknown,
        "note": result.note,
        "results": [_hit_data(hit) for hit in result.hits],
    }


def _summary(result: SearchResult, filters: Filters, offset: int) -> str:
    parts = [f"{result.total_matches} of {result.total_documents} papers match{_filtered(filters)}."]
    if result.hits:
        last = offset + len(result.hits)
        more = f"; next: offset={last}" if last < result.total_matches else ""
        parts.append(f"Results {offset + 1}-{last}{more}.")
    elif result.total_matches:
        parts.append(f"None left from offset {offset} on.")
    if result.excluded_unknown:
        parts.append(
            f"{result.excluded_unknown} papers lack a field that the filters ask about and were left out."
        )
    if result.note:
        parts.append(clip(result.note, 300))
    if not result.total_matches:
        parts.append(_advice(result, filters))
    return " ".join(parts)


def _filtered(filters: Filters) -> str:
    given = {
        "year_min": filters.year_min,
        "year_max": filters.year_max,
        "journal": filters.journal and clip(filters.journal, 40),
        "author": filters.author and clip(filters.author, 40),
    }
    named = ", ".join(f"{name}={value}" for name, value in given.items() if value is not None)
    return f" ({named})" if named else ""


def _advice(result: SearchResult, filters: Filters) -> str:
    if not result.total_documents:
        return "The library is empty."
    widen = "" if filters.empty else " or fewer filters"
    return f"Try synonyms, broader terms, author names{widen}."


def _result(number: int, hit: SearchHit) -> str:
    lines: list[str] = []
    for sections, description in _BUDGETS:
        lines = _result_lines(number, hit, sections, description)
        if sum(len(line) + 1 for line in lines) <= _MAX_CHARACTERS:
            break
    return "\n".join(lines)


def _result_lines(number: int, hit: SearchHit, sections: int, description: int) -> list[str]:
    by = [f"by {short_authors(hit.authors)}" if hit.authors else "", clip(hit.journal or "", 40)]
    pages = f"{hit.total_pages} page{'' if hit.total_pages == 1 else 's'}"
    lines = [
        f"{number}. {hit.doc_id} ({hit.year or 'n.d.'}) {clip(hit.title, 110)}",
        "   " + _SEPARATOR.join([part for part in by if part] + [pages]),
    ]
    if description and hit.description:
        lines.append(f"   about: {clip(hit.description, description)}")
    if hit.sections and sections:
        shown = [
            f"{s.node_id} p.{s.pages} {clip(s.title, 36).replace('|', '/')}" for s in hit.sections[:sections]
        ]
        lines.append(_SECTIONS + _SEPARATOR.join(shown))
    if hit.related_documents:
        lines.append(_RELATED + ", ".join(hit.related_documents[:_MAX_RELATED]))
    return lines


def _hit_data(hit: SearchHit) -> dict[str, Any]:
    return {
        "doc_id": hit.doc_id,
        "title": hit.title,
        "authors": list(hit.authors[:_MAX_AUTHORS]),
        "author_count": len(hit.authors),
        "journal": hit.journal,
        "year": hit.year,
        "total_pages": hit.total_pages,
        "description": hit.description,
        "related_documents": list(hit.related_documents),
        "rrf": float(hit.rrf),
        "similarity": None if hit.similarity is None else float(hit.similarity),
        "bm25": float(hit.bm25),
        "best_entry": hit.best_entry,
        "sections": [
            {"node_id": s.node_id, "title": s.title, "pages": [s.pages.first, s.pages.last]}
            for s in hit.sections
        ],
    }
