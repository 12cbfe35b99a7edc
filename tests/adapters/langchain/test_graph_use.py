"""What applications do with the graph: stream, draw, pause and keep it, and share an event loop with it."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_scripts import ANSWER, BERG, READ_3, SCRIPTS, plain, thread
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.pregel import Pregel
from langgraph.types import Command, RetryPolicy, interrupt

from langchain_vectree.graph import VecTreeContext, build_vectree_graph, create_vectree_graph, steps_of
from vectree.errors import CorpusLocked, EmbedderError, UsageError
from vectree.llm.scripted import FunctionModel, ScriptedModel, call, calls
from vectree.testing.library import MemoryLibrary
from vectree.testing.sample_papers import SAMPLE_PAPERS

ASKED = {"messages": [("user", "What is the activation energy?")]}
DOCS = Path(__file__).parents[3] / "docs" / "langchain.md"


class Streaming(BaseChatModel):
    """Says words one by one; issues one search first."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    @property
    def _llm_type(self) -> str:
        return "streaming"

    def _generate(
        self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        raise AssertionError("it streams")

    def _stream(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> Any:
        if isinstance(messages[-1], ToolMessage):
            for word in ("two", " words"):
                yield ChatGenerationChunk(message=AIMessageChunk(word))
            return
        chunk = {"name": "search_documents", "args": '{"query": "garnet"}', "id": "a", "index": 0}
        yield ChatGenerationChunk(message=AIMessageChunk("", tool_call_chunks=[chunk]))


def test_the_steps_of_a_run_are_its_layers(library: MemoryLibrary) -> None:
    graph = create_vectree_graph(library, ScriptedModel(plain()))
    nodes = [next(iter(update)) for update in graph.stream(ASKED, stream_mode="updates")]
    assert nodes == ["prepare", "agent", "search", "agent", "navigate", "agent", "read", "agent", "finalize"]


def test_custom_events_tell_the_progress_of_each_layer(library: MemoryLibrary) -> None:
    graph = create_vectree_graph(library, ScriptedModel(SCRIPTS["malformed"]()))
    events = [event["vectree"] for event in graph.stream(ASKED, stream_mode="custom")]
    assert json.loads(json.dumps(events)) == events
    started = {e["call"]: e for e in events if e["status"] == "start"}
    ended = {e["call"]: e for e in events if e["status"] != "start"}
    assert sorted(started) == sorted(ended) == list(range(1, 10))
    assert (ended[2]["node"], ended[2]["layer"], ended[2]["sources"]) == ("read", 2, [[BERG, 3]])
    assert (ended[3]["node"], ended[3]["layer"], ended[3]["status"]) == ("reject", None, "error")


def test_words_arrive_one_by_one(library: MemoryLibrary) -> None:
    graph = create_vectree_graph(library, Streaming())
    parts = list(graph.stream(ASKED, stream_mode=["messages", "updates", "custom", "values"]))
    words = [
        m.text for mode, part in parts if mode == "messages" for m in part[:1] if m.type == "AIMessageChunk"
    ]
    assert [word for word in words if word] == ["two", " words"]
    assert {mode for mode, _ in parts} == {"messages", "updates", "custom", "values"}


async def test_every_stream_mode_works_async(library: MemoryLibrary) -> None:
    modes: list[Any] = ["values", "updates", "messages", "custom", "tasks", "checkpoints", "debug"]
    graph = create_vectree_graph(library, ScriptedModel(plain()), checkpointer=InMemorySaver())
    seen = {mode async for mode, _ in graph.astream(ASKED, thread(), stream_mode=modes)}
    assert seen == set(modes)


async def test_events_name_the_tools(library: MemoryLibrary) -> None:
    graph = create_vectree_graph(library, ScriptedModel(plain()))
    events = [e async for e in graph.astream_events(ASKED, version="v2")]
    tools = [
        (e["name"], e["metadata"]["vectree_layer"], "vectree" in e["tags"])
        for e in events
        if e["event"] == "on_tool_start"
    ]
    assert tools == [
        ("search_documents", 0, True),
        ("get_document_tree", 1, True),
        ("get_page_content", 2, True),
    ]


def test_the_drawing_in_the_docs_is_the_graph(library: MemoryLibrary) -> None:
    drawn = create_vectree_graph(library).get_graph().draw_mermaid()
    for layer, node in enumerate(("search", "navigate", "read")):
        assert f"{node}({node}<hr/><small><em>vectree_layer = {layer}</em></small>)" in drawn
    blocks = DOCS.read_text(encoding="utf-8").split("```mermaid\n")[1:]
    assert drawn.strip() in [block.split("```")[0].strip() for block in blocks]


def test_C29_state_is_plain_and_survives_a_strict_serializer(
    library: MemoryLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    graph = create_vectree_graph(library, ScriptedModel(SCRIPTS["parallel"]()), checkpointer=InMemorySaver())
    config = thread()
    graph.invoke(ASKED, config)
    values = graph.get_state(config).values
    serializer = JsonPlusSerializer(allowed_msgpack_modules=None)
    with caplog.at_level(logging.WARNING):
        restored = serializer.loads_typed(serializer.dumps_typed(values))
    assert restored == values
    assert not caplog.records
    own = {key: value for key, value in values.items() if key != "messages"}
    assert json.loads(json.dumps(own)) == own
    for message in values["messages"]:
        if isinstance(message, ToolMessage):
            assert json.loads(json.dumps(message.artifact)) == message.artifact


def test_C29_one_unknown_document_beside_a_good_call_loses_nothing(library: MemoryLibrary) -> None:
    replies = [calls(("get_page_content", {"doc_id": "nobody", "pages": "1"}), READ_3), ANSWER]
    state = create_vectree_graph(library, ScriptedModel(replies)).invoke(ASKED)
    results = [m for m in state["messages"] if isinstance(m, ToolMessage)]
    assert [m.status for m in results] == ["error", "success"]


def test_C29_default_tool_nodes_get_error_text_from_our_tools(library: MemoryLibrary) -> None:
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    from langchain_vectree import VecTreeToolkit

    graph = StateGraph(MessagesState)
    graph.add_node("tools", ToolNode(VecTreeToolkit(corpus=library).get_tools()))
    graph.add_edge(START, "tools")
    graph.add_edge("tools", END)
    wrong = {
        "type": "tool_call",
        "id": "a",
        "name": "get_page_content",
        "args": {"doc_id": "x", "pages": "1"},
    }
    right = {"type": "tool_call", "id": "b", "name": READ_3[0], "args": READ_3[1]}
    state = graph.compile(checkpointer=InMemorySaver()).invoke(
        {"messages": [AIMessage("", tool_calls=[wrong, right])]}, thread()
    )
    assert [m.status for m in state["messages"][1:]] == ["error", "success"]


def figure_script() -> list[Any]:
    return [
        call("get_page_image", doc_id=BERG, image="fig-3-1.png"),
        call("list_images", doc_id=BERG),
        ANSWER,
    ]


def test_figures_are_kept_by_reference_and_sent_as_bytes(library: MemoryLibrary) -> None:
    model, config = ScriptedModel(figure_script()), thread()
    graph = create_vectree_graph(library, model, checkpointer=InMemorySaver())
    state = graph.invoke(ASKED, config, context=VecTreeContext(image_delivery="tool"))
    assert all(isinstance(m.content, str) for m in state["messages"])
    assert [len(m.images) for m in model.requests[1].messages] == [0, 0, 0, 1]
    assert [len(m.images) for m in model.requests[2].messages] == [0, 0, 0, 1, 0, 0]


def test_by_default_figures_go_into_a_user_message_behind_the_results(library: MemoryLibrary) -> None:
    model = ScriptedModel(
        [
            calls(
                ("get_page_image", {"doc_id": BERG, "image": "fig-3-1.png"}),
                ("list_images", {"doc_id": BERG}),
            ),
            ANSWER,
        ]
    )
    state = create_vectree_graph(library, model).invoke(ASKED)
    sent = model.requests[1].messages
    assert [m.role.value for m in sent] == ["system", "user", "assistant", "tool", "tool", "user"]
    assert len(sent[-1].images) == 1
    assert sum(isinstance(m, HumanMessage) for m in state["messages"]) == 1  # not in the state


def test_a_model_without_eyes_is_told_so_and_has_read_nothing(library: MemoryLibrary) -> None:
    state = create_vectree_graph(library, ScriptedModel(figure_script())).invoke(
        ASKED, context={"image_delivery": "none"}
    )
    result = next(m for m in state["messages"] if isinstance(m, ToolMessage))
    assert "takes no images" in result.text
    assert state["vectree_answer"]["evidence"] == []
    assert state["vectree_answer"]["citations"][0]["status"] == "unread"


@pytest.mark.parametrize("layer", ["search", "navigate", "read"])
def test_a_run_can_pause_before_any_layer(library: MemoryLibrary, layer: str) -> None:
    graph = create_vectree_graph(
        library, ScriptedModel(plain()), checkpointer=InMemorySaver(), interrupt_before=[layer]
    )
    config = thread()
    graph.invoke(ASKED, config)
    assert graph.get_state(config).next == (layer,)
    assert graph.invoke(None, config)["messages"][-1].text == ANSWER


def approving(asked: list[dict[str, Any]] | None = None) -> Any:
    def review(planned: dict[str, Any]) -> str | None:
        if planned["layer"] != 2:
            return None
        if asked is not None:
            asked.append(planned)
        return None if interrupt(planned) == "yes" else "The user does not want this page to be read."

    return review


@pytest.mark.parametrize("use_async", [False, True])
async def test_two_reads_in_one_round_are_approved_one_by_one(
    library: MemoryLibrary, use_async: bool
) -> None:
    searches: list[str] = []

    class Counting(MemoryLibrary):
        def search(self, query: str, **kwargs: Any) -> Any:
            searches.append(query)
            return super().search(query, **kwargs)

    read_1 = ("get_page_content", {"doc_id": BERG, "pages": "1"})
    replies = [calls(READ_3, ("search_documents", {"query": "garnet"}), read_1), ANSWER]
    graph = create_vectree_graph(
        Counting(SAMPLE_PAPERS), ScriptedModel(replies), checkpointer=InMemorySaver(), review=approving()
    )
    config = thread()
    paused = await graph.ainvoke(ASKED, config) if use_async else graph.invoke(ASKED, config)
    pending = paused["__interrupt__"]
    assert len({one.id for one in pending}) == 2
    command = Command(
        resume={one.id: "yes" if one.value["arguments"]["pages"] == "3" else "no" for one in pending}
    )
    state = await graph.ainvoke(command, config) if use_async else graph.invoke(command, config)
    answer = state["vectree_answer"]
    assert [(s["call"], bool(s["error"])) for s in answer["trajectory"]] == [
        (1, False),
        (2, False),
        (3, True),
    ]
    assert [(e["doc_id"], e["page"]) for e in answer["evidence"]] == [(BERG, 3)]
    assert searches == ["garnet"]  # the call beside them was not run again


def test_errors_that_may_pass_are_tried_again_and_others_are_not() -> None:
    attempts: list[int] = []

    class Flaky(MemoryLibrary):
        def search(self, query: str, **kwargs: Any) -> Any:
            attempts.append(1)
            if len(attempts) < 3:
                raise CorpusLocked("another process is writing")
            return super().search(query, **kwargs)

    replies = [call("search_documents", query="garnet"), ANSWER]
    quick = {
        "search": RetryPolicy(
            initial_interval=0.01, max_attempts=3, retry_on=lambda e: getattr(e, "retryable", False)
        )
    }
    state = create_vectree_graph(Flaky(SAMPLE_PAPERS), ScriptedModel(replies), retry=quick).invoke(ASKED)
    assert len(attempts) == 3
    assert state["vectree_answer"]["calls"] == 1

    class Broken(MemoryLibrary):
        def search(self, query: str, **kwargs: Any) -> Any:
            attempts.append(1)
            raise EmbedderError("no weights")

    attempts.clear()
    with pytest.raises(EmbedderError):
        create_vectree_graph(Broken(SAMPLE_PAPERS), ScriptedModel(replies)).invoke(ASKED)
    assert len(attempts) == 1


@pytest.mark.parametrize("use_async", [False, True])
async def test_a_call_that_takes_too_long_is_answered_in_words(use_async: bool) -> None:
    released = threading.Event()

    class Slow(MemoryLibrary):
        def search(self, query: str, **kwargs: Any) -> Any:
            released.wait(5)
            return super().search(query, **kwargs)

    replies = [call("search_documents", query="garnet"), calls(READ_3), ANSWER]
    graph = create_vectree_graph(Slow(SAMPLE_PAPERS), ScriptedModel(replies), timeouts={"search": 0.05})
    state = await graph.ainvoke(ASKED) if use_async else graph.invoke(ASKED)
    released.set()
    results = [m for m in state["messages"] if isinstance(m, ToolMessage)]
    assert [m.status for m in results] == ["error", "success"]
    assert "0.05 s" in results[0].text


def test_layers_are_named_where_they_are_set(library: MemoryLibrary) -> None:
    with pytest.raises(UsageError, match="navigate"):
        create_vectree_graph(library, timeouts={"reading": 1})  # type: ignore[dict-item]


def test_it_is_found_as_a_subgraph_and_shows_messages_alone(library: MemoryLibrary) -> None:
    from langgraph.graph import START, MessagesState, StateGraph

    graph = create_vectree_graph(library)
    assert isinstance(graph, Pregel)
    parent = StateGraph(MessagesState)
    parent.add_node("papers", graph)
    parent.add_edge(START, "papers")
    assert [name for name, _ in parent.compile().get_subgraphs()] == ["papers"]
    assert sorted(graph.get_input_jsonschema()["properties"]) == ["messages"]
    assert sorted(graph.get_context_jsonschema()["properties"]) == [
        "image_delivery",
        "max_rounds",
        "reminder_from",
    ]


def test_a_parent_s_own_context_is_not_taken_for_ours(library: MemoryLibrary) -> None:
    from dataclasses import dataclass

    from langgraph.graph import START, MessagesState, StateGraph

    @dataclass
    class Theirs:
        tenant: str = "a"

    parent = StateGraph(MessagesState, context_schema=Theirs)
    parent.add_node("papers", create_vectree_graph(library, ScriptedModel(plain())))
    parent.add_edge(START, "papers")
    assert parent.compile().invoke(ASKED, context=Theirs())["messages"][-1].text == ANSWER


def test_two_agents_under_one_question_keep_their_steps_apart(library: MemoryLibrary) -> None:
    """A supervisor that asks twice within one user turn."""
    from langgraph.graph import END, START, MessagesState, StateGraph

    parent = StateGraph(MessagesState)
    parent.add_node("first", create_vectree_graph(library, ScriptedModel(plain()), name="first"))
    parent.add_node("second", create_vectree_graph(library, ScriptedModel(plain()), name="second"))
    parent.add_edge(START, "first")
    parent.add_edge("first", "second")
    parent.add_edge("second", END)
    state = parent.compile().invoke(ASKED)
    steps = steps_of(state["messages"])
    assert [step.call for step in steps] == [1, 1, 2, 2, 3, 3]


def test_the_builder_can_be_extended(library: MemoryLibrary) -> None:
    builder = build_vectree_graph(library, ScriptedModel(plain()))
    builder.add_node("log", lambda state: {})
    assert "log" in builder.compile().get_graph().nodes


async def test_the_event_loop_is_never_blocked(library: MemoryLibrary) -> None:
    """The guard of ``langgraph dev``: file access and sleeping on the loop raise. Proven to bite below."""
    blockbuster = pytest.importorskip("blockbuster")

    class OnDisk(MemoryLibrary):
        def _paper(self, doc_id: str) -> Any:
            Path(__file__).read_bytes()
            return super()._paper(doc_id)

        def search(self, query: str, **kwargs: Any) -> Any:
            Path(__file__).read_bytes()
            return super().search(query, **kwargs)

        def stats(self) -> Any:
            Path(__file__).read_bytes()
            return super().stats()

    from langchain_vectree import VecTreeRetriever, VecTreeToolkit

    on_disk = OnDisk(SAMPLE_PAPERS)
    model = ScriptedModel([*SCRIPTS["broken_figure"]()])
    graph = create_vectree_graph(on_disk, model, timeouts={"read": 5}, review=lambda planned: None)
    retriever = VecTreeRetriever(corpus=on_disk)
    tools = {tool.name: tool for tool in VecTreeToolkit(corpus=on_disk).get_tools()}
    with blockbuster.blockbuster_ctx():
        state = await graph.ainvoke(ASKED)
        await retriever.ainvoke("garnet")
        await tools["get_page_image"].ainvoke({"doc_id": BERG, "image": "fig-3-1.png"})
        with pytest.raises(blockbuster.BlockingError):
            on_disk.stats()
    assert state["vectree_answer"]["stopped"] == "final"


async def test_C34_a_slow_model_and_a_slow_disk_leave_the_loop_free() -> None:
    class Slow(MemoryLibrary):
        def search(self, query: str, **kwargs: Any) -> Any:
            time.sleep(0.3)
            return super().search(query, **kwargs)

    def answer(request: Any) -> Any:
        time.sleep(0.3)
        return ANSWER if len(request.messages) > 2 else call("search_documents", query="garnet")

    graph = create_vectree_graph(Slow(SAMPLE_PAPERS), FunctionModel(answer))
    run = asyncio.ensure_future(graph.ainvoke(ASKED))
    longest, last = 0.0, time.perf_counter()
    while not run.done():
        await asyncio.sleep(0.01)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    assert (await run)["messages"][-1].text == ANSWER
    assert longest < 0.25  # one blocked call would show as 0.3 s
