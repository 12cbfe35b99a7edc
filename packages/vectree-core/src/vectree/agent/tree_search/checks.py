"""The deterministic half of verified tree search: does a node exist, is its range valid, does it fit at all?

The same overlap that a node needs to pass ranks the nodes of the fallback.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vectree.agent.node_ids import known_id
from vectree.agent.tree_search.located import CheckedNode, LocatedSection
from vectree.document import Node, SectionTree
from vectree.errors import UsageError
from vectree.tree.walk import path_to, walk, walk_paths
from vectree.words import content_words, words

FALLBACK_NODES = 5
"""§3.4: the lexical fallback returns the top five."""


def query_words(question: str) -> tuple[str, ...]:
    """The words of a question that count for overlap.

    Args:
        question: The question.

    Returns:
        Its words without stopwords, each once; all of its words if it has no others.

    Raises:
        UsageError: If it has no words at all.
    """
    found = content_words(question) or words(question)
    if not found:
        raise UsageError("The question holds no word to look for.")
    return tuple(dict.fromkeys(found))


def shared_words(node: Node, wanted: Sequence[str]) -> tuple[str, ...]:
    """The words of a question that stand in a node's title or summary.

    Args:
        node: The node.
        wanted: From ``query_words``.

    Returns:
        Those of ``wanted`` that do, in their order.
    """
    held = set(words(f"{node.printed} {node.summary}"))
    return tuple(word for word in wanted if word in held)


def check_nodes(tree: SectionTree, written: Iterable[str], wanted: Sequence[str]) -> tuple[CheckedNode, ...]:
    """Check the nodes that a model named (§3.4): existence, valid page range, overlap with the question.

    Args:
        tree: The paper's tree.
        written: Identifiers as the model wrote them.
        wanted: From ``query_words``.

    Returns:
        Each distinct node once, in the model's order.
    """
    checked: dict[str, CheckedNode] = {}
    for each in written:
        node = _check(tree, each, wanted)
        checked.setdefault(node.node_id or node.written, node)
    return tuple(checked.values())


def lexical_nodes(
    tree: SectionTree, wanted: Sequence[str], *, most: int = FALLBACK_NODES
) -> tuple[LocatedSection, ...]:
    """Rank nodes by the words they share with a question: the fallback of §3.4.

    Args:
        tree: The paper's tree.
        wanted: From ``query_words``.
        most: Nodes to return.

    Returns:
        Nodes with the most shared words first; among equals the one that says it in fewer words, then the
        earlier one. Nodes that share none are left out.
    """
    ranked: list[tuple[int, int, int, LocatedSection]] = []
    for place, path in enumerate(walk_paths(tree)):
        node = path[-1]
        if shared := shared_words(node, wanted):
            length = len(words(f"{node.printed} {node.summary}"))
            ranked.append((-len(shared), length, place, _located(path, shared)))
    return tuple(section for *_, section in sorted(ranked, key=lambda entry: entry[:3])[:most])


def located_nodes(
    tree: SectionTree, node_ids: Iterable[str], wanted: Sequence[str]
) -> tuple[LocatedSection, ...]:
    """Describe nodes of a tree.

    Args:
        tree: The paper's tree.
        node_ids: Nodes that exist.
        wanted: From ``query_words``.

    Returns:
        One section for each node, in their order.
    """
    paths = [path_to(tree, node_id) for node_id in node_ids]
    return tuple(_located(path, shared_words(path[-1], wanted)) for path in paths)


def _check(tree: SectionTree, written: str, wanted: Sequence[str]) -> CheckedNode:
    node_id = known_id(tree, written)
    node = next((node for node in walk(tree) if node.id == node_id), None)
    if node is None:
        return CheckedNode(written=written, problem="the tree has no such node")
    problem = ""
    pages = node.covering
    if not 1 <= pages.first <= pages.last <= tree.total_pages:
        problem = f"its pages {pages} are not among the paper's {tree.total_pages}"
    elif not shared_words(node, wanted):
        problem = "its title and summary share no word with the question"
    return CheckedNode(written=written, node_id=node.id, problem=problem)


def _located(path: Sequence[Node], shared: tuple[str, ...]) -> LocatedSection:
    node = path[-1]
    return LocatedSection(
        node_id=node.id,
        title=node.printed,
        path=" > ".join(each.printed for each in path),
        pages=node.covering,
        shared=shared,
    )
