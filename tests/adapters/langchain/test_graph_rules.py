"""Every rule of Algorithm 1 in the graph: the same run as the core's loop, however it is driven."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_scripts import ANSWER, SCRIPTS, never_stops, thread
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

from langchain_vectree.graph import VecTreeContext, create_vectree_graph
from vectree.agent.loop import answer_question
from vectree.agent.trajectory import step_data
from vectree.errors import NoAnswer
from vectree.evidence import Answer
from vectree.llm.chat import Role
from vectree.llm.scripted import FunctionModel, ScriptedModel, call
from vectree.testing.library import MemoryLibrary

QUESTION = "What is the activation energy?"
ASKED = {"messages": [("user", QUESTION)]}


def core_run(library: MemoryLibrary, name: str) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel(SCRIPTS[name]())
    return answer_question(QUESTION, library=library, model=model), model


def observations(model: FunctionModel) -> list[str]:
    return [m.text for m in model.requests[-1].messages if m.role is Role.TOOL]


def same(state: dict[str, Any], model: ScriptedModel, library: MemoryLibrary, name: str) -> None:
    """The graph's answer is the core's in every field, and its model was told the same."""
    expected, core_model = core_run(library, name)
    answer = state["vectree_answer"]
    assert answer["trajectory"] == [step_data(step) for step in expected.trajectory]
    assert (answer["text"], answer["stopped"]) == (expected.text, expected.stopped)
    assert answer["citations"] == [
        {"doc_id": c.doc_id, "page": c.page, "status": c.status.value, "text": c.text}
        for c in expected.citations
    ]
    assert answer["uncited"] == list(expected.uncited)
    assert answer["evidence"] == [
        {"doc_id": e.doc_id, "page": e.page, "node_id": e.node_id} for e in expected.evidence
    ]
    assert answer["titles"] == expected.titles
    assert answer["usage"]["prompt_tokens"] == expected.usage.prompt_tokens
    assert answer["usage"]["model_calls"] == expected.usage.model_calls
    assert answer["question"] == QUESTION
    assert state["messages"][-1].text.strip() == expected.text
    assert len(model.requests) == len(core_model.requests)
    assert observations(model) == observations(core_model)
    assert model.requests[0].messages[0].text == core_model.requests[0].messages[0].text
    assert model.requests[0].tools == core_model.requests[0].tools


@pytest.mark.parametrize("name", SCRIPTS)
def test_serial_runs_are_the_core_s(library: MemoryLibrary, name: str) -> None:
    model = ScriptedModel(SCRIPTS[name]())
    state = create_vectree_graph(library, model).invoke(ASKED)
    same(state, model, library, name)


@pytest.mark.parametrize("name", SCRIPTS)
async def test_async_runs_are_the_core_s(library: MemoryLibrary, name: str) -> None:
    model = ScriptedModel(SCRIPTS[name]())
    state = await create_vectree_graph(library, model).ainvoke(ASKED)
    same(state, model, library, name)


@contextmanager
def _sqlite(folder: Path) -> Iterator[Any]:
    sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")
    with sqlite.SqliteSaver.from_conn_string(str(folder / "runs.db")) as saver:
        yield saver


@contextmanager
def _memory(folder: Path) -> Iterator[Any]:
    yield InMemorySaver()


SAVERS: dict[str, Callable[[Path], Any]] = {"memory": _memory, "sqlite": _sqlite}


@pytest.mark.parametrize("saver", SAVERS)
@pytest.mark.parametrize("name", SCRIPTS)
def test_runs_resumed_after_every_step_are_the_core_s(
    library: MemoryLibrary, name: str, saver: str, tmp_path: Path
) -> None:
    """Another graph takes over at every step, as another process would, from what was kept."""
    model, config = ScriptedModel(SCRIPTS[name]()), thread()
    with SAVERS[saver](tmp_path) as checkpointer:
        settings: dict[str, Any] = {"checkpointer": checkpointer, "interrupt_before": "*"}
        graphs = itertools.cycle([create_vectree_graph(library, model, **settings) for _ in range(2)])
        next(graphs).invoke(ASKED, config)
        for graph in itertools.islice(graphs, 200):
            if not graph.get_state(config).next:
                break
            graph.invoke(None, config)
        same(next(graphs).get_state(config).values, model, library, name)


@pytest.mark.parametrize("name", SCRIPTS)
async def test_runs_resumed_from_async_sqlite_are_the_core_s(
    library: MemoryLibrary, name: str, tmp_path: Path
) -> None:
    aio = pytest.importorskip("langgraph.checkpoint.sqlite.aio")
    model, config = ScriptedModel(SCRIPTS[name]()), thread()
    async with aio.AsyncSqliteSaver.from_conn_string(str(tmp_path / "runs.db")) as checkpointer:
        settings: dict[str, Any] = {
            "checkpointer": checkpointer,
            "interrupt_before": ["search", "navigate", "read", "reject", "finalize"],
        }
        graphs = itertools.cycle([create_vectree_graph(library, model, **settings) for _ in range(2)])
        await next(graphs).ainvoke(ASKED, config)
        while (await next(graphs).aget_state(config)).next:
            await next(graphs).ainvoke(None, config)
        same((await next(graphs).aget_state(config)).values, model, library, name)


class Parent(MessagesState):
    """A parent with an ``answer`` of its own, and one key that it shares."""

    answer: str
    vectree_answer: dict[str, Any]


def parent_of(graph: Any, **compiled: Any) -> Any:
    parent = StateGraph(Parent)
    parent.add_node("papers", graph)
    parent.add_node("judge", lambda state: {"answer": "judged: " + state["messages"][-1].text})
    parent.add_edge(START, "papers")
    parent.add_edge("papers", "judge")
    parent.add_edge("judge", END)
    return parent.compile(**compiled)


@pytest.mark.parametrize("name", SCRIPTS)
def test_runs_inside_a_parent_graph_are_the_core_s(library: MemoryLibrary, name: str) -> None:
    model = ScriptedModel(SCRIPTS[name]())
    app = parent_of(create_vectree_graph(library, model), checkpointer=InMemorySaver())
    state = app.invoke(ASKED, thread())
    assert state["answer"].startswith("judged: ")
    assert set(state) == {"messages", "answer", "vectree_answer"}
    same(state, model, library, name)


@pytest.mark.parametrize("name", ["parallel", "malformed"])
def test_runs_inside_a_parent_graph_resume(library: MemoryLibrary, name: str) -> None:
    model, config = ScriptedModel(SCRIPTS[name]()), thread()
    graph = create_vectree_graph(library, model, interrupt_before=["read", "reject"])
    app = parent_of(graph, checkpointer=InMemorySaver())
    app.invoke(ASKED, config)
    pauses = 0
    while app.get_state(config).next:
        pauses += 1
        app.invoke(None, config)
    assert pauses >= 1
    same(app.get_state(config).values, model, library, name)


def test_every_issued_call_counts_and_is_answered(library: MemoryLibrary) -> None:
    state = create_vectree_graph(library, ScriptedModel(SCRIPTS["malformed"]())).invoke(ASKED)
    issued = next(m for m in state["messages"] if isinstance(m, AIMessage))
    answered = [m.tool_call_id for m in state["messages"] if isinstance(m, ToolMessage)]
    ids = [c["id"] for c in (*issued.tool_calls, *issued.invalid_tool_calls)]
    assert sorted(answered) == sorted(ids)
    assert state["vectree_answer"]["calls"] == len(ids) == 9


def test_the_reminder_is_on_the_tenth_call_and_every_later_one(library: MemoryLibrary) -> None:
    model = ScriptedModel(SCRIPTS["parallel"]())
    create_vectree_graph(library, model).invoke(ASKED)
    with_reminder = ["tool calls" in text.rsplit("\n\n", 1)[-1].casefold() for text in observations(model)]
    plain = create_vectree_graph(library, ScriptedModel(SCRIPTS["parallel"]()))
    state = plain.invoke(ASKED, context={"reminder_from": 1000})
    without = [m.text for m in state["messages"] if isinstance(m, ToolMessage)]
    differs = [a != b for a, b in zip(observations(model), without, strict=True)]
    assert differs == [False] * 9 + [True] * 7
    assert len(with_reminder) == 16


def test_thirty_rounds_then_the_last_text(library: MemoryLibrary) -> None:
    model = ScriptedModel(never_stops())
    state = create_vectree_graph(library, model).invoke(ASKED)
    assert (len(model.requests), state["vectree_answer"]["rounds"]) == (30, 30)
    assert state["messages"][-1].text == "A draft."
    assert state["messages"][-1].additional_kwargs["vectree_stopped"] == "round limit"
    assert sum(isinstance(m, ToolMessage) for m in state["messages"]) == 30  # the last round's too


def test_no_text_at_all_is_no_answer_with_the_steps(library: MemoryLibrary) -> None:
    model = FunctionModel(lambda _: call("search_documents", query="garnet"))
    with pytest.raises(NoAnswer) as caught:
        create_vectree_graph(library, model).invoke(ASKED)
    assert len(caught.value.trajectory) == 30


def test_the_cap_survives_a_resume_without_context(library: MemoryLibrary) -> None:
    model, config = ScriptedModel(never_stops()), thread()
    graph = create_vectree_graph(library, model, checkpointer=InMemorySaver(), interrupt_before=["agent"])
    graph.invoke(ASKED, config, context=VecTreeContext(max_rounds=6))
    while graph.get_state(config).next:
        graph.invoke(None, config)
    assert len(model.requests) == 6


@pytest.mark.parametrize("limit", [5, 6, 7, 11, 12, 25, 40, 61, 62])
def test_a_smaller_recursion_limit_ends_the_run_with_an_answer(library: MemoryLibrary, limit: int) -> None:
    model = FunctionModel(lambda _: _drafting())
    state = create_vectree_graph(library, model).invoke(ASKED, {"recursion_limit": limit})
    assert state["messages"][-1].text == "draft"
    assert state["vectree_answer"]["stopped"] == "round limit"
    assert (limit - 3) // 2 - 1 <= len(model.requests) <= (limit - 3) // 2 + 1


@pytest.mark.parametrize("limit", [63, 64, 200])
def test_sixty_three_steps_are_room_for_thirty_rounds(library: MemoryLibrary, limit: int) -> None:
    model = FunctionModel(lambda _: _drafting())
    create_vectree_graph(library, model).invoke(ASKED, {"recursion_limit": limit})
    assert len(model.requests) == 30


def test_a_parent_s_recursion_limit_ends_the_run_with_an_answer(library: MemoryLibrary) -> None:
    model = FunctionModel(lambda _: _drafting())
    state = parent_of(create_vectree_graph(library, model)).invoke(ASKED, {"recursion_limit": 25})
    assert state["answer"] == "judged: draft"


def test_a_smaller_limit_on_resume_ends_the_run_with_an_answer(library: MemoryLibrary) -> None:
    model, config = FunctionModel(lambda _: _drafting()), thread()
    graph = create_vectree_graph(library, model, checkpointer=InMemorySaver(), interrupt_after=["prepare"])
    graph.invoke(ASKED, config)
    state = graph.invoke(None, {**config, "recursion_limit": 12})
    assert state["messages"][-1].text == "draft"
    assert 3 <= len(model.requests) <= 6


def _drafting() -> Any:
    searched = call("search_documents", query="garnet")
    return type(searched)(text="draft", tool_calls=searched.tool_calls)


def test_counters_start_anew_with_each_question(library: MemoryLibrary) -> None:
    replies = [call("search_documents", query="x"), "first", call("get_document_tree", doc_id="none"), ANSWER]
    graph = create_vectree_graph(library, ScriptedModel(replies), checkpointer=InMemorySaver())
    config = thread()
    graph.invoke(ASKED, config)
    state = graph.invoke({"messages": [("user", "And now?")]}, config)
    answer = state["vectree_answer"]
    assert (answer["rounds"], answer["calls"], answer["question"]) == (2, 1, "And now?")
    assert [step["tool"] for step in answer["trajectory"]] == ["get_document_tree"]
    assert answer["citations"][0]["status"] == "unread"  # read by nobody in this run


def test_an_empty_reply_is_nudged_and_not_repeated_to_the_model(library: MemoryLibrary) -> None:
    state = create_vectree_graph(library, ScriptedModel(SCRIPTS["nudged"]())).invoke(ASKED)
    nudges = [m for m in state["messages"] if isinstance(m, HumanMessage)][1:]
    assert len(nudges) == 1
    assert all(m.text or m.tool_calls for m in state["messages"] if isinstance(m, AIMessage))
