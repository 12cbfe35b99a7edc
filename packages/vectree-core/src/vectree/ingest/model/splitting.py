"""Headings inside a section that is too large (§3.2): structure extraction, run again on its own pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from vectree.document import Heading, Match, Node, Page, PageRange, SectionTree
from vectree.ingest.claims import place_told
from vectree.ingest.headings import Gathered, conclude, with_told
from vectree.ingest.model.stages import ModelStages
from vectree.ingest.model.structure import as_printed, extract_headings, plausible
from vectree.normal import match_key
from vectree.tree.walk import map_nodes

_MAX_WORDS = 40


class ModelFinder:
    """Finds headings on a range of pages; handed to `tree.split.split_oversize`.

    Args:
        stages: The model.
        gathered: The rows of the document.
        pages: Every page, as markdown.
        known: Pages that were read for headings already with the same question; they are not read again.
    """

    def __init__(
        self,
        stages: ModelStages,
        gathered: Gathered,
        pages: Sequence[Page],
        known: frozenset[int] = frozenset(),
    ) -> None:
        self._stages = stages
        self._gathered = gathered
        self._pages = pages
        self._known = known

    def __call__(self, pages: PageRange) -> Sequence[Heading]:
        """Find headings.

        Args:
            pages: Where.

        Returns:
            Headings that stand alone on these pages, with their offsets where they can be told.
        """
        if all(number in self._known for number in pages):
            return ()
        inner = [page for page in self._pages if page.number in pages]
        extraction = extract_headings(self._stages, inner, total_pages=len(self._pages), stage="split")
        gathered = self._gathered
        told, _ = place_told(plausible(extraction.claims)[0], gathered.verifier, gathered.rows)
        lines = [
            as_printed(item, gathered)
            for item in told
            if item.match is Match.HEADING_LINE and item.site.page in pages
        ]
        found = conclude(with_told(replace(gathered, placed=(), lost=()), lines)).headings
        return [
            replace(heading, offset=_offset(heading, self._pages[heading.page - 1].text))
            for heading in found
            if heading.match is Match.HEADING_LINE
        ]


def replaced(tree: SectionTree, headings: Sequence[Heading]) -> SectionTree:
    """Give sections the offsets they have in pages that were written anew.

    Args:
        tree: A tree of these headings.
        headings: The headings with their new offsets.

    Returns:
        The same tree; sections that no heading stands for keep their offsets.
    """
    offsets: dict[tuple[int, str], list[int | None]] = defaultdict(list)
    for heading in headings:
        offsets[heading.page, match_key(heading.title)].append(heading.offset)

    def moved(node: Node) -> Node:
        known = offsets.get((node.pages.first, match_key(node.title)))
        return replace(node, start=known.pop(0)) if known else node

    return map_nodes(tree, moved)


def _offset(heading: Heading, text: str) -> int | None:
    """Where the heading's line starts in the page's text; where its words do, if they have no line there."""
    wanted = {match_key(heading.title), match_key(heading.printed)}
    offset = 0
    for line in text.splitlines(keepends=True):
        if match_key(line) in wanted:
            return offset
        offset += len(line)
    words = re.findall(r"\w+", heading.printed)[:_MAX_WORDS]
    found = re.search(r"\W{1,5}".join(map(re.escape, words)), text) if words else None
    return found.start() if found else None
