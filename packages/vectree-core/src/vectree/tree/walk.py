"""Moving through a section tree: every node, one node, the way to it, the section of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from vectree.document import Node, SectionTree

_NOMINAL_PAGE = 3_500
"""Characters of a typical page, used where only the starts of the sections on a page are known."""


def walk(tree: SectionTree | Node) -> Iterator[Node]:
    """Go through all nodes depth first, which is document order.

    Args:
        tree: A tree, or a node for its branch, itself included.

    Yields:
        Node: Each node, parents before their children.
    """
    stack = list(reversed(tree.nodes)) if isinstance(tree, SectionTree) else [tree]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def find_node(tree: SectionTree, node_id: str) -> Node | None:
    """Look a node up by its id.

    Args:
        tree: The tree.
        node_id: The id as written in the tree.

    Returns:
        The node, or ``None``.
    """
    return next((node for node in walk(tree) if node.id == node_id), None)


def path_to(tree: SectionTree, node_id: str) -> tuple[Node, ...]:
    """The way from the top level down to a node.

    Args:
        tree: The tree.
        node_id: The id as written in the tree.

    Returns:
        The nodes from the top-level one to the node itself; empty if there is no such node.
    """
    for path in walk_paths(tree):
        if path[-1].id == node_id:
            return path
    return ()


def walk_paths(tree: SectionTree) -> Iterator[tuple[Node, ...]]:
    """Go through all nodes depth first, each with its ancestors.

    Args:
        tree: The tree.

    Yields:
        tuple[Node, ...]: The nodes from the top-level one to the node itself.
    """
    stack: list[tuple[Node, ...]] = [(node,) for node in reversed(tree.nodes)]
    while stack:
        path = stack.pop()
        yield path
        stack.extend((*path, child) for child in reversed(path[-1].children))


def deepest_on_page(tree: SectionTree, page: int) -> Node | None:
    """The section a page belongs to.

    Args:
        tree: The tree.
        page: Physical page.

    Returns:
        The deepest node whose own range holds the page. Among several of that depth the one with the largest
        share of the page as far as the starts of the sections tell, then the earliest. ``None`` if the page
        is not in the tree.
    """
    on_page = [(len(path), path[-1]) for path in walk_paths(tree) if page in path[-1].pages]
    if not on_page:
        return None
    starts = [node.start or 0 if node.pages.first == page else 0 for _, node in on_page]
    ends = [*starts[1:], max(_NOMINAL_PAGE, starts[-1] + 1)]
    ranked = [
        (depth, end - start, -place)
        for place, ((depth, _), start, end) in enumerate(zip(on_page, starts, ends, strict=True))
    ]
    return on_page[-max(ranked)[2]][1]


def map_nodes(tree: SectionTree, change: Callable[[Node], Node]) -> SectionTree:
    """Apply a change to every node.

    Args:
        tree: The tree.
        change: Gets a node and returns its replacement; the children it returns are ignored.

    Returns:
        A tree of the same shape.
    """

    def rebuilt(node: Node) -> Node:
        return replace(change(node), children=tuple(rebuilt(child) for child in node.children))

    return replace(tree, nodes=tuple(rebuilt(node) for node in tree.nodes))
