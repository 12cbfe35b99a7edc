"""What every chat model must do. Subclass, return yours from ``make_model``, and let pytest collect it.

No test framework is imported here; the checks are plain assertions.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from vectree.llm.chat import ChatModel, ChatRequest, Image, Message, Reply, Role, ToolCall, ToolSpec

Exchange = tuple[ChatRequest, Reply]

_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478da63fcffff3f030005fe02fe"
    "a7d35d7b0000000049454e44ae426082"
)
_LOOK_UP = ToolSpec(
    name="look_up",
    description="Look a word up.",
    parameters={"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
)
_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {"page": {"type": "integer"}},
    "required": ["page"],
    "additionalProperties": False,
}


def user(text: str, **settings: Any) -> ChatRequest:
    """A request of one user message.

    Args:
        text: What the user says.
        **settings: Other fields of the request.

    Returns:
        The request.
    """
    return ChatRequest(messages=(Message(role=Role.USER, text=text),), **settings)


def tool_conversation(arguments: str = '{"word": "anode"}') -> ChatRequest:
    """A request after two tool calls in one reply, one of which returned an image.

    Args:
        arguments: Arguments of the first call, as the model wrote them.

    Returns:
        The request.
    """
    calls = (
        ToolCall(id="call-a", name="look_up", arguments=arguments),
        ToolCall(id="call-b", name="look_up", arguments='{"word": "figure"}'),
    )
    image = Image(data=_PIXEL, media_type="image/png", name="p2-fig1.png")
    return ChatRequest(
        messages=(
            Message(role=Role.SYSTEM, text="You look words up."),
            Message(role=Role.USER, text="What is an anode?"),
            Message(role=Role.ASSISTANT, tool_calls=calls),
            Message(role=Role.TOOL, text="An electrode.", tool_call_id="call-a"),
            Message(role=Role.TOOL, text="See the figure.", tool_call_id="call-b", images=(image,)),
        ),
        tools=(_LOOK_UP,),
    )


class ChatModelContract:
    """The contract of `vectree.llm.chat.ChatModel`. Subclasses override `make_model`."""

    def make_model(self, exchanges: Sequence[Exchange]) -> ChatModel:
        """Return a model under test that gives these replies.

        Args:
            exchanges: Requests that will be made, each with its reply; in this order, or from several threads
                in any order.

        Returns:
            The model.

        Raises:
            NotImplementedError: Unless overridden.
        """
        raise NotImplementedError("return the model under test")

    def _only(self, request: ChatRequest, reply: Reply) -> Reply:
        return self.make_model([(request, reply)]).complete(request)

    def test_it_has_a_name_and_knows_its_window_or_not(self) -> None:
        """Outputs and cache keys use the name; the window bounds prompts."""
        model = self.make_model([])
        assert isinstance(model, ChatModel)
        assert model.name.strip()
        assert model.context_window is None or model.context_window > 0

    def test_it_returns_the_text(self) -> None:
        """White space and characters of every script arrive as they were said."""
        text = "Schrödinger’s  β-phase:\n\n* 80 °C\n* 漢字 😀"
        assert self._only(user("hello"), Reply(text=text)).text == text

    def test_an_empty_reply_is_a_reply(self) -> None:
        """What to do about it is up to who asked (the agent nudges once)."""
        reply = self._only(user("hello"), Reply(text=""))
        assert (reply.text.strip(), reply.tool_calls) == ("", ())

    def test_it_returns_tool_calls_in_order_and_as_written(self) -> None:
        """Broken arguments and unknown names are the loop's business."""
        written = [
            ("look_up", '{"word": "anode"}'),
            ("look_up", '{"word": "ano'),
            ("nonsense", "[]"),
            ("look_up", ""),
        ]
        issued = tuple(
            ToolCall(id=f"call-{n}", name=name, arguments=args) for n, (name, args) in enumerate(written)
        )
        reply = self._only(user("look it up", tools=(_LOOK_UP,)), Reply(tool_calls=issued))
        assert [(call.name, call.arguments) for call in reply.tool_calls] == written
        assert all(call.id for call in reply.tool_calls)
        assert len({call.id for call in reply.tool_calls}) == len(written)

    def test_it_takes_a_conversation_with_tools_and_images(self) -> None:
        """Results of tools go back to it, images among them."""
        assert self._only(tool_conversation(), Reply(text="An electrode.")).text == "An electrode."

    def test_it_takes_back_arguments_that_were_broken(self) -> None:
        """A bad call of the model's own must not poison the rest of the conversation (C22)."""
        assert self._only(tool_conversation('{"word": "ano'), Reply(text="Sorry.")).text == "Sorry."

    def test_it_takes_a_schema_and_settings(self) -> None:
        """A reply of a given form is text; reading it is up to who asked."""
        request = user("which page?", schema=_FORM, temperature=0.0, max_tokens=50)
        assert self._only(request, Reply(text='{"page": 3}')).text == '{"page": 3}'

    def test_usage_is_counted_and_an_unknown_cost_is_none(self) -> None:
        """Never negative, never a made-up zero."""
        usage = self._only(user("hello"), Reply(text="hi")).usage
        assert min(usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens) >= 0
        assert usage.cached_tokens <= usage.prompt_tokens
        assert usage.cost is None or usage.cost >= 0

    def test_several_threads_may_ask_at_once(self) -> None:
        """Summaries of sections are asked for concurrently (§3.2)."""
        exchanges = [(user(f"question {n}"), Reply(text=f"answer {n}")) for n in range(12)]
        model = self.make_model(exchanges)
        with ThreadPoolExecutor(max_workers=4) as pool:
            replies = list(pool.map(model.complete, [request for request, _ in exchanges]))
        assert sorted(reply.text for reply in replies) == sorted(reply.text for _, reply in exchanges)
