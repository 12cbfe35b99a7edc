"""How an answer is shown: the walk that led to it, the text, its sources, and what could not be checked."""

from __future__ import annotations

from typing import TextIO

from vectree.cli import output
from vectree.corpus import Corpus
from vectree.evidence import Answer, Citation, RunUsage, Step
from vectree.tree.walk import find_node

_LAYER_NAMES = {0: "find papers", 1: "navigate", 2: "read pages"}
_ENDINGS = {
    "round limit": "The run reached its last round; this is the last thing the model said.",
    "empty reply": "The model fell silent; this is the last thing it said.",
    "cancelled": "The run was cancelled; this is the last thing the model said.",
}


def step_line(step: Step) -> str:
    """One tool call of the walk through the layers, as a line.

    Args:
        step: The call.

    Returns:
        For example ``"  1  layer 0  find papers  search_documents(query='…')  412 tokens"``.
    """
    layer = "layer ?" if step.layer is None else f"layer {step.layer}"
    name = _LAYER_NAMES.get(-1 if step.layer is None else step.layer, "unknown tool")
    arguments = ", ".join(f"{key}={value!r}" for key, value in step.arguments.items() if value is not None)
    said = output.clip(step.error.removeprefix("Error: "), 200)
    outcome = f"error: {said}" if step.error else f"{step.tokens} tokens"
    called = output.clip(f"{step.tool}({arguments})", 90)
    return f"{step.call:3}  {layer}  {name:11}  {called}  {outcome}"


def write_answer(library: Corpus, answer: Answer, stream: TextIO) -> None:
    """Write an answer, its citations, the evidence table, and what could not be checked.

    Args:
        library: The corpus that was asked, for the names of sections.
        answer: The answer.
        stream: Where to.
    """
    output.write(answer.text, stream)
    if ending := _ENDINGS.get(answer.stopped):
        output.write(f"\n[{ending}]", stream)
    output.write("\nCitations", stream)
    lines = [_citation_line(citation) for citation in answer.citations]
    for line in dict.fromkeys(lines) or ["  none"]:
        output.write(line, stream)
    output.write("\nEvidence (pages that were read)", stream)
    rows = [("document", "page", "section"), *_evidence_rows(library, answer)]
    for line in output.columns(rows) if answer.evidence else ["none"]:
        output.write(f"  {line}", stream)
    for heading, items in _unchecked(answer):
        output.write(f"\n{heading}", stream)
        for item in items:
            output.write(f"  - {item}", stream)


def usage_line(answer: Answer) -> str:
    """What an answer cost, as a line.

    Args:
        answer: The answer.

    Returns:
        Calls, tokens and money; an unknown price is said to be unknown.
    """
    parts = [_usage(answer.usage)]
    if answer.navigation is not None:
        parts.append(f"of it for navigation: {_usage(answer.navigation)}")
    if answer.saved_tokens:
        parts.append(f"{answer.saved_tokens} tokens of old page texts were not sent again")
    return "; ".join(parts)


def _usage(usage: RunUsage) -> str:
    cost = "price unknown" if usage.cost is None else f"${usage.cost:.4f}"
    return (
        f"{usage.model_calls} model calls, {usage.prompt_tokens} tokens sent ({usage.cached_tokens} cached), "
        f"{usage.completion_tokens} generated, {cost}"
    )


def _unchecked(answer: Answer) -> list[tuple[str, list[str]]]:
    """What could not be checked: headings with their items."""
    found: list[tuple[str, list[str]]] = []
    if answer.no_evidence:
        found.append(("Not checked: any of it, since no page was read for this answer", []))
    elif answer.uncited:
        heading = f"Not checked: {len(answer.uncited)} sentence(s) without a citation of a page read"
        found.append((heading, [output.clip(sentence, 110) for sentence in answer.uncited]))
    if unread := [citation for citation in answer.citations if not citation.read]:
        heading = f"Not checked: {len(unread)} citation(s) of pages that were not read"
        items = [f"{c.doc_id}, p.{c.page}: {c.status.value.replace('_', ' ')}" for c in unread]
        found.append((heading, list(dict.fromkeys(items))))
    if answer.unfound:
        heading = (
            f"Not checked: {len(answer.unfound)} number(s) that the text of the pages cited does not hold"
        )
        items = [
            f"{n.number} in “{output.clip(n.sentence, 80)}” ({', '.join(f'{d}, p.{p}' for d, p in n.pages)})"
            for n in answer.unfound
        ]
        found.append((heading, items))
    return found


def _citation_line(citation: Citation) -> str:
    mark = "✓ read" if citation.read else f"✗ {citation.status.value.replace('_', ' ')}"
    return f"  {mark}  {citation.doc_id}, p.{citation.page}"


def _evidence_rows(library: Corpus, answer: Answer) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for item in answer.evidence:
        node = find_node(library.tree(item.doc_id), item.node_id)
        section = f"{item.node_id}  {output.clip(node.printed, 70)}" if node else "—"
        rows.append((item.doc_id, str(item.page), section))
    return rows
