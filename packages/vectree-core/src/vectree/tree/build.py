"""From verified headings to the section tree (§3.2): order, folding, own ranges, ids, no page left out."""

from __future__ import annotations

from collections.abc import Sequence

from vectree.document import Heading, HeadingSource, Node, Page, PageRange, SectionTree
from vectree.tokens import count_tokens
from vectree.tree.flat import FlatNode, assemble, from_heading
from vectree.tree.fold import fold_depths

SPLIT_TOKENS = 20_000
"""A node may be split if it has more tokens than this (§3.2) …"""

SPLIT_PAGES = 10
"""… and more pages than this."""

FRONT_MATTER = "Front matter"
WHOLE_DOCUMENT = "Document"
FRONT_TOKENS = 600
"""Text above the first heading of its page that is too long for a title block; a section of its own then."""


def build_tree(headings: Sequence[Heading], pages: Sequence[Page]) -> SectionTree:
    """Fold headings into the section tree.

    Pages before the first heading become the synthetic section "Front matter"; so does running text above a
    heading on the first page if it is longer than a title block. A document without headings is one synthetic
    section, or, if it exceeds both splitting bounds, one for each group of pages within them.

    Args:
        headings: Verified headings; they are put in document order (by page, then offset, then as given).
        pages: Every physical page in order.

    Returns:
        The tree. Every page lies in the own range of a node.

    Raises:
        ValueError: If there are no pages, or a heading names a page that does not exist.
    """
    if not pages:
        raise ValueError("a document needs at least one page")
    ordered = document_order(headings)
    for heading in ordered:
        if not 1 <= heading.page <= len(pages):
            raise ValueError(f"heading {heading.printed!r} on page {heading.page}: pages are 1-{len(pages)}")
    if not ordered:
        return assemble(_without_headings(pages), len(pages))
    depths = fold_depths(ordered)
    flat = [from_heading(heading, depth) for heading, depth in zip(ordered, depths, strict=True)]
    return assemble([*_front_matter(ordered[0], pages), *flat], len(pages))


def document_order(headings: Sequence[Heading]) -> list[Heading]:
    """Sort headings by page, and within a page by offset where all of its headings have one.

    Args:
        headings: Headings in any order.

    Returns:
        The same headings; equal positions keep the order given.
    """
    unplaced = {heading.page for heading in headings if heading.offset is None}
    return sorted(
        headings,
        key=lambda heading: (heading.page, 0 if heading.page in unplaced else heading.offset or 0),
    )


def _front_matter(first: Heading, pages: Sequence[Page]) -> list[FlatNode]:
    above = pages[0].text[: first.offset or 0] if first.page == 1 else ""
    if first.page == 1 and count_tokens(above.strip()) <= FRONT_TOKENS:
        return []
    return [_synthetic(FRONT_MATTER, 1)]


def _without_headings(pages: Sequence[Page]) -> list[FlatNode]:
    tokens = [count_tokens(page.text) for page in pages]
    if len(pages) <= SPLIT_PAGES or sum(tokens) <= SPLIT_TOKENS:
        return [_synthetic(WHOLE_DOCUMENT, 1)]
    starts = [0]
    for place in range(1, len(pages)):
        group = slice(starts[-1], place + 1)
        if place - starts[-1] >= SPLIT_PAGES or sum(tokens[group]) > SPLIT_TOKENS:
            starts.append(place)
    ends = [*starts[1:], len(pages)]
    return [
        _synthetic(f"Pages {PageRange(first=start + 1, last=end)}", start + 1)
        for start, end in zip(starts, ends, strict=True)
    ]


def _synthetic(title: str, page: int) -> FlatNode:
    node = Node(
        id="",
        number="",
        title=title,
        pages=PageRange(first=page, last=page),
        start=0,
        source=HeadingSource.SYNTHETIC,
        synthetic=True,
    )
    return FlatNode(node=node, depth=1, begins_page=True)
