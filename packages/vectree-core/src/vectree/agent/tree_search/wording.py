"""The words of verified tree search: the request, and the error report of a retry (§3.4)."""

from __future__ import annotations

from vectree.agent.tree_search.located import Attempt
from vectree.document import Record, SectionTree
from vectree.fence import fence_for
from vectree.llm.chat import ChatRequest, Message, Role
from vectree.prompts import fill
from vectree.tokens import CHARACTERS_PER_TOKEN
from vectree.tree.outline import clip, outline_text
from vectree.tree.walk import walk

TREE_TOKENS = 2_000
"""Tokens that the tree may take in the request; the agent's tools show it in 500."""

_WINDOW_SHARE = 0.5
_MAX_TITLE = 200
_MAX_WRITTEN = 60
_MAX_QUESTION = 4_000


def first_request(
    record: Record, tree: SectionTree, question: str, *, most: int, tokens: int, window: int | None
) -> ChatRequest:
    """Ask for the nodes that hold an answer.

    Args:
        record: The paper.
        tree: Its tree.
        question: The question.
        most: Nodes to name at most.
        tokens: Tokens that the tree may take.
        window: Tokens of the model's window, of which the tree takes at most half; ``None`` if unknown.

    Returns:
        The request; titles and summaries are quoted in marks that they cannot close.
    """
    shown = _fitting(outline_text(tree, tokens=tokens), window)
    text = fill(
        "tree_search",
        question=clip(question, _MAX_QUESTION),
        title=clip(record.metadata.title or record.doc_id, _MAX_TITLE),
        pages=str(tree.total_pages),
        tree=shown,
        mark=fence_for([shown]),
        most=str(most),
    )
    return ChatRequest(messages=(Message(role=Role.USER, text=text),))


def error_report(attempt: Attempt, tree: SectionTree) -> str:
    """Say what is wrong with an attempt, and ask again.

    Args:
        attempt: The attempt.
        tree: The paper's tree.

    Returns:
        A line for each node that does not pass.
    """
    if attempt.problem:
        return fill("tree_search_again", report=f"- {attempt.problem}")
    ids = [node.id for node in walk(tree)]
    lines = [
        f"- {clip(node.written, _MAX_WRITTEN)}: {node.problem}"
        + ("" if node.node_id or not ids else f"; ids run from {ids[0]} to {ids[-1]}")
        for node in attempt.nodes
        if not node.passed
    ]
    passed = sum(node.passed for node in attempt.nodes)
    lines.append(f"- {passed} of the {len(attempt.nodes)} sections named can be used")
    return fill("tree_search_again", report="\n".join(lines))


def _fitting(outline: str, window: int | None) -> str:
    """The lines of a tree that fit half of the window; what is missing is counted."""
    room = len(outline) if window is None else int(window * _WINDOW_SHARE) * CHARACTERS_PER_TOKEN
    if len(outline) <= room:
        return outline
    lines = outline.split("\n")
    kept = 0
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept += 1
    return "\n".join([*lines[:kept], f"… {len(lines) - kept} more sections"])
