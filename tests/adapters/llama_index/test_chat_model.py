from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from langchain_scripts import ANSWER, BERG, SCRIPTS
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, ImageBlock, MessageRole, ToolCallBlock
from llama_index.core.llms import MockLLM

from llama_index_vectree import LlamaIndexChatModel, VecTreeLLM
from llama_index_vectree.convert.calls import to_calls, with_ids
from llama_index_vectree.convert.messages import from_message, from_reply, text_of, to_message, to_usage
from vectree.agent.loop import answer_question
from vectree.agent.tree_search.search import locate
from vectree.errors import ModelRequestError, ModelUnavailable, UsageError
from vectree.llm.chat import ChatModel, ChatRequest, Message, Reply, Role, Usage
from vectree.llm.scripted import FunctionModel, ScriptedModel, call
from vectree.testing.chat_model_contract import ChatModelContract, Exchange, tool_conversation, user
from vectree.testing.library import MemoryLibrary


class TestLlamaIndexModelKeepsTheContract(ChatModelContract):
    """A LlamaIndex model (ours, over a script) as a model of the core."""

    def make_model(self, exchanges: Sequence[Exchange]) -> ChatModel:
        return LlamaIndexChatModel(VecTreeLLM(model=ScriptedModel([r for _, r in exchanges])))


@pytest.mark.parametrize("name", SCRIPTS)
def test_through_llamaindex_and_back_the_core_s_run_is_the_same(library: MemoryLibrary, name: str) -> None:
    straight = answer_question("q", library=library, model=ScriptedModel(SCRIPTS[name]()))
    model = LlamaIndexChatModel(VecTreeLLM(model=ScriptedModel(SCRIPTS[name]())))
    around = answer_question("q", library=library, model=model)
    assert [(s.call, s.tool, s.tokens, s.error) for s in around.trajectory] == [
        (s.call, s.tool, s.tokens, s.error) for s in straight.trajectory
    ]
    assert (around.text, around.stopped, around.citations) == (
        straight.text,
        straight.stopped,
        straight.citations,
    )
    assert around.usage.prompt_tokens == straight.usage.prompt_tokens


def test_it_names_sections_in_tree_search(library: MemoryLibrary) -> None:
    seen: list[ChatRequest] = []
    model = LlamaIndexChatModel(recording(seen, '{"nodes": ["0004"]}'))
    found = locate(library, BERG, "What is the activation energy of the garnet?", model=model)
    assert [section.node_id for section in found.sections] == ["0004"]
    assert seen


def recording(seen: list[ChatRequest], reply: Reply | str = "ok") -> VecTreeLLM:
    def answer(request: ChatRequest) -> Reply | str:
        seen.append(request)
        return reply

    return VecTreeLLM(model=FunctionModel(answer, context_window=9000))


def test_settings_schema_and_tools_reach_the_model() -> None:
    seen: list[ChatRequest] = []
    asked = tool_conversation()
    request = ChatRequest(
        messages=asked.messages, tools=asked.tools, schema={"type": "object"}, temperature=0.0, max_tokens=9
    )
    LlamaIndexChatModel(recording(seen)).complete(request)
    assert (seen[0].temperature, seen[0].max_tokens) == (0.0, 9)
    assert seen[0].tools[0].parameters["properties"] == asked.tools[0].parameters["properties"]
    assert "JSON schema" in seen[0].messages[-1].text


@pytest.mark.parametrize(("images", "roles"), [("tool", [Role.TOOL]), ("user", [Role.USER]), ("none", [])])
def test_figures_go_where_the_service_takes_them(images: Any, roles: list[Role]) -> None:
    seen: list[ChatRequest] = []
    LlamaIndexChatModel(recording(seen), images=images).complete(tool_conversation())
    assert [m.role for m in seen[0].messages if m.images] == roles
    tools = [n for n, m in enumerate(seen[0].messages) if m.role is Role.TOOL]
    assert tools == list(range(tools[0], tools[0] + len(tools)))  # nothing between calls and results


def test_name_and_window_are_the_model_s_unless_told_otherwise() -> None:
    model = LlamaIndexChatModel(recording([]))
    assert (model.name, model.context_window) == ("function", 9000)
    assert LlamaIndexChatModel(MockLLM()).name == "MockLLM"
    assert LlamaIndexChatModel(MockLLM(), name="mine", context_window=5).context_window == 5


def test_a_model_without_functions_reads_papers_but_does_not_answer() -> None:
    model = LlamaIndexChatModel(MockLLM())
    assert "page" in model.complete(user("which page?")).text
    with pytest.raises(ModelRequestError, match="cannot call functions"):
        model.complete(tool_conversation())


class _Limited(Exception):
    status_code = 429


class APIConnectionError(Exception):
    pass


class _BadKey(Exception):
    status_code = 401


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (_Limited("slow down"), ModelUnavailable),
        (APIConnectionError("refused"), ModelUnavailable),
        (_BadKey("no such key"), ModelRequestError),
        (ValueError("odd"), ModelRequestError),
    ],
)
def test_failures_are_the_core_s_errors(error: Exception, kind: type[Exception]) -> None:
    def fail(_: ChatRequest) -> Reply:
        raise error

    with pytest.raises(ModelRequestError, match=str(error)) as caught:
        LlamaIndexChatModel(VecTreeLLM(model=FunctionModel(fail))).complete(user("hello"))
    assert type(caught.value) is kind


@pytest.mark.parametrize("message", tool_conversation('{"word": "ano').messages, ids=lambda m: m.role.value)
def test_messages_survive_the_way_there_and_back(message: Message) -> None:
    back = from_message(to_message(message), None)
    assert (back.role, back.text, back.tool_calls, back.tool_call_id) == (
        message.role,
        message.text,
        message.tool_calls,
        message.tool_call_id,
    )
    assert [image.data for image in back.images] == [image.data for image in message.images]


def test_images_by_path_or_address_are_neither_opened_nor_fetched(tmp_path: Any) -> None:
    (tmp_path / "x.png").write_bytes(b"secret")
    blocks = [ImageBlock(path=tmp_path / "x.png"), ImageBlock(url="http://example.org/x.png")]
    assert from_message(ChatMessage(role="user", blocks=blocks), None).images == ()


def test_calls_without_ids_or_with_the_same_are_given_ids() -> None:
    blocks = [
        ToolCallBlock(tool_call_id=i, tool_name="a", tool_kwargs='{"x": 1}')
        for i in ("x", "x", None, "call-3")
    ]
    message = with_ids(ChatMessage(role="assistant", blocks=blocks))
    ids = [made.id for made in to_calls(message, None)]
    assert ids[0] == "x"
    assert len(set(ids)) == 4
    assert with_ids(message) is message


def test_calls_kept_elsewhere_are_found_by_asking_the_model() -> None:
    from llama_index.core.llms.llm import ToolSelection
    from llama_index.core.llms.mock import MockFunctionCallingLLM

    selected = ToolSelection(tool_id="a", tool_name="list_images", tool_kwargs={"doc_id": "x"})
    message = ChatMessage(role="assistant", additional_kwargs={"tool_calls": [selected]})
    (found,) = to_calls(message, MockFunctionCallingLLM())
    assert (found.id, found.name, found.arguments) == ("a", "list_images", '{"doc_id": "x"}')


@pytest.mark.parametrize(
    ("raw", "extra"),
    [
        (
            {
                "usage": {
                    "prompt_tokens": 9,
                    "completion_tokens": 4,
                    "prompt_tokens_details": {"cached_tokens": 3},
                }
            },
            {},
        ),
        ({"usage": {"input_tokens": 9, "output_tokens": 4, "cache_read_input_tokens": 3}}, {}),
        (None, {"prompt_tokens": 9, "completion_tokens": 4, "cached_tokens": 3}),
    ],
)
def test_usage_is_found_wherever_integrations_leave_it(raw: Any, extra: dict[str, Any]) -> None:
    response = ChatResponse(message=ChatMessage(content="x"), raw=raw, additional_kwargs=extra)
    assert to_usage(response) == Usage(prompt_tokens=9, completion_tokens=4, cached_tokens=3)
    assert to_usage(ChatResponse(message=ChatMessage(content="x"))) == Usage()


async def test_our_models_answer_in_every_way_llamaindex_asks() -> None:
    def model() -> VecTreeLLM:
        return VecTreeLLM(model=ScriptedModel([ANSWER]))

    asked = [ChatMessage(role="user", content="q")]
    assert text_of(model().chat(asked).message) == ANSWER
    assert text_of((await model().achat(asked)).message) == ANSWER
    assert [part.delta for part in model().stream_chat(asked)] == [ANSWER]
    assert [part.delta async for part in await model().astream_chat(asked)] == [ANSWER]
    assert model().complete("q").text == (await model().acomplete("q")).text == ANSWER
    assert [part.delta for part in model().stream_complete("q")] == [ANSWER]
    assert [part.delta async for part in await model().astream_complete("q")] == [ANSWER]


def test_a_call_is_required_only_if_asked_for() -> None:
    response = from_reply(Reply(text="no call"))
    assert VecTreeLLM().get_tool_calls_from_response(response, error_on_no_tool_call=False) == []
    with pytest.raises(ValueError, match="no tool"):
        VecTreeLLM().get_tool_calls_from_response(response)
    (selected,) = VecTreeLLM().get_tool_calls_from_response(from_reply(call("list_images", doc_id="x")))
    assert selected.tool_kwargs == {"doc_id": "x"}


def test_a_role_that_no_conversation_has_is_refused() -> None:
    message = ChatMessage.model_construct(role="narrator", blocks=[], additional_kwargs={})
    with pytest.raises(UsageError, match="narrator"):
        from_message(message, None)
    assert from_message(ChatMessage(role=MessageRole.DEVELOPER, content="x"), None).role is Role.SYSTEM
