# pyright: reportMissingTypeStubs=false
# LangGraph is typed but ships no marker in its namespace package.
"""The graph: ``prepare → agent → (search | navigate | read | reject) → agent → finalize``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.language_models import BaseChatModel
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import RetryPolicy

from langchain_vectree.chat_models import as_chat_model
from langchain_vectree.graph.asking import Asking, after_agent, after_layers
from langchain_vectree.graph.ending import Ending
from langchain_vectree.graph.layers import Layers, Review, layer_of
from langchain_vectree.graph.node import Node
from langchain_vectree.graph.state import (
    LAYER_NODES,
    LayerName,
    VecTreeContext,
    VecTreeOutput,
    VecTreeState,
)
from langchain_vectree.library import as_library
from vectree.agent.library import Library
from vectree.corpus.facade import Corpus
from vectree.errors import UsageError, VecTreeError
from vectree.llm.chat import ChatModel

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.store.base import BaseStore

DEFAULTS = VecTreeContext()
"""The paper's rules."""

Builder = StateGraph[VecTreeState, VecTreeContext, MessagesState, VecTreeOutput]


def worth_retrying(error: Exception) -> bool:
    """Whether the same call may succeed a moment later.

    Args:
        error: What a node raised.

    Returns:
        True for VecTree's errors that say so, and for those of files and connections.
    """
    if isinstance(error, VecTreeError):
        return error.retryable
    return isinstance(error, ConnectionError | TimeoutError | BlockingIOError)


LAYER_RETRY = RetryPolicy(initial_interval=0.2, max_attempts=3, retry_on=worth_retrying)
"""Tools only read, so that running one again does no harm."""


def build_vectree_graph(
    corpus: Corpus | Library,
    model: BaseChatModel | ChatModel | str | None = None,
    *,
    system_prompt: str | None = None,
    defaults: VecTreeContext = DEFAULTS,
    retry: Mapping[LayerName, RetryPolicy | None] | None = None,
    timeouts: Mapping[LayerName, float] | None = None,
    review: Review | None = None,
) -> Builder:
    """Build the graph without compiling it, for those who add nodes of their own.

    Args:
        corpus: Where it reads.
        model: Decides what to do; by default ``extractive``, which needs no service and no key.
        system_prompt: Takes the place of VecTree's.
        defaults: Settings of runs that are started without a context.
        retry: For each layer, when a failing call is run again; by default three times for errors that may
            pass. ``None`` for a layer: never.
        timeouts: Seconds a call of a layer may take; then the model is told so and goes on.
        review: Asked before each call; may interrupt, or answer in its place.

    Returns:
        The graph.
    """
    library = as_library(corpus)
    _check_names([*(retry or ()), *(timeouts or ())])
    asking = Asking(library, as_chat_model(model), prompt=system_prompt, defaults=defaults)
    layers = Layers(library, timeouts=timeouts or {}, review=review)
    # Any: LangGraph has no overload for nodes that take (state, config, runtime), nor for runnables of any
    # input, and its own types are partly unknown.
    graph: Any = StateGraph(
        VecTreeState, context_schema=VecTreeContext, input_schema=MessagesState, output_schema=VecTreeOutput
    )
    graph.add_node("prepare", asking.prepare)
    graph.add_node("agent", Node("agent", asking.ask, asking.aask))
    for name in LAYER_NODES:
        policy = (retry or {}).get(name, LAYER_RETRY)
        graph.add_node(
            name,
            Node(name, layers.run, layers.arun),
            metadata={"vectree_layer": int(layer_of(name))},
            retry_policy=policy,
        )
    graph.add_node("reject", Node("reject", layers.reject))
    graph.add_node("finalize", Node("finalize", Ending(library).finalize))
    graph.add_edge(START, "prepare")
    graph.add_edge("prepare", "agent")
    graph.add_conditional_edges("agent", after_agent, [*LAYER_NODES, "reject", "agent", "finalize"])
    for name in (*LAYER_NODES, "reject"):
        # Not one edge from all of them, which would wait for nodes that were never sent to.
        graph.add_conditional_edges(name, after_layers, ["agent", "finalize"])
    graph.add_edge("finalize", END)
    return graph


def create_vectree_graph(
    corpus: Corpus | Library,
    model: BaseChatModel | ChatModel | str | None = None,
    *,
    checkpointer: BaseCheckpointSaver[Any] | bool | None = None,
    store: BaseStore | None = None,
    interrupt_before: Sequence[str] | Literal["*"] | None = None,
    interrupt_after: Sequence[str] | Literal["*"] | None = None,
    name: str = "vectree",
    system_prompt: str | None = None,
    defaults: VecTreeContext = DEFAULTS,
    retry: Mapping[LayerName, RetryPolicy | None] | None = None,
    timeouts: Mapping[LayerName, float] | None = None,
    review: Review | None = None,
) -> CompiledStateGraph[VecTreeState, VecTreeContext, MessagesState, VecTreeOutput]:
    """The agent of the paper (Algorithm 1) as a compiled LangGraph graph.

    ``graph.invoke({"messages": [("user", question)]})`` returns the messages, the answer last, and under
    ``vectree_answer`` the answer with its citations checked against the pages that were read.

    Args:
        corpus: Where it reads.
        model: Decides what to do; by default ``extractive``, which needs no service and no key.
        checkpointer: Keeps runs; leave it out in a subgraph, which inherits its parent's.
        store: Passed to LangGraph.
        interrupt_before: Nodes before which a run pauses: ``["read"]`` for a look before any page is read.
        interrupt_after: Nodes after which a run pauses.
        name: Name in traces, and of the subgraph.
        system_prompt: Takes the place of VecTree's.
        defaults: Settings of runs that are started without a context.
        retry: For each layer, when a failing call is run again.
        timeouts: Seconds a call of a layer may take.
        review: Asked before each call; may interrupt, or answer in its place.

    Returns:
        The graph.
    """
    graph: Any = build_vectree_graph(
        corpus,
        model,
        system_prompt=system_prompt,
        defaults=defaults,
        retry=retry,
        timeouts=timeouts,
        review=review,
    )
    compiled: Any = graph.compile(
        checkpointer=checkpointer,
        store=store,
        interrupt_before=_nodes(interrupt_before),
        interrupt_after=_nodes(interrupt_after),
        name=name,
    )
    return compiled.with_config({"metadata": {"ls_integration": "langchain_vectree", "lc_agent_name": name}})


def _nodes(names: Sequence[str] | Literal["*"] | None) -> Any:
    return names if names is None or names == "*" else list(names)


def _check_names(names: Sequence[str]) -> None:
    unknown = sorted(set(names) - set(LAYER_NODES))
    if unknown:
        raise UsageError(f"Unknown layers {unknown}; there are {list(LAYER_NODES)}.")
