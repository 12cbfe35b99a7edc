"""A tree as a flat list in document order, and back: ranges, nesting and ids are computed here only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vectree.document import Heading, HeadingSource, Node, PageRange, SectionTree

ID_DIGITS = 4
"""Smallest width of a node id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatNode:
    """A section before it has a place in the tree.

    Attributes:
        node: The section without children; its id and the end of its range are not final.
        depth: Depth from 1.
        begins_page: Whether nothing but furniture stands above it on its first page.
    """

    node: Node
    depth: int
    begins_page: bool


def from_heading(heading: Heading, depth: int) -> FlatNode:
    """Turn a verified heading into a section.

    Args:
        heading: The heading.
        depth: Depth from 1.

    Returns:
        The section, with its first page as its range; synthetic if the heading is, as an abstract's without
        one.
    """
    node = Node(
        id="",
        number=heading.number,
        title=heading.title,
        pages=PageRange(first=heading.page, last=heading.page),
        start=heading.offset,
        source=heading.source,
        match=heading.match,
        synthetic=heading.source is HeadingSource.SYNTHETIC,
    )
    return FlatNode(node=node, depth=depth, begins_page=heading.begins_page)


def flatten(tree: SectionTree) -> list[FlatNode]:
    """Write a tree as a list.

    Args:
        tree: Any tree.

    Returns:
        Its sections in document order; ``assemble`` gives the same tree again.
    """
    flat: list[FlatNode] = []
    stack = [(node, 1) for node in reversed(tree.nodes)]
    last = 0
    while stack:
        node, depth = stack.pop()
        flat.append(
            FlatNode(node=replace(node, children=()), depth=depth, begins_page=last < node.pages.first)
        )
        last = node.pages.last
        stack.extend((child, depth + 1) for child in reversed(node.children))
    return flat


def assemble(flat: Sequence[FlatNode], total_pages: int) -> SectionTree:
    """Build the tree: own ranges in document order, then nesting, then ids depth first (§3.2).

    A range ends on the page before the next section where that one begins its page, else on that section's
    page, since the end of the earlier one stands above it.

    Args:
        flat: Sections in document order with depths that never grow by more than 1.
        total_pages: Number of physical pages.

    Returns:
        The tree.
    """
    width = max(ID_DIGITS, len(str(len(flat))))
    pending: dict[int, list[Node]] = {}
    for place in range(len(flat) - 1, -1, -1):
        item = flat[place]
        node = replace(
            item.node,
            id=f"{place + 1:0{width}d}",
            pages=PageRange(first=item.node.pages.first, last=_last_page(flat, place, total_pages)),
            children=tuple(reversed(pending.pop(item.depth + 1, []))),
        )
        pending.setdefault(item.depth, []).append(node)
    return SectionTree(total_pages=total_pages, nodes=tuple(reversed(pending.get(1, []))))


def _last_page(flat: Sequence[FlatNode], place: int, total_pages: int) -> int:
    if place + 1 == len(flat):
        return total_pages
    following = flat[place + 1]
    last = following.node.pages.first - following.begins_page
    return max(last, flat[place].node.pages.first)
