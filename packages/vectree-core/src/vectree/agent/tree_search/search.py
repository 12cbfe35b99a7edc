"""Verified tree search (§3.4): a model names nodes, rules check them, and rules take over if it fails.

The confidence says that what the model returned conforms: the nodes exist, have valid pages, and share words
with the question. It does not say that they hold the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from vectree.agent.library import Library
from vectree.agent.tree_search.checks import (
    FALLBACK_NODES,
    check_nodes,
    lexical_nodes,
    located_nodes,
    query_words,
)
from vectree.agent.tree_search.located import Attempt, Located, LocatedSection, Method
from vectree.agent.tree_search.wording import TREE_TOKENS, error_report, first_request
from vectree.document import SectionTree
from vectree.errors import ModelReplyError
from vectree.evidence import RunUsage
from vectree.llm.chat import ChatModel, ChatRequest, Message, Role
from vectree.llm.structured import ask
from vectree.llm.usage import MeteredModel

MIN_CONFIDENCE = 0.5
"""§3.4: a lower share of passing nodes triggers a retry."""

MAX_RETRIES = 2
"""§3.4: at most two retries with an error report."""

MAX_NODES = 10
"""Nodes of a reply that are looked at; a model that names them all has located nothing."""

_MAX_ID = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSearchSettings:
    """How a paper is searched.

    Attributes:
        min_confidence: Share of the named nodes that must pass.
        max_retries: Times the model is asked again.
        fallback_nodes: Nodes that the lexical fallback returns, and the search without a model.
        tree_tokens: Tokens of the tree in the request; at most half of the model's window.
    """

    min_confidence: float = MIN_CONFIDENCE
    max_retries: int = MAX_RETRIES
    fallback_nodes: int = FALLBACK_NODES
    tree_tokens: int = TREE_TOKENS


def _identifier(value: Any) -> Any:
    """Numbers and objects with an id are taken for the identifier they hold."""
    if isinstance(value, dict):
        held: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
        value = held.get("id", held.get("node_id"))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class _Candidates(BaseModel):
    """What the model returns."""

    nodes: Annotated[
        list[Annotated[str, BeforeValidator(_identifier), Field(max_length=_MAX_ID)]],
        Field(json_schema_extra={"maxItems": MAX_NODES}),
    ]


def locate(
    library: Library,
    doc_id: str,
    question: str,
    *,
    model: ChatModel | None,
    settings: TreeSearchSettings = TreeSearchSettings(),
) -> Located:
    """Find the sections of a paper in which the answer to a question stands.

    Without a model nothing can be named and checked: then the paper's sections are ranked by words and
    vectors together, and the result says so.

    Args:
        library: The corpus.
        doc_id: The paper.
        question: The question.
        model: Names nodes; ``None`` to rank only.
        settings: Confidence, retries, sizes.

    Returns:
        The sections with confidence, retries and fallback. A question without any word raises
        ``UsageError``, an unknown paper ``UnknownDocument``, a failing service ``ModelRequestError``.
    """
    tree = library.tree(doc_id)
    wanted = query_words(question)
    if model is None:
        hits = library.within(doc_id, question, top_k=settings.fallback_nodes)
        sections = located_nodes(tree, (hit.node_id for hit in hits), wanted)
        return Located(doc_id=doc_id, question=question, method=Method.HYBRID, sections=sections)
    metered = MeteredModel(model)
    request = first_request(
        library.record(doc_id),
        tree,
        question,
        most=settings.fallback_nodes,
        tokens=settings.tree_tokens,
        window=model.context_window,
    )
    attempts = _attempts(request, tree, wanted, metered, settings)
    method, sections = _outcome(attempts[-1], tree, wanted, settings)
    return Located(
        doc_id=doc_id,
        question=question,
        method=method,
        sections=sections,
        attempts=tuple(attempts),
        usage=_run_usage(metered),
        model=model.name,
    )


def _attempts(
    request: ChatRequest,
    tree: SectionTree,
    wanted: Sequence[str],
    model: ChatModel,
    settings: TreeSearchSettings,
) -> list[Attempt]:
    """Ask until enough nodes pass or the retries are used up; at least one attempt."""
    attempts: list[Attempt] = []
    while True:
        attempt, said = _attempt(request, tree, wanted, model)
        attempts.append(attempt)
        if attempt.confidence >= settings.min_confidence or len(attempts) > settings.max_retries:
            return attempts
        request = replace(
            request,
            messages=(
                *request.messages,
                Message(role=Role.ASSISTANT, text=said),
                Message(role=Role.USER, text=error_report(attempt, tree)),
            ),
        )


def _attempt(
    request: ChatRequest, tree: SectionTree, wanted: Sequence[str], model: ChatModel
) -> tuple[Attempt, str]:
    """One reply, checked, and how to repeat it to the model."""
    try:
        reply = ask(model, request, _Candidates, attempts=1)
    except ModelReplyError as error:
        return Attempt(problem="the reply is not JSON of the form asked for"), error.reply or "(no reply)"
    named = reply.nodes[:MAX_NODES]
    if not named:
        return Attempt(problem="no section is named"), reply.model_dump_json()
    return Attempt(nodes=check_nodes(tree, named, wanted)), reply.model_dump_json()


def _outcome(
    last: Attempt, tree: SectionTree, wanted: Sequence[str], settings: TreeSearchSettings
) -> tuple[Method, tuple[LocatedSection, ...]]:
    if last.confidence >= settings.min_confidence:
        passed = (node.node_id for node in last.nodes if node.passed)
        return Method.MODEL, located_nodes(tree, passed, wanted)
    return Method.LEXICAL, lexical_nodes(tree, wanted, most=settings.fallback_nodes)


def _run_usage(metered: MeteredModel) -> RunUsage:
    usage = metered.usage
    return RunUsage(
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cached_tokens=usage.cached_tokens,
        model_calls=metered.calls,
        cost=usage.cost,
    )
