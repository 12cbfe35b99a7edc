"""Node identifiers as models write them."""

from __future__ import annotations

from vectree.document import SectionTree
from vectree.tree.walk import walk


def known_id(tree: SectionTree, written: str) -> str:
    """The identifier as the tree has it; models drop leading zeros, and add the title.

    Args:
        tree: The tree.
        written: As a model wrote it.

    Returns:
        The identifier of the one node that can be meant, else ``written`` as it is.
    """
    ids = [node.id for node in walk(tree)]
    bare = written.strip().partition(" ")[0].strip("\"'`[](){}<>#.,:;")
    for candidate in (written, bare):
        if candidate in ids:
            return candidate
    if not bare.isdecimal():
        return written
    same = [node_id for node_id in ids if node_id.isdecimal() and node_id.lstrip("0") == bare.lstrip("0")]
    return same[0] if len(same) == 1 else written
