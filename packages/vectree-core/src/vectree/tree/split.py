"""Bounded splitting of oversize sections (§3.2).

Only a section over both bounds is split, by looking for headings in its own text. What the tree knows already
is kept: new headings are put under the section, before its children, and never replace one. The search ends
where it finds nothing new; the section is marked oversize then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from vectree.document import Heading, Node, Page, PageRange, SectionTree
from vectree.normal import match_key
from vectree.tokens import count_tokens
from vectree.tree.build import SPLIT_PAGES, SPLIT_TOKENS, document_order
from vectree.tree.flat import FlatNode, assemble, flatten, from_heading
from vectree.tree.fold import MAX_DEPTH, fold_depths
from vectree.tree.slices import section_texts
from vectree.tree.walk import map_nodes, walk

FindHeadings = Callable[[PageRange], Sequence[Heading]]
"""Looks for verified headings on a range of pages; called at most once for the same pages of a section."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitBounds:
    """When a section is split, and how long that is tried.

    Attributes:
        tokens: A section must have more tokens than this …
        pages: … and more pages than this.
        rounds: Passes over the tree; a section found in one is looked at in the next.
    """

    tokens: int = SPLIT_TOKENS
    pages: int = SPLIT_PAGES
    rounds: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitOutcome:
    """A tree after splitting.

    Attributes:
        tree: The tree; sections over both bounds are marked ``oversize``.
        added: Headings that were added.
        oversize: Ids of the sections that stay over both bounds.
    """

    tree: SectionTree
    added: tuple[Heading, ...]
    oversize: tuple[str, ...]


def split_oversize(
    tree: SectionTree,
    pages: Sequence[Page],
    find: FindHeadings | None = None,
    bounds: SplitBounds | None = None,
) -> SplitOutcome:
    """Split the sections that exceed both bounds.

    Args:
        tree: The tree.
        pages: Every page of the document.
        find: Finds headings on a range of pages; ``None`` to mark oversize sections only.
        bounds: When to split; the paper's bounds if not given.

    Returns:
        The tree with new ids, what was added, and what stays oversize.
    """
    bounds = bounds or SplitBounds()
    added: list[Heading] = []
    asked: set[tuple[PageRange, int | None, str]] = set()
    for _ in range(bounds.rounds if find else 0):
        flat = flatten(tree)
        new: list[Heading] = []
        for node in _oversize(tree, pages, bounds):
            if find and _place(node) not in asked:
                asked.add(_place(node))
                new.extend(_insert(flat, node, find(node.pages)))
        if not new:
            break
        added.extend(new)
        tree = assemble(flat, tree.total_pages)
    oversize = {node.id for node in _oversize(tree, pages, bounds)}
    marked = map_nodes(tree, lambda node: replace(node, oversize=node.id in oversize))
    return SplitOutcome(tree=marked, added=tuple(added), oversize=tuple(sorted(oversize)))


def _oversize(tree: SectionTree, pages: Sequence[Page], bounds: SplitBounds) -> list[Node]:
    texts = section_texts(tree, pages)
    return [
        node
        for node in walk(tree)
        if len(node.pages) > bounds.pages and count_tokens(texts[node.id]) > bounds.tokens
    ]


def _place(node: Node) -> tuple[PageRange, int | None, str]:
    return node.pages, node.start, node.printed


def _insert(flat: list[FlatNode], node: Node, found: Sequence[Heading]) -> list[Heading]:
    """Put new headings under a section, before its children; returns those that were put in."""
    at = next(place for place, item in enumerate(flat) if item.node.id == node.id)
    following = flat[at + 1].node if at + 1 < len(flat) else None
    known = {(item.node.pages.first, match_key(item.node.title)) for item in flat}
    new: list[Heading] = []
    for heading in document_order(found):
        key = (heading.page, match_key(heading.title))
        if key not in known and _inside(heading, node, following):
            known.add(key)
            new.append(heading)
    base = flat[at].depth
    if base >= MAX_DEPTH:
        return []
    depths = [min(base + depth, MAX_DEPTH) for depth in fold_depths(new)]
    flat[at + 1 : at + 1] = [from_heading(heading, depth) for heading, depth in zip(new, depths, strict=True)]
    return new


def _inside(heading: Heading, node: Node, following: Node | None) -> bool:
    """Whether a heading lies strictly between a section's start and the next section's."""
    position = (heading.page, heading.offset or 0)
    if position <= (node.pages.first, node.start or 0) or heading.page > node.pages.last:
        return False
    if following is None or heading.page < following.pages.first:
        return True
    return heading.offset is not None and position < (following.pages.first, following.start or 0)
