"""The agent follows the rules of Algorithm 1 as the core's loop does, call by call."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_scripts import ANSWER, BERG, READ_3, SCRIPTS
from llama_index.core.agent.workflow import AgentOutput, ToolCallResult
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, MessageRole, ToolCallBlock

from llama_index_vectree import VecTreeAgent, VecTreeLLM, VecTreeStep
from vectree.agent.loop import answer_question
from vectree.agent.policy import LoopPolicy
from vectree.agent.prompt import system_prompt
from vectree.agent.trajectory import step_data
from vectree.errors import CorpusDamaged, ModelReplyError, NoAnswer
from vectree.llm.chat import ChatRequest, Reply, Role, Usage
from vectree.llm.scripted import FunctionModel, ScriptedModel, call, calls
from vectree.testing.library import MemoryLibrary
from vectree.testing.sample_papers import SAMPLE_PAPERS

QUESTION = "What is the activation energy of the garnet?"


async def run(library: Any, replies: Any, **settings: Any) -> AgentOutput:
    model = replies if isinstance(replies, FunctionModel) else ScriptedModel(replies)
    return await VecTreeAgent(library, llm=model, **settings).run(QUESTION)


@pytest.mark.parametrize(("name", "streaming"), [*((name, False) for name in SCRIPTS), ("plain", True)])
async def test_the_same_model_takes_the_same_steps_as_in_the_core(
    library: MemoryLibrary, name: str, streaming: bool
) -> None:
    core, ours = ScriptedModel(SCRIPTS[name]()), ScriptedModel(SCRIPTS[name]())
    expected = answer_question(QUESTION, library=library, model=core)
    answer = (await run(library, ours, streaming=streaming)).vectree_answer
    assert answer["trajectory"] == [step_data(step) for step in expected.trajectory]
    assert (answer["text"], answer["stopped"]) == (expected.text, expected.stopped)
    assert [(c["doc_id"], c["page"], c["status"]) for c in answer["citations"]] == [
        (c.doc_id, c.page, c.status.value) for c in expected.citations
    ]
    assert answer["evidence"] == [
        {"doc_id": e.doc_id, "page": e.page, "node_id": e.node_id} for e in expected.evidence
    ]
    assert answer["usage"]["prompt_tokens"] == expected.usage.prompt_tokens
    assert answer["usage"]["model_calls"] == expected.usage.model_calls
    assert len(ours.requests) == len(core.requests)


@pytest.mark.parametrize("name", sorted(set(SCRIPTS) - {"same_ids", "never_stops", "exactly_thirty_calls"}))
async def test_the_model_reads_the_same_conversation_as_in_the_core(
    library: MemoryLibrary, name: str
) -> None:
    """``same_ids`` is left out: the core repeats the ids as they came, LlamaIndex needs different ones."""
    core, ours = ScriptedModel(SCRIPTS[name]()), ScriptedModel(SCRIPTS[name]())
    answer_question(QUESTION, library=library, model=core)
    await run(library, ours)
    for theirs, own in zip(core.requests, ours.requests, strict=True):
        assert [tool.name for tool in own.tools] == [tool.name for tool in theirs.tools]
        assert [(m.role, m.text, len(m.images)) for m in own.messages] == [
            (m.role, m.text, len(m.images)) for m in theirs.messages
        ]
        assert [[(c.name, c.arguments) for c in m.tool_calls] for m in own.messages] == [
            [(c.name, c.arguments) for c in m.tool_calls] for m in theirs.messages
        ]


async def test_C23_a_model_that_never_stops_has_thirty_rounds_and_its_last_calls_are_run(
    library: MemoryLibrary,
) -> None:
    model = ScriptedModel(SCRIPTS["never_stops"]())
    answer = (await run(library, model)).vectree_answer
    assert (len(model.requests), answer["rounds"], answer["calls"]) == (30, 30, 30)
    assert len(answer["trajectory"]) == 30
    assert (answer["text"], answer["stopped"]) == ("A draft.", "round limit")


async def test_C23_without_any_text_there_is_an_error_with_the_steps_and_the_agent_can_be_asked_again(
    library: MemoryLibrary,
) -> None:
    model = ScriptedModel([*[call("search_documents", query="x") for _ in range(30)], ANSWER])
    agent = VecTreeAgent(library, llm=model)
    ctx = _context(agent)
    with pytest.raises(NoAnswer) as caught:
        await agent.run(QUESTION, ctx=ctx)
    assert len(caught.value.trajectory) == 30
    output = await agent.run("Again?", ctx=_context(agent))
    assert str(output) == ANSWER


async def test_the_reminder_comes_with_the_tenth_result_and_every_later_one(library: MemoryLibrary) -> None:
    model = ScriptedModel(SCRIPTS["parallel"]())
    await run(library, model)
    results = [m.text for m in model.requests[-1].messages if m.role is Role.TOOL]
    notes = [LoopPolicy().reminder(number) for number in range(1, 17)]
    assert [bool(note) for note in notes] == [False] * 9 + [True] * 7
    assert all(text.endswith(note) for text, note in zip(results, notes, strict=True))


async def test_every_call_has_its_result_right_behind_it_in_the_order_of_issue(
    library: MemoryLibrary,
) -> None:
    """LlamaIndex runs the calls of a turn side by side; the slow one must not come last."""
    import time

    class Uneven(MemoryLibrary):
        def search(self, query: str, **kwargs: Any) -> Any:
            time.sleep(0.05 if query == "garnet" else 0)
            return super().search(query, **kwargs)

    model = ScriptedModel(
        [calls(("search_documents", {"query": "garnet"}), ("search_documents", {"query": "x"})), "Done."]
    )
    await run(Uneven(SAMPLE_PAPERS), model)
    asked, first, second = model.requests[1].messages[-3:]
    assert [call.id for call in asked.tool_calls] == [first.tool_call_id, second.tool_call_id]
    assert "garnet" in first.text


async def test_C22_each_malformed_call_counts_and_is_answered_with_what_is_wrong(
    library: MemoryLibrary,
) -> None:
    model = ScriptedModel(SCRIPTS["malformed"]())
    answer = (await run(library, model)).vectree_answer
    assert answer["calls"] == 9
    errors = [step["error"] for step in answer["trajectory"]]
    assert "not valid JSON" in errors[0]
    assert errors[1] == ""  # the good call of the same turn is run
    assert "Did you mean get_page" in errors[2]
    assert "one JSON object" in errors[3]
    results = [m for m in model.requests[1].messages if m.role is Role.TOOL]
    assert [m.tool_call_id for m in results] == [c.id for c in model.requests[1].messages[-10].tool_calls]


async def test_a_foreign_model_s_arguments_as_text_are_not_mended_behind_its_back(
    library: MemoryLibrary,
) -> None:
    """LlamaIndex would complete the JSON and read a page that nobody asked for."""
    from llama_index.core.llms.mock import MockFunctionCallingLLM

    block = ToolCallBlock(tool_call_id="a", tool_name="list_images", tool_kwargs=f'{{"doc_id": "{BERG}", "x')
    script = iter(
        [ChatMessage(role="assistant", blocks=[block]), ChatMessage(role="assistant", content=ANSWER)]
    )
    llm = MockFunctionCallingLLM(response_generator=lambda messages, **_: next(script))
    answer = (await VecTreeAgent(library, llm=llm, streaming=False).run(QUESTION)).vectree_answer
    assert "not valid JSON" in answer["trajectory"][0]["error"]


async def test_an_empty_reply_is_nudged_once_and_a_nudge_is_no_call(library: MemoryLibrary) -> None:
    model = ScriptedModel(SCRIPTS["nudged"]())
    answer = (await run(library, model)).vectree_answer
    assert (answer["rounds"], answer["calls"], answer["stopped"]) == (4, 2, "final")
    nudges = [m for m in model.requests[2].messages if m.role is Role.USER]
    assert [m.text for m in nudges] == [QUESTION, LoopPolicy().nudge()]


async def test_a_policy_of_one_s_own(library: MemoryLibrary) -> None:
    model = ScriptedModel(
        [
            call("search_documents", query="garnet"),
            Reply(text="So far.", tool_calls=call("list_images", doc_id=BERG).tool_calls),
        ]
    )
    policy = LoopPolicy(max_rounds=2, reminder_from=2)
    answer = (await run(library, model, policy=policy)).vectree_answer
    assert (answer["text"], answer["rounds"], len(answer["trajectory"])) == ("So far.", 2, 2)


async def test_a_smaller_limit_of_llamaindex_ends_the_run_with_an_answer(
    library: MemoryLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    model = ScriptedModel(SCRIPTS["never_stops"]())
    output = await VecTreeAgent(library, llm=model).run(QUESTION, max_iterations=8)
    assert (output.vectree_answer["text"], output.vectree_answer["stopped"]) == ("A draft.", "round limit")
    assert len(output.vectree_answer["trajectory"]) == 6
    assert "max_iterations ends the run in round 7" in caplog.text


@pytest.mark.parametrize(("delivery", "role"), [("tool", Role.TOOL), ("user", Role.USER), ("none", None)])
async def test_C21_figures_go_where_the_service_takes_them(
    library: MemoryLibrary, delivery: Any, role: Role | None
) -> None:
    replies = [
        calls(
            ("get_page_image", {"doc_id": BERG, "image": "fig-3-1.png"}), ("list_images", {"doc_id": BERG})
        ),
        call("search_documents", query="garnet"),
        ANSWER,
    ]
    model = ScriptedModel(replies)
    answer = (await run(library, model, image_delivery=delivery)).vectree_answer
    for request in model.requests[1:]:
        carriers = [m.role for m in request.messages if m.images]
        assert carriers == ([role] if role else [])
        tools = [place for place, m in enumerate(request.messages) if m.role is Role.TOOL][:2]
        assert tools == [tools[0], tools[0] + 1]  # nothing between calls and results
    assert bool(answer["evidence"]) is (delivery != "none")  # a figure that was not shown was not read


def test_where_figures_go_is_decided_by_the_model_s_class() -> None:
    from llama_index_vectree.images import placement

    class OpenAI:
        pass

    class OpenAIResponses(OpenAI):
        pass

    class Anthropic:
        pass

    kinds = (OpenAI, OpenAIResponses, Anthropic, object)
    assert [placement(kind()) for kind in kinds] == ["user", "tool", "tool", "user"]
    assert placement(VecTreeLLM()) == "tool"
    assert placement(Anthropic(), "none") == "none"


async def test_the_context_holds_figures_by_reference_and_goes_on_counting_after_a_restart(
    library: MemoryLibrary,
) -> None:
    import json

    from llama_index.core.memory import ChatMemoryBuffer
    from llama_index.core.workflow import Context, JsonSerializer

    replies = [call("get_page_image", doc_id=BERG, image="fig-3-1.png"), ANSWER, "And more."]
    model = ScriptedModel(replies)
    agent, memory = VecTreeAgent(library, llm=model), ChatMemoryBuffer.from_defaults(token_limit=100_000)
    ctx = _context(agent)
    await agent.run(QUESTION, ctx=ctx, memory=memory)
    with pytest.warns(Warning, match="memory"):
        kept = json.dumps(ctx.to_dict(serializer=JsonSerializer()))
    assert "iVBOR" not in kept
    assert "fig-3-1.png" in kept
    again = Context.from_dict(agent, json.loads(kept), serializer=JsonSerializer())
    output = await agent.run("And?", ctx=again, memory=memory)
    assert str(output) == "And more."
    assert output.vectree_answer["calls"] == 0  # each question is counted anew
    assert sum(bool(m.images) for m in model.requests[-1].messages) == 1  # and still shows the figure


async def test_the_prompt_is_the_core_s_unless_another_is_given(library: MemoryLibrary) -> None:
    model = ScriptedModel(["a", "b"])
    await VecTreeAgent(library, llm=model).run("q")
    await VecTreeAgent(library, llm=model, system_prompt="Be brief.").run("q")
    assert [request.messages[0].text for request in model.requests] == [
        system_prompt(library.stats()),
        "Be brief.",
    ]


async def test_damage_ends_the_run_because_no_model_can_mend_it() -> None:
    class Damaged(MemoryLibrary):
        def pages(self, doc_id: str, numbers: Any) -> Any:
            raise CorpusDamaged("pages.jsonl is cut short")

    model = ScriptedModel([call("search_documents", query="garnet"), calls(READ_3), "never"])
    with pytest.raises(CorpusDamaged) as caught:
        await run(Damaged(SAMPLE_PAPERS), model)
    assert [step.tool for step in caught.value.trajectory] == ["search_documents"]


@pytest.mark.filterwarnings("ignore:Skipping serialization of known unserializable key")
async def test_what_an_interrupted_run_left_behind_is_not_gone_on_from(library: MemoryLibrary) -> None:
    """A service's own error keeps LlamaIndex from tidying up; the next question in the context begins anew."""

    def fail(request: ChatRequest) -> Reply | str:
        if len(request.messages) > 2:
            raise ConnectionError("the line is dead")
        return call("search_documents", query="garnet")

    model = FunctionModel(fail)
    agent = VecTreeAgent(library, llm=model)
    ctx = _context(agent)
    with pytest.raises(ConnectionError):
        await agent.run(QUESTION, ctx=ctx)
    with pytest.raises(ConnectionError):
        await agent.run("Another question?", ctx=ctx)
    assert [m.text for m in model.requests[2].messages][1:] == ["Another question?"]


async def test_a_model_of_the_core_that_fails_ends_the_run_with_the_steps_taken(
    library: MemoryLibrary,
) -> None:
    with pytest.raises(ModelReplyError) as caught:
        await run(library, [call("search_documents", query="garnet")])  # the script is over
    assert [step.tool for step in caught.value.trajectory] == ["search_documents"]


async def test_each_call_is_streamed_with_its_layer_and_what_was_read(library: MemoryLibrary) -> None:
    handler = VecTreeAgent(library, llm=ScriptedModel(SCRIPTS["plain"]())).run(QUESTION)
    events = [event async for event in handler.stream_events()]
    steps = [event for event in events if isinstance(event, VecTreeStep)]
    assert [(s.round, s.call, s.tool, s.layer) for s in steps] == [
        (1, 1, "search_documents", 0),
        (2, 2, "get_document_tree", 1),
        (3, 3, "get_page_content", 2),
    ]
    assert steps[-1].sources == [[BERG, 3]]
    assert sum(isinstance(event, ToolCallResult) for event in events) == 3
    assert (await handler).vectree_answer["text"] == ANSWER


async def test_usage_is_added_up(library: MemoryLibrary) -> None:
    usage = Usage(prompt_tokens=100, completion_tokens=7, cached_tokens=40)
    replies = [Reply(tool_calls=calls(READ_3).tool_calls, usage=usage), Reply(text=ANSWER, usage=usage)]
    counted = (await run(library, replies)).vectree_answer["usage"]
    assert counted == {
        "prompt_tokens": 200,
        "completion_tokens": 14,
        "cached_tokens": 80,
        "model_calls": 2,
        "cost": None,
    }


async def test_images_stay_out_of_memory(library: MemoryLibrary) -> None:
    from llama_index.core.memory import ChatMemoryBuffer

    memory = ChatMemoryBuffer.from_defaults(token_limit=100_000)
    model = ScriptedModel([call("get_page_image", doc_id=BERG, image="fig-3-1.png"), ANSWER])
    await VecTreeAgent(library, llm=model).run(QUESTION, memory=memory)
    assert [m.role for m in memory.get_all()] == [
        MessageRole.USER,
        MessageRole.ASSISTANT,
        MessageRole.TOOL,
        MessageRole.ASSISTANT,
    ]
    assert not any(isinstance(block, ImageBlock) for m in memory.get_all() for block in m.blocks)


async def test_requests_carry_nothing_of_ours_beside_the_conversation(library: MemoryLibrary) -> None:
    seen: list[ChatRequest] = []

    def answer(request: ChatRequest) -> str:
        seen.append(request)
        return ANSWER

    await VecTreeAgent(library, llm=FunctionModel(answer)).run(QUESTION)
    assert [m.role for m in seen[0].messages] == [Role.SYSTEM, Role.USER]


def _context(agent: VecTreeAgent) -> Any:
    from llama_index.core.workflow import Context

    return Context(agent)
