"""A section's own text: from its heading to the next heading in document order, over the pages' markdown.

Slices are cut at character offsets, so sections that share a page do not share text. Together they are the
text of the document, each character in one slice: the first section also takes what stands above it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vectree.document import Node, Page, SectionTree
from vectree.normal import match_key
from vectree.tree.walk import walk


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePiece:
    """The part of a section that stands on one page.

    Attributes:
        page: Physical page.
        text: Markdown, verbatim.
    """

    page: int
    text: str


def section_pieces(
    tree: SectionTree, pages: Sequence[Page], *, title_block: bool = True
) -> dict[str, tuple[PagePiece, ...]]:
    """Cut all sections in one pass.

    Args:
        tree: The tree.
        pages: Pages of the document; pages that are left out give no text.
        title_block: Whether the first section takes what stands above it, mostly title and authors.

    Returns:
        Node id → its pieces in page order, without empty ones; ids in document order.
    """
    texts = {page.number: page.text for page in pages}
    nodes = list(walk(tree))
    positions = _positions(nodes, texts)
    if positions and title_block:
        positions[0] = (1, 0)
    ends = [*positions[1:], (tree.total_pages + 1, 0)]
    return {
        node.id: tuple(_cut(texts, start, end))
        for node, start, end in zip(nodes, positions, ends, strict=True)
    }


def section_texts(tree: SectionTree, pages: Sequence[Page], *, title_block: bool = True) -> dict[str, str]:
    """The own text of every section.

    Args:
        tree: The tree.
        pages: Pages of the document.
        title_block: Whether the first section takes what stands above it, mostly title and authors.

    Returns:
        Node id → text, pages separated by a blank line; ids in document order.
    """
    pieces = section_pieces(tree, pages, title_block=title_block)
    return {node_id: join_pieces(of_node) for node_id, of_node in pieces.items()}


def section_text(tree: SectionTree, node_id: str, pages: Sequence[Page]) -> str:
    """The own text of one section.

    Args:
        tree: The tree.
        node_id: The section.
        pages: Pages of the document.

    Returns:
        Its text, pages separated by a blank line; empty if there is no such node.
    """
    return join_pieces(section_pieces(tree, pages).get(node_id, ()))


def join_pieces(pieces: Sequence[PagePiece]) -> str:
    """Put the pieces of a section together.

    Args:
        pieces: Pieces in page order.

    Returns:
        Their texts, separated by a blank line.
    """
    return "\n\n".join(piece.text for piece in pieces)


def _positions(nodes: Sequence[Node], texts: Mapping[int, str]) -> list[tuple[int, int]]:
    """Where each section starts, as (page, offset), never before the section in front of it."""
    positions: list[tuple[int, int]] = []
    earliest = (1, 0)
    for node in nodes:
        page = node.pages.first
        text = texts.get(page, "")
        floor = earliest[1] if earliest[0] == page else 0
        offset = node.start if node.start is not None else _find_title(node, text, floor)
        earliest = max(earliest, (page, min(offset, len(text))))
        positions.append(earliest)
    return positions


def _find_title(node: Node, text: str, floor: int) -> int:
    """Offset of the line that is the node's title; ``floor`` if no line is."""
    wanted = {match_key(node.printed), match_key(node.title)} - {""}
    offset = 0
    for line in text.splitlines(keepends=True):
        if offset >= floor and match_key(line) in wanted:
            return offset
        offset += len(line)
    return floor


def _cut(texts: Mapping[int, str], start: tuple[int, int], end: tuple[int, int]) -> list[PagePiece]:
    pieces: list[PagePiece] = []
    for page in range(start[0], end[0] + 1):
        text = texts.get(page, "")
        begin = start[1] if page == start[0] else 0
        stop = end[1] if page == end[0] else len(text)
        if piece := text[begin:stop]:
            pieces.append(PagePiece(page=page, text=piece))
    return pieces
