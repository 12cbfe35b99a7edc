from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_scripts import ANSWER, BERG, SCRIPTS

from langchain_vectree import LangChainChatModel, VecTreeChatModel, VecTreeToolkit
from langchain_vectree.chat_models import as_chat_model
from langchain_vectree.convert.calls import issued_calls, with_ids
from langchain_vectree.convert.messages import from_message, from_reply, to_message
from langchain_vectree.images import placement
from vectree.agent.loop import answer_question
from vectree.errors import ModelRequestError, ModelUnavailable, UsageError
from vectree.llm.chat import ChatModel, ChatRequest, Message, Reply, Usage
from vectree.llm.scripted import FunctionModel, ScriptedModel
from vectree.testing.chat_model_contract import ChatModelContract, Exchange, tool_conversation, user
from vectree.testing.library import MemoryLibrary


class TestLangChainModelKeepsTheContract(ChatModelContract):
    """A LangChain model (ours, over a script) as a model of the core."""

    def make_model(self, exchanges: Sequence[Exchange]) -> ChatModel:
        if not exchanges:
            return LangChainChatModel(VecTreeChatModel(model=ScriptedModel([])), name="scripted")
        return LangChainChatModel(
            VecTreeChatModel(model=ScriptedModel([r for _, r in exchanges])), images="tool"
        )


class Recording(BaseChatModel):
    """Keeps what it is sent; answers with what it was given."""

    answers: list[Any]
    seen: list[Any] = []  # noqa: RUF012  # pydantic copies defaults
    settings: list[dict[str, Any]] = []  # noqa: RUF012

    @property
    def _llm_type(self) -> str:
        return "recording"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(tools=tools, **kwargs)

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        self.seen.append(messages)
        self.settings.append(kwargs)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return ChatResult(generations=[ChatGeneration(message=answer)])


@pytest.mark.parametrize("name", SCRIPTS)
def test_through_langchain_and_back_the_core_s_run_is_the_same(library: MemoryLibrary, name: str) -> None:
    straight = answer_question("q", library=library, model=ScriptedModel(SCRIPTS[name]()))
    model = LangChainChatModel(VecTreeChatModel(model=ScriptedModel(SCRIPTS[name]())), images="tool")
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


def test_settings_schema_and_tools_reach_the_model() -> None:
    model = Recording(answers=[AIMessage('{"page": 3}')])
    request = tool_conversation()
    request = ChatRequest(
        messages=request.messages,
        tools=request.tools,
        schema={"type": "object"},
        temperature=0.0,
        max_tokens=9,
    )
    LangChainChatModel(model).complete(request)
    assert model.settings[0]["temperature"] == 0.0
    assert model.settings[0]["max_tokens"] == 9
    assert model.settings[0]["tools"][0]["type"] == "function"
    assert "JSON schema" in model.seen[0][-1].text


@pytest.mark.parametrize("images", ["tool", "user", "none"])
def test_figures_go_where_the_service_takes_them(images: Any) -> None:
    model = Recording(answers=[AIMessage("ok")])
    LangChainChatModel(model, images=images).complete(tool_conversation())
    with_images = [
        m.type
        for m in model.seen[0]
        if isinstance(m.content, list) and any(b["type"] == "image" for b in m.content)
    ]
    assert with_images == {"tool": ["tool"], "user": ["human"], "none": []}[images]
    tools = [n for n, m in enumerate(model.seen[0]) if isinstance(m, ToolMessage)]
    assert tools == list(range(tools[0], tools[0] + len(tools)))  # nothing between calls and results


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
        (APIConnectionError("x"), ModelUnavailable),
        (_BadKey("no"), ModelRequestError),
    ],
)
def test_a_provider_s_errors_become_the_core_s(error: Exception, kind: type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        LangChainChatModel(Recording(answers=[error])).complete(user("hello"))
    assert caught.value.retryable is (kind is ModelUnavailable)  # type: ignore[attr-defined]


def test_name_and_window_come_from_the_model() -> None:
    class Named(Recording):
        model_name: str = "some-model"
        profile: Any = {"max_input_tokens": 1234}  # noqa: RUF012  # pydantic copies defaults

    wrapped = LangChainChatModel(Named(answers=[]))
    assert (wrapped.name, wrapped.context_window) == ("some-model", 1234)
    assert LangChainChatModel(Recording(answers=[])).context_window is None


@pytest.mark.parametrize(
    ("kind", "profile", "expected"),
    [
        ("FakeModel", None, "user"),
        ("FakeModel", {"image_inputs": False, "image_tool_message": True}, "none"),
        ("ChatAnthropic", {"image_inputs": True, "image_tool_message": True}, "tool"),
        ("ChatOpenAI", {"image_inputs": True, "image_tool_message": True}, "user"),
    ],
)
def test_the_profile_decides_where_figures_go(kind: str, profile: Any, expected: str) -> None:
    model = type(kind, (), {"profile": profile})()
    assert placement(model) == expected
    assert placement(model, "tool") == "tool"


def test_messages_survive_both_ways() -> None:
    for message in tool_conversation('{"word": "ano').messages:
        assert from_message(to_message(message)) == Message(
            role=message.role,
            text=message.text,
            images=tuple(type(i)(data=i.data, media_type=i.media_type) for i in message.images),
            tool_calls=message.tool_calls,
            tool_call_id=message.tool_call_id,
        )
    data_url = HumanMessage([{"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}])
    assert from_message(data_url).images[0].data == b"hi"
    far = HumanMessage([{"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}])
    assert from_message(far).images == ()  # nothing is fetched


def test_calls_keep_the_order_of_issue_as_providers_tell_it() -> None:
    broken = {"type": "invalid_tool_call", "id": "a", "name": "x", "args": "{", "error": "e"}
    good = {"type": "tool_call", "id": "b", "name": "y", "args": {}}
    openai = AIMessage(
        "",
        tool_calls=[good],
        invalid_tool_calls=[broken],
        additional_kwargs={"tool_calls": [{"id": "a"}, {"id": "b"}]},
    )
    blocks: Any = [
        {"type": "tool_use", "id": "a", "name": "x", "input": {}},
        {"type": "tool_use", "id": "b", "name": "y", "input": {}},
    ]
    anthropic = AIMessage(blocks, tool_calls=[good], invalid_tool_calls=[broken])
    silent = AIMessage("", tool_calls=[good], invalid_tool_calls=[broken])
    assert [[c["id"] for c in issued_calls(m)] for m in (openai, anthropic, silent)] == [
        ["a", "b"],
        ["a", "b"],
        ["b", "a"],
    ]


def test_missing_and_repeated_ids_are_mended_and_others_left_alone() -> None:
    def good(identity: Any) -> Any:
        return {"type": "tool_call", "id": identity, "name": "y", "args": {}}

    fine = AIMessage("", tool_calls=[good("a"), good("b")])
    assert with_ids(fine) is fine
    mended = with_ids(AIMessage("", tool_calls=[good("a"), good("a"), good(None), good("a-2")]))
    ids = [c["id"] for c in mended.tool_calls]
    assert len(set(ids)) == 4
    assert all(ids)
    assert ids[0] == "a"


def test_the_extractive_model_is_a_langchain_model_that_needs_no_key(library: MemoryLibrary) -> None:
    """A plain tool-calling chatbot, with VecTree's tools put in."""
    tools = {tool.name: tool for tool in VecTreeToolkit(corpus=library).get_tools()}
    model = VecTreeChatModel().bind_tools(list(tools.values()))
    messages: list[Any] = [
        SystemMessage("Be brief."),
        HumanMessage("What is the activation energy of the garnet?"),
    ]
    for _ in range(10):
        messages.append(model.invoke(messages))
        if not messages[-1].tool_calls:
            break
        messages += [tools[c["name"]].invoke(c) for c in messages[-1].tool_calls]
    assert "0.28 eV" in messages[-1].text


def test_usage_and_stop_words() -> None:
    usage = Usage(prompt_tokens=10, completion_tokens=3, cached_tokens=4)
    message = from_reply(Reply(text="x", usage=usage))
    assert message.usage_metadata is not None
    assert message.usage_metadata["input_tokens"] == 10
    assert (
        VecTreeChatModel(model=FunctionModel(lambda _: "one STOP two")).invoke("q", stop=["STOP"]).text
        == "one "
    )


async def test_a_core_model_in_an_event_loop_runs_in_a_thread() -> None:
    assert (await VecTreeChatModel(model=FunctionModel(lambda _: "hi")).ainvoke("q")).text == "hi"


def test_models_are_found_by_what_they_are() -> None:
    assert isinstance(as_chat_model(None), VecTreeChatModel)
    ours = VecTreeChatModel()
    assert as_chat_model(ours) is ours
    assert isinstance(as_chat_model(ScriptedModel([])), VecTreeChatModel)
    with pytest.raises(UsageError):
        as_chat_model(3)  # type: ignore[arg-type]


def test_corpora_can_be_asked_with_a_langchain_model(library: MemoryLibrary) -> None:
    model = Recording(
        answers=[
            AIMessage(
                "",
                tool_calls=[
                    {
                        "type": "tool_call",
                        "id": "a",
                        "name": "get_page_content",
                        "args": {"doc_id": BERG, "pages": "3"},
                    }
                ],
            ),
            AIMessage(ANSWER),
        ]
    )
    answer = answer_question("q", library=library, model=LangChainChatModel(model))
    assert [c.read for c in answer.citations] == [True]
