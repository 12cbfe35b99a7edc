"""The payload of ``search_within_paper``: matching sections, where they stand, and the likeliest pages.

::

    3 sections match in berg2024-3f9a, best first; 100% marks the likeliest page.
    0004 p.4-5 (likely 5 100%, 4 83%) 3 Results > 3.2 Conductivity
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vectree.document import PageRange
from vectree.evidence import SectionHit
from vectree.tree.outline import clip

_LINE = re.compile(r"(\S+) p\.(\d{1,9})(?:-(\d{1,9}))?(?: \(likely ([\d, %]+)\))? (.*)")
_LIKELY = re.compile(r"(\d{1,9})(?: (\d{1,3})%)?(?:, |$)")
_MAX_PATH = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSection:
    """A section as read back from the payload.

    Attributes:
        node_id: The section.
        pages: Its covering page range.
        likely: Pages on which the query's words concentrate, best first.
        percent: How near each of them comes to the best page of the paper; empty where that is not said.
        path: Titles from the top-level section down, perhaps clipped.
    """

    node_id: str
    pages: PageRange
    likely: tuple[int, ...]
    path: str
    percent: tuple[int, ...] = ()


def render_sections(doc_id: str, hits: Sequence[SectionHit]) -> str:
    """Write matching sections for a model.

    Args:
        doc_id: The document.
        hits: Sections, best first.

    Returns:
        A line on the whole, then a line a section.
    """
    if not hits:
        return f"0 sections of {doc_id} match. Try other words, or choose from get_document_tree."
    counted = f"{len(hits)} section{' matches' if len(hits) == 1 else 's match'} in {doc_id}, best first"
    marked = "; 100% marks the likeliest page" if any(hit.likely_shares for hit in hits) else ""
    lines = [f"{counted}{marked}."]
    for hit in hits:
        likely = f" (likely {_likely(hit)})" if hit.likely_pages else ""
        lines.append(f"{hit.node_id} p.{hit.pages}{likely} {clip(hit.path or hit.title, _MAX_PATH)}")
    return "\n".join(lines)


def _likely(hit: SectionHit) -> str:
    if len(hit.likely_shares) != len(hit.likely_pages):
        return ", ".join(map(str, hit.likely_pages))
    pairs = zip(hit.likely_pages, hit.likely_shares, strict=True)
    return ", ".join(f"{page} {round(100 * share)}%" for page, share in pairs)


def read_sections(text: str) -> tuple[FoundSection, ...]:
    """Read the sections back from a payload.

    Args:
        text: What ``render_sections`` wrote, perhaps with a note after it.

    Returns:
        The sections in order.
    """
    found: list[FoundSection] = []
    for line in text.split("\n"):
        if match := _LINE.fullmatch(line):
            first, last = int(match[2]), int(match[3] or match[2])
            if not 1 <= first <= last:
                continue
            likely = [pair.groups() for pair in _LIKELY.finditer(match[4] or "")]
            found.append(
                FoundSection(
                    node_id=match[1],
                    pages=PageRange(first=first, last=last),
                    likely=tuple(int(page) for page, _ in likely),
                    path=match[5],
                    percent=tuple(int(percent) for _, percent in likely if percent is not None),
                )
            )
    return tuple(found)


def sections_data(doc_id: str, hits: Sequence[SectionHit]) -> dict[str, Any]:
    """Matching sections as plain JSON types.

    Args:
        doc_id: The document.
        hits: Sections, best first.

    Returns:
        ``{"doc_id", "sections": [{"node_id", "title", "path", "pages", "likely_pages", …}]}``.
    """
    return {
        "doc_id": doc_id,
        "sections": [
            {
                "node_id": hit.node_id,
                "title": hit.title,
                "path": hit.path,
                "pages": [hit.pages.first, hit.pages.last],
                "likely_pages": list(hit.likely_pages),
                "likely_shares": [round(float(share), 3) for share in hit.likely_shares],
                "similarity": None if hit.similarity is None else float(hit.similarity),
                "bm25": float(hit.bm25),
                "rrf": float(hit.rrf),
            }
            for hit in hits
        ],
    }
