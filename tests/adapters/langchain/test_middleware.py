"""The paper's rules inside ``create_agent``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_scripts import ANSWER, BERG, SCRIPTS, never_stops, thread
from langgraph.checkpoint.memory import InMemorySaver

from langchain_vectree import VecTreeChatModel
from vectree.agent.loop import answer_question
from vectree.agent.policy import LoopPolicy
from vectree.errors import NoAnswer
from vectree.llm.chat import Role
from vectree.llm.scripted import FunctionModel, ScriptedModel, call, calls
from vectree.testing.library import MemoryLibrary

agents = pytest.importorskip("langchain.agents")
from langchain_vectree.middleware import VecTreeMiddleware  # noqa: E402  # needs langchain

ASKED = {"messages": [("user", "q")]}


def agent(library: MemoryLibrary, model: Any, checkpointer: Any = None, **settings: Any) -> Any:
    wrapped = VecTreeChatModel(model=model)
    middleware = [VecTreeMiddleware(library, **settings)]
    return agents.create_agent(wrapped, middleware=middleware, checkpointer=checkpointer)


@pytest.mark.parametrize("name", [name for name in SCRIPTS if name != "malformed"])
def test_every_call_is_counted_answered_and_reminded_as_in_the_core(
    library: MemoryLibrary, name: str
) -> None:
    core, model = ScriptedModel(SCRIPTS[name]()), ScriptedModel(SCRIPTS[name]())
    expected = answer_question("q", library=library, model=core)
    state = agent(library, model).invoke(ASKED)
    assert state["messages"][-1].text.strip() == expected.text
    assert state["vectree_loop"]["calls"] == len(expected.trajectory)
    assert len(model.requests) == len(core.requests)
    told = {m.tool_call_id: m.text for m in core.requests[-1].messages if m.role is Role.TOOL}
    results = [m for m in state["messages"] if isinstance(m, ToolMessage)]
    assert len(results) >= len(told)
    if name not in {"only_malformed", "same_ids"}:  # ids of scripted calls differ from run to run
        texts = [m.text for m in core.requests[-1].messages if m.role is Role.TOOL]
        assert [m.text for m in model.requests[-1].messages if m.role is Role.TOOL] == texts


async def test_broken_and_good_calls_in_one_round_are_all_answered(library: MemoryLibrary) -> None:
    state = await agent(library, ScriptedModel(SCRIPTS["malformed"]())).ainvoke(ASKED)
    issued = next(m for m in state["messages"] if isinstance(m, AIMessage))
    ids = {c["id"] for c in (*issued.tool_calls, *issued.invalid_tool_calls)}
    assert {m.tool_call_id for m in state["messages"] if isinstance(m, ToolMessage)} == ids
    assert state["vectree_loop"]["calls"] == 9
    assert state["messages"][-1].text == ANSWER


def test_thirty_rounds_then_the_last_text_also_when_resumed(library: MemoryLibrary) -> None:
    model, config = ScriptedModel(never_stops()), thread()
    middleware = [VecTreeMiddleware(library)]
    app = agents.create_agent(
        VecTreeChatModel(model=model),
        middleware=middleware,
        checkpointer=InMemorySaver(),
        interrupt_before=["tools"],
    )
    app.invoke(ASKED, config)
    while app.get_state(config).next:
        app.invoke(None, config)
    assert len(model.requests) == 30
    assert app.get_state(config).values["messages"][-1].text == "A draft."


def test_no_text_is_no_answer(library: MemoryLibrary) -> None:
    model = FunctionModel(lambda _: call("search_documents", query="garnet"))
    with pytest.raises(NoAnswer):
        agent(library, model, policy=LoopPolicy(max_rounds=3)).invoke(ASKED)


def test_figures_are_in_requests_and_not_in_the_state(library: MemoryLibrary) -> None:
    model = ScriptedModel([call("get_page_image", doc_id=BERG, image="fig-3-1.png"), ANSWER])
    state = agent(library, model).invoke(ASKED)
    assert [len(m.images) for m in model.requests[1].messages] == [0, 0, 0, 1]
    assert all(isinstance(m.content, str) for m in state["messages"])
    assert sum(isinstance(m, HumanMessage) for m in state["messages"]) == 1


def test_it_leaves_other_tools_and_middleware_in_peace(library: MemoryLibrary) -> None:
    from langchain.agents.middleware import ModelCallLimitMiddleware
    from langchain_core.tools import tool

    @tool
    def weather(city: str) -> str:
        """Tell the weather."""
        return f"sun over {city}"

    model = ScriptedModel([calls(("weather", {"city": "Oslo"}), ("list_images", {"doc_id": BERG})), ANSWER])
    app = agents.create_agent(
        VecTreeChatModel(model=model),
        tools=[weather],
        middleware=[VecTreeMiddleware(library), ModelCallLimitMiddleware(run_limit=9)],
    )
    state = app.invoke(ASKED)
    assert [m.name for m in state["messages"] if isinstance(m, ToolMessage)] == ["weather", "list_images"]


async def test_it_never_blocks_the_event_loop(library: MemoryLibrary) -> None:
    blockbuster = pytest.importorskip("blockbuster")

    class OnDisk(MemoryLibrary):
        def figure_bytes(self, doc_id: str, name: str) -> bytes:
            Path(__file__).read_bytes()
            return super().figure_bytes(doc_id, name)

    from vectree.testing.sample_papers import SAMPLE_PAPERS

    model = ScriptedModel([call("get_page_image", doc_id=BERG, image="fig-3-1.png"), ANSWER])
    app = agent(OnDisk(SAMPLE_PAPERS), model)
    with blockbuster.blockbuster_ctx():
        assert (await app.ainvoke(ASKED))["messages"][-1].text == ANSWER
