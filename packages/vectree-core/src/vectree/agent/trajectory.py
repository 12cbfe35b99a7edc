"""What a run did, from its ordered steps: pages read, evidence, tokens by layer, order of the layers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from vectree.agent.layers import Layer
from vectree.agent.library import Library
from vectree.document import SectionTree
from vectree.errors import UnknownDocument
from vectree.evidence import Evidence, RunUsage, Step
from vectree.llm.chat import Usage
from vectree.tree.walk import deepest_on_page


def pages_read(steps: Iterable[Step]) -> tuple[tuple[str, int], ...]:
    """The pages whose text or figure the model was given.

    Args:
        steps: Steps of a run.

    Returns:
        Distinct (doc_id, page) pairs in the order of first reading.
    """
    return tuple(dict.fromkeys(source for step in steps for source in step.sources))


def evidence(steps: Iterable[Step], library: Library) -> tuple[Evidence, ...]:
    """The evidence set of a run (§4.3): each page that was read once, with the deepest section it belongs to.

    A paper that was removed during the run stays in the set; its sections are unknown then.

    Args:
        steps: Steps of a run.
        library: The corpus the run used.

    Returns:
        Evidence ordered by document, as first read, and page.
    """
    found: list[Evidence] = []
    by_document: dict[str, list[int]] = {}
    for doc_id, page in pages_read(steps):
        by_document.setdefault(doc_id, []).append(page)
    for doc_id, pages in by_document.items():
        tree = _tree(library, doc_id)
        for page in sorted(pages):
            node = deepest_on_page(tree, page) if tree else None
            found.append(Evidence(doc_id=doc_id, page=page, node_id=node.id if node else ""))
    return tuple(found)


def _tree(library: Library, doc_id: str) -> SectionTree | None:
    try:
        return library.tree(doc_id)
    except UnknownDocument:
        return None


def tokens_by_layer(steps: Iterable[Step]) -> dict[int, int]:
    """Payload tokens the tools returned, by disclosure layer.

    Args:
        steps: Steps of a run.

    Returns:
        Layer to tokens for layers 0, 1 and 2; calls of unknown tools are left out.
    """
    totals = {int(layer): 0 for layer in Layer}
    for step in steps:
        if step.layer is not None:
            totals[step.layer] += step.tokens
    return totals


def layer_order(steps: Iterable[Step]) -> float | None:
    """How far a run kept the order search, structure, text.

    A structure call is in order if a corpus call succeeded before it; a text call is in order if the
    structure of the same document was opened before it. Corpus calls, failed calls and unknown tools do not
    count.

    Args:
        steps: Steps of a run, in order.

    Returns:
        Share of structure and text calls that were in order, 0 to 1; ``None`` if there were none.
    """
    searched = False
    opened: set[str] = set()
    kept: list[bool] = []
    for step in steps:
        if step.error or step.layer is None:
            continue
        document = str(step.arguments.get("doc_id", ""))
        if step.layer == Layer.CORPUS:
            searched = True
        elif step.layer == Layer.STRUCTURE:
            kept.append(searched)
            opened.add(document)
        else:
            kept.append(document in opened)
    return sum(kept) / len(kept) if kept else None


def add_usage(total: RunUsage, usage: Usage) -> RunUsage:
    """Add one model call to a run's usage.

    Args:
        total: Usage so far.
        usage: Of the call.

    Returns:
        The sum; its cost is ``None`` as soon as one call's price is unknown.
    """
    first = total.model_calls == 0
    known = usage.cost is not None and (first or total.cost is not None)
    return RunUsage(
        prompt_tokens=total.prompt_tokens + usage.prompt_tokens,
        completion_tokens=total.completion_tokens + usage.completion_tokens,
        cached_tokens=total.cached_tokens + usage.cached_tokens,
        model_calls=total.model_calls + 1,
        cost=(total.cost or 0.0) + (usage.cost or 0.0) if known else None,
    )


def step_data(step: Step) -> dict[str, Any]:
    """A step as plain JSON types.

    Args:
        step: The step.

    Returns:
        Its fields; sources as ``[doc_id, page]`` pairs.
    """
    return {
        "round": step.round,
        "call": step.call,
        "tool": step.tool,
        "layer": step.layer,
        "arguments": step.arguments,
        "tokens": step.tokens,
        "error": step.error,
        "sources": [list(source) for source in step.sources],
    }


def to_jsonl(steps: Sequence[Step]) -> str:
    """A trajectory as JSON Lines.

    Args:
        steps: Steps of a run, in order.

    Returns:
        One JSON object a line, each line ended.
    """
    return "".join(json.dumps(step_data(step), ensure_ascii=False) + "\n" for step in steps)


def from_jsonl(text: str) -> tuple[Step, ...]:
    """Read a trajectory back.

    Args:
        text: What ``to_jsonl`` wrote.

    Returns:
        The steps.
    """
    return tuple(_step(json.loads(line)) for line in text.split("\n") if line.strip())


def _step(row: dict[str, Any]) -> Step:
    sources = tuple((str(doc_id), int(page)) for doc_id, page in row.pop("sources"))
    return Step(sources=sources, **row)
