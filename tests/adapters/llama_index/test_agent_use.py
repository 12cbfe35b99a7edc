"""The agent inside applications: workflows of several agents, tools beside the seven, event loops."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from langchain_scripts import ANSWER, BERG, READ_3, SCRIPTS, plain
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent, ReActAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.llms import MockLLM
from llama_index.core.tools import FunctionTool

from llama_index_vectree import (
    VecTreeAgent,
    VecTreeLLM,
    VecTreeReader,
    VecTreeRetriever,
    VecTreeTool,
    VecTreeToolSpec,
)
from vectree import Corpus
from vectree.agent.trajectory import step_data
from vectree.errors import UsageError
from vectree.llm.chat import ChatRequest, Reply, Role
from vectree.llm.scripted import FunctionModel, ScriptedModel, call, calls
from vectree.prompts import template
from vectree.testing.library import MemoryLibrary
from vectree.testing.sample_papers import SAMPLE_PAPERS

QUESTION = "What is the activation energy of the garnet?"


def test_without_a_model_it_quotes_and_needs_no_key(library: MemoryLibrary) -> None:
    async def ask() -> Any:
        return await VecTreeAgent(library).run(QUESTION)

    output = asyncio.run(ask())
    assert "“The activation energy is 0.28 eV.”" in str(output)
    assert output.vectree_answer["citations"][0]["status"] == "read"


def test_what_is_no_model_is_refused(library: MemoryLibrary) -> None:
    with pytest.raises(UsageError, match="no model"):
        VecTreeAgent(library, llm="gpt-4.1")


async def test_alone_in_a_workflow_and_by_its_default_limit_of_twenty(library: MemoryLibrary) -> None:
    agent = VecTreeAgent(library, llm=ScriptedModel(plain()))
    output = await AgentWorkflow(agents=[agent]).run(user_msg=QUESTION)
    assert output.vectree_answer["text"] == str(output) == ANSWER
    never = VecTreeAgent(library, llm=ScriptedModel(SCRIPTS["never_stops"]()))
    assert str(await AgentWorkflow(agents=[never]).run(user_msg=QUESTION)) == "A draft."
    never = VecTreeAgent(library, llm=ScriptedModel(SCRIPTS["never_stops"]()))
    output = await AgentWorkflow(agents=[never]).run(user_msg=QUESTION, max_iterations=32)
    assert output.vectree_answer["rounds"] == 30


async def test_two_agents_hand_over_and_the_answer_s_citations_are_checked(library: MemoryLibrary) -> None:
    front = FunctionAgent(
        name="front",
        description="Talks to people.",
        tools=[],
        llm=VecTreeLLM(
            model=ScriptedModel([call("handoff", to_agent="papers", reason="It is in the papers.")])
        ),
    )
    papers = VecTreeAgent(library, llm=ScriptedModel(plain()), can_handoff_to=[])
    handler = AgentWorkflow(agents=[front, papers], root_agent="front").run(
        user_msg=QUESTION, max_iterations=40
    )
    output = await handler
    assert (output.current_agent_name, str(output)) == ("papers", ANSWER)
    assert output.vectree_answer["question"] == QUESTION
    assert [step["tool"] for step in output.vectree_answer["trajectory"]] == [
        "search_documents",
        "get_document_tree",
        "get_page_content",
    ]


async def test_handing_over_from_the_papers_to_another_agent(library: MemoryLibrary) -> None:
    script = [calls(READ_3), call("handoff", to_agent="writer", reason="Write it down.")]
    papers = VecTreeAgent(library, llm=ScriptedModel(script))
    seen: list[ChatRequest] = []

    def write(request: ChatRequest) -> str:
        seen.append(request)
        return "Written."

    writer = FunctionAgent(
        name="writer",
        description="Writes.",
        tools=[],
        llm=VecTreeLLM(model=FunctionModel(write)),
        can_handoff_to=[],
    )
    output = await AgentWorkflow(agents=[papers, writer], root_agent="papers").run(user_msg=QUESTION)
    assert str(output) == "Written."
    assert any("0.28 eV" in message.text for message in seen[0].messages)  # it goes on from what was read


async def test_tools_of_one_s_own_beside_the_seven(library: MemoryLibrary) -> None:
    def add(a: int, b: int) -> str:
        """Add numbers."""
        return str(a + b)

    script = [calls(("add", {"a": 2, "b": 3}), READ_3), calls(("add", {"a": "x"}), ("sub", {})), ANSWER]
    model = ScriptedModel(script)
    agent = VecTreeAgent(library, llm=model, tools=[FunctionTool.from_defaults(add)])
    answer = (await agent.run(QUESTION)).vectree_answer
    steps = answer["trajectory"]
    assert [(s["tool"], s["layer"], bool(s["error"])) for s in steps] == [
        ("add", None, False),
        ("get_page_content", 2, False),
        ("add", None, True),
        ("sub", None, True),
    ]
    assert model.requests[1].messages[-2].text == "5"
    assert answer["citations"][0]["status"] == "read"


async def test_only_some_layers(library: MemoryLibrary) -> None:
    model = ScriptedModel(["Nothing to read with."])
    await VecTreeAgent(library, llm=model, layers=(0, 1)).run(QUESTION)
    assert [tool.name for tool in model.requests[0].tools] == [
        "search_documents",
        "get_paper_metadata",
        "get_document_tree",
        "search_within_paper",
    ]


@pytest.mark.filterwarnings("ignore:Skipping serialization of known unserializable key")
async def test_a_conversation_of_two_questions(library: MemoryLibrary) -> None:
    from llama_index.core.memory import ChatMemoryBuffer
    from llama_index.core.workflow import Context

    memory = ChatMemoryBuffer.from_defaults(token_limit=100_000)
    model = ScriptedModel([*plain(), "As I said."])
    agent = VecTreeAgent(library, llm=model)
    ctx = Context(agent)
    await agent.run(QUESTION, ctx=ctx, memory=memory)
    output = await agent.run("Are you sure?", ctx=ctx, memory=memory)
    assert output.vectree_answer["question"] == "Are you sure?"
    assert output.vectree_answer["rounds"] == 1
    asked = [m.text for m in model.requests[-1].messages if m.role is Role.USER]
    assert asked == [QUESTION, "Are you sure?"]


async def test_the_plain_function_agent_with_the_tools(library: MemoryLibrary) -> None:
    model = ScriptedModel(plain())
    agent = FunctionAgent(tools=VecTreeToolSpec(library).to_tool_list(), llm=VecTreeLLM(model=model))
    assert str(await agent.run(QUESTION)) == ANSWER


async def test_the_react_agent_with_the_tools_reads_the_text_of_a_figure(library: MemoryLibrary) -> None:
    texts = iter(
        [
            "Thought: I need the figure.\nAction: get_page_image\n"
            f'Action Input: {{"doc_id": "{BERG}", "image": "fig-3-1.png"}}',
            "Thought: I can answer.\nAnswer: See the figure.",
        ]
    )
    seen: list[list[ChatMessage]] = []

    def answer(request: ChatRequest) -> str:
        seen.append([ChatMessage(content=m.text) for m in request.messages])
        return next(texts)

    agent = ReActAgent(
        tools=VecTreeToolSpec(library).to_tool_list(),
        llm=VecTreeLLM(model=FunctionModel(answer)),
        streaming=False,
    )
    assert "See the figure" in str(await agent.run(QUESTION))
    assert any("fig-3-1.png" in (m.content or "") for m in seen[1])


async def test_C34_nothing_blocks_the_event_loop(guarded: MemoryLibrary) -> None:
    """File access and sleeping on the loop raise; that the guard bites is shown first."""
    with pytest.raises(Exception, match="Blocking call"):
        guarded.stats()
    template.cache_clear()  # prompts are files too
    for streaming, script in ((True, "broken_figure"), (False, "nudged"), (True, "never_stops")):
        model = ScriptedModel([*SCRIPTS[script]()])
        output = await VecTreeAgent(guarded, llm=model, streaming=streaming, image_delivery="user").run(
            QUESTION
        )
        assert output.vectree_answer["rounds"] > 1
    for mode in ("pages", "sections", "documents"):
        assert await VecTreeRetriever(guarded, mode=mode).aretrieve("garnet")
    output = await VecTreeTool.of(guarded, "get_page_image").acall(doc_id=BERG, image="fig-3-1.png")
    assert not output.is_error


async def test_C34_a_corpus_on_disk_does_not_block_either(corpus: Corpus, loop_guard: Any) -> None:
    title = corpus.list()[0].metadata.title
    with loop_guard():
        assert await VecTreeRetriever(corpus).aretrieve(title)
        assert (await VecTreeAgent(corpus).run(title)).vectree_answer["text"]
        assert await VecTreeReader(corpus).aload_data()


async def test_over_a_corpus_on_disk_it_reads_and_says_what_corpus_ask_does(
    corpus: Corpus,
) -> None:
    question = corpus.list()[1].metadata.title
    expected, answer = corpus.ask(question), (await VecTreeAgent(corpus).run(question)).vectree_answer
    assert answer["trajectory"] == [step_data(step) for step in expected.trajectory]
    assert (answer["text"], answer["titles"]) == (expected.text, expected.titles)
    assert [(c["doc_id"], c["page"]) for c in answer["citations"]] == [
        (c.doc_id, c.page) for c in expected.citations
    ]


async def test_C34_a_slow_model_and_a_slow_disk_leave_the_loop_free() -> None:
    class Slow(MemoryLibrary):
        def search(self, query: str, **kwargs: Any) -> Any:
            time.sleep(0.3)
            return super().search(query, **kwargs)

    def answer(request: ChatRequest) -> Reply | str:
        time.sleep(0.3)
        return ANSWER if request.messages[-1].role is Role.TOOL else call("search_documents", query="garnet")

    late: list[float] = []

    async def ticker() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.01)
            late.append(time.perf_counter() - before - 0.01)

    ticking = asyncio.create_task(ticker())
    await VecTreeAgent(Slow(SAMPLE_PAPERS), llm=FunctionModel(answer)).run(QUESTION)
    ticking.cancel()
    assert len(late) > 20
    assert sorted(late)[len(late) // 2] < 0.1


def test_C26_the_agent_never_asks_for_a_default_model(
    library: MemoryLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    from llama_index.core import Settings

    def refuse(*_: Any) -> Any:
        raise AssertionError("a default model was asked for")

    monkeypatch.setattr(type(Settings), "llm", property(refuse))
    monkeypatch.setattr(type(Settings), "embed_model", property(refuse))

    async def ask() -> Any:
        return await VecTreeAgent(library).run(QUESTION)

    assert asyncio.run(ask()).vectree_answer["stopped"] == "final"


def test_a_model_that_calls_no_functions_is_refused(library: MemoryLibrary) -> None:
    with pytest.raises(UsageError, match="MockLLM calls no functions"):
        VecTreeAgent(library, llm=MockLLM())
