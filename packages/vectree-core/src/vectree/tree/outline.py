"""A section tree written out: as JSON for programs, as a few hundred tokens of text for a model (§3.2, §3.3).

Ranges shown are covering ranges, from a section's first page to the last page of everything below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vectree.document import Node, SectionTree
from vectree.errors import UnknownNode
from vectree.tokens import CHARACTERS_PER_TOKEN
from vectree.tree.walk import path_to, walk_paths

OUTLINE_TOKENS = 500
"""Upper end of the paper's estimate for a serialized tree (Table 1)."""

SKELETON_TOKENS = 4_000
"""Ids, titles and ranges alone may take this much; a larger tree is shown to the depth that fits."""

_MAX_TITLE = 120
_MIN_SUMMARY = 24


def outline_json(
    tree: SectionTree, *, node_id: str | None = None, summary_characters: int | None = None
) -> list[dict[str, Any]]:
    """Write a tree as plain JSON values.

    Args:
        tree: The tree.
        node_id: Write this branch only; an unknown id raises ``UnknownNode``.
        summary_characters: Clip summaries to this many characters; ``None`` leaves them whole.

    Returns:
        A list of ``{"id", "title", "pages": [first, last], "summary", "children"}``.
    """
    nodes = tree.nodes if node_id is None else path_to_node(tree, node_id)[-1:]
    return [_as_json(node, summary_characters) for node in nodes]


def outline_text(tree: SectionTree, *, node_id: str | None = None, tokens: int = OUTLINE_TOKENS) -> str:
    """Write a tree as compact text, one section a line: id, title, pages, clipped summary.

    Every id, title and range of the tree is there whatever it takes, up to ``SKELETON_TOKENS``; summaries
    share what is left of the budget, short ones leaving their part to the others. A branch starts with the
    way to it and has the whole summary of its section.

    Args:
        tree: The tree.
        node_id: Write this section and what is below it; an unknown id raises ``UnknownNode``.
        tokens: Budget for the text of a typical paper.

    Returns:
        Lines without a final line break.
    """
    if node_id is None:
        return _fitted(list(walk_paths(tree)), tokens)
    path = path_to_node(tree, node_id)
    node = path[-1]
    lines = [" > ".join(_label(part) for part in path)]
    if node.summary:
        lines.append(f"Summary ({node.summary_source}): {node.summary}")
    if node.children:
        below = SectionTree(total_pages=tree.total_pages, nodes=node.children)
        lines.append(_fitted(list(walk_paths(below)), tokens))
    return "\n".join(lines)


def path_to_node(tree: SectionTree, node_id: str) -> tuple[Node, ...]:
    """The way to a node that must exist.

    Args:
        tree: The tree.
        node_id: The node.

    Returns:
        The nodes from the top level to the node itself.

    Raises:
        UnknownNode: If there is no such node.
    """
    path = path_to(tree, node_id)
    if not path:
        known = [way[-1].id for way in walk_paths(tree)]
        raise UnknownNode(
            f"There is no node {clip(node_id, 40)!r}; ids run from {known[0]!r} to {known[-1]!r}.",
            hint="Take an id from get_document_tree.",
        )
    return path


def clip(text: str, characters: int) -> str:
    """Shorten a text to whole words.

    Args:
        text: Any text.
        characters: Longest result, the final "…" included.

    Returns:
        The text on one line, cut before a word where it is too long.
    """
    line = " ".join(text.split())
    if len(line) <= characters:
        return line
    cut = line[: max(characters - 1, 0)]
    head, _, _ = cut.rpartition(" ")
    return f"{(head if 2 * len(head) > len(cut) else cut).rstrip(' ,;:')}…"


def _as_json(node: Node, summary_characters: int | None) -> dict[str, Any]:
    summary = node.summary if summary_characters is None else clip(node.summary, summary_characters)
    return {
        "id": node.id,
        "title": node.printed,
        "pages": [node.covering.first, node.covering.last],
        "summary": summary,
        "children": [_as_json(child, summary_characters) for child in node.children],
    }


def _label(node: Node) -> str:
    mark = " [oversize]" if node.oversize else ""
    return f"{node.id} {clip(node.printed, _MAX_TITLE)} p.{node.covering}{mark}"


def _fitted(paths: Sequence[tuple[Node, ...]], tokens: int) -> str:
    depth = _depth_that_fits(paths)
    shown = [path for path in paths if len(path) <= depth]
    lines = ["  " * (len(path) - 1) + _label(path[-1]) + _folded(path, depth) for path in shown]
    left = tokens * CHARACTERS_PER_TOKEN - sum(len(line) + 1 for line in lines)
    share = _share([len(path[-1].summary) for path in shown if path[-1].summary], left)
    if share >= _MIN_SUMMARY:
        summaries = [clip(path[-1].summary, share) for path in shown]
        lines = [
            f"{line}: {summary}" if summary else line for line, summary in zip(lines, summaries, strict=True)
        ]
    return "\n".join(_bounded(lines, max(tokens, SKELETON_TOKENS)))


def _depth_that_fits(paths: Sequence[tuple[Node, ...]]) -> int:
    """The largest depth down to which the lines stay within ``SKELETON_TOKENS``, at least 1."""
    sizes: dict[int, int] = {}
    for path in paths:
        sizes[len(path)] = sizes.get(len(path), 0) + len(_label(path[-1])) + 2 * len(path)
    total = 0
    for depth in sorted(sizes):
        total += sizes[depth]
        if total > SKELETON_TOKENS * CHARACTERS_PER_TOKEN:
            return max(depth - 1, 1)
    return max(sizes, default=1)


def _bounded(lines: list[str], tokens: int) -> list[str]:
    """Only a tree with hundreds of top-level sections is cut, and says so."""
    left = tokens * CHARACTERS_PER_TOKEN
    for place, line in enumerate(lines):
        left -= len(line) + 1
        if left < 0:
            return [*lines[:place], f"… {len(lines) - place} more sections"]
    return lines


def _folded(path: tuple[Node, ...], depth: int) -> str:
    below = path[-1].children
    return f" (+{len(below)} below)" if below and len(path) == depth else ""


def _share(lengths: Sequence[int], characters: int) -> int:
    """The length at which clipped summaries fill the space: short ones leave their part to the others."""
    left = characters
    for place, length in enumerate(sorted(lengths)):
        each = left // (len(lengths) - place) - 2
        if length > each:
            return each
        left -= length + 2
    return max(lengths, default=0)
