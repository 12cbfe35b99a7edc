"""Asking for a value of a given form: what is accepted, what is asked again, and where it ends."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, Field

from vectree.errors import ModelReplyError, ModelRequestError, ModelUnavailable
from vectree.llm.chat import ChatRequest, Message, Reply, Role, Usage
from vectree.llm.scripted import FunctionModel, ScriptedModel
from vectree.llm.structured import ask, ask_with_report, list_field


class Heading(BaseModel):
    title: str = Field(min_length=1)
    page: int | None = None


class Headings(BaseModel):
    headings: list[Heading]


class Summary(BaseModel):
    summary: str = Field(min_length=1)
    keywords: list[str] = []


QUESTION = ChatRequest(
    messages=(
        Message(role=Role.SYSTEM, text="You read papers."),
        Message(role=Role.USER, text="List the headings."),
    )
)
GOOD = json.dumps({"headings": [{"title": "Introduction", "page": 1}, {"title": "Methods", "page": 3}]})
TITLES = ["Introduction", "Methods"]


def _titles(headings: Headings) -> list[str]:
    return [heading.title for heading in headings.headings]


def test_a_good_reply_costs_one_call_and_the_schema_goes_with_it() -> None:
    model = ScriptedModel([GOOD])
    assert _titles(ask(model, QUESTION, Headings)) == TITLES
    (request,) = model.requests
    assert request.schema == Headings.model_json_schema()
    assert request.messages == QUESTION.messages


@pytest.mark.parametrize(
    "reply",
    [
        f"Sure!\n```json\n{GOOD}\n```\nAnything else?",
        json.dumps(json.loads(GOOD)["headings"]),
        json.dumps({"result": json.loads(GOOD)}),
        json.dumps({"table_of_contents": json.loads(GOOD)["headings"]}),
        GOOD.replace('"page": 1', '"page": "1"').replace("}]}", ",},],}"),
    ],
    ids=["prose", "bare list", "wrapper", "other name", "careless"],
)
def test_c07_recoverable_shapes_give_the_same_value_at_the_first_attempt(reply: str) -> None:
    model = ScriptedModel([reply])
    assert _titles(ask(model, QUESTION, Headings)) == TITLES
    assert model.left == 0


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("", "empty"),
        ("I'm sorry, I cannot do that.", "declined"),
        ("There are two headings.", "No JSON object"),
        ('{"headings": "none"}', "headings: Input should be a valid list"),
        ('{"headings": [{"title": ""}]}', "headings.0.title: String should have at least 1 character"),
        ('["Introduction", "Methods"]', "headings.0: Input should be a valid dictionary"),
        ('{"type": "object", "properties": {}}', "headings.0.title: Field required"),
    ],
)
def test_c07_an_unusable_reply_is_asked_again_with_the_reason_in_one_line(bad: str, problem: str) -> None:
    model = ScriptedModel([bad, GOOD])
    assert _titles(ask(model, QUESTION, Headings)) == TITLES
    again = model.requests[1].messages
    assert again[: len(QUESTION.messages)] == QUESTION.messages
    assert again[-2] == Message(role=Role.ASSISTANT, text=bad or "(empty reply)")
    first_line = again[-1].text.splitlines()[0]
    assert problem in first_line
    assert len(first_line) < 500


def test_only_the_last_bad_reply_is_shown_again_and_only_its_beginning() -> None:
    model = ScriptedModel(["first" * 10_000, "second", GOOD])
    ask(model, QUESTION, Headings)
    shown = [message.text for message in model.requests[2].messages]
    assert len(shown) == 4
    assert shown[2] == "second"
    assert len(model.requests[1].messages[2].text) == 2000


def test_attempts_are_bounded_and_the_error_carries_them_with_the_last_reply() -> None:
    model = ScriptedModel(["a", "b", "nothing\nusable", GOOD])
    with pytest.raises(ModelReplyError) as caught:
        ask(model, QUESTION, Headings)
    assert (caught.value.attempts, caught.value.reply, model.left) == (3, "nothing\nusable", 1)
    assert "scripted gave no usable reply in 3 attempts" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("attempts", "calls"), [(0, 1), (1, 1), (5, 5)])
def test_the_caller_sets_the_bound(attempts: int, calls: int) -> None:
    model = FunctionModel(lambda _: "no")
    with pytest.raises(ModelReplyError):
        ask(model, QUESTION, Headings, attempts=attempts)
    assert len(model.requests) == calls


@pytest.mark.parametrize(
    "said", ["I'm sorry, I cannot do that.", "I am unable to summarize an empty section."]
)
def test_a_refusal_dressed_as_a_value_is_a_failure(said: str) -> None:
    """A refusal was once stored as the summary and as the description of a paper."""
    model = ScriptedModel([json.dumps({"summary": said}), '{"summary": "We cannot exclude an effect."}'])
    assert ask(model, QUESTION, Summary).summary == "We cannot exclude an effect."
    assert "declined" in model.requests[1].messages[-1].text


def test_an_apology_before_a_good_reply_is_none() -> None:
    assert _titles(ask(ScriptedModel([f"I'm sorry for the delay. {GOOD}"]), QUESTION, Headings)) == TITLES


def test_a_cut_reply_is_asked_for_once_more_and_then_taken_as_far_as_it_goes() -> None:
    cut = GOOD[: GOOD.index("Methods")]
    model = ScriptedModel([cut, cut, GOOD])
    answer = ask_with_report(model, QUESTION, Headings)
    assert (_titles(answer.value), answer.complete, answer.attempts) == (["Introduction"], False, 2)
    assert "cut off" in model.requests[1].messages[-1].text


def test_of_two_cut_replies_the_longer_is_taken_and_a_cut_one_beats_none() -> None:
    short, long = GOOD[: GOOD.index("Methods")], GOOD[: GOOD.rindex("]")]
    for replies in ([short, long], [long, short], [long, "what?"]):
        answer = ask_with_report(ScriptedModel(replies), QUESTION, Headings)
        assert (_titles(answer.value), answer.complete) == (TITLES, False)


def test_a_whole_reply_replaces_a_cut_one() -> None:
    answer = ask_with_report(ScriptedModel([GOOD[:-10], GOOD]), QUESTION, Headings)
    assert (_titles(answer.value), answer.complete) == (TITLES, True)


def test_items_that_never_fit_are_left_out_at_the_last_attempt_only() -> None:
    """A list of strings among objects, or an entry without a title, must not cost the other entries."""
    mixed = json.dumps(
        {"headings": [{"title": "Introduction"}, "Methods", {"page": 3}, {"title": "Results"}]}
    )
    model = ScriptedModel([mixed, mixed, mixed])
    answer = ask_with_report(model, QUESTION, Headings)
    assert (_titles(answer.value), answer.complete, answer.attempts) == (
        ["Introduction", "Results"],
        False,
        3,
    )
    with pytest.raises(ModelReplyError):
        ask(FunctionModel(lambda _: '{"headings": ["Introduction", "Methods"]}'), QUESTION, Headings)


def test_half_a_surrogate_pair_is_no_text() -> None:
    """It could not be written to disk."""
    model = ScriptedModel([r'{"summary": "\ud800"}', '{"summary": "fine"}'])
    assert ask(model, QUESTION, Summary).summary == "fine"


def test_usage_counts_every_attempt() -> None:
    usage = Usage(prompt_tokens=10, completion_tokens=5, cached_tokens=2, cost=0.25)
    model = ScriptedModel([Reply(text="no", usage=usage), Reply(text=GOOD, usage=usage)])
    answer = ask_with_report(model, QUESTION, Headings)
    assert answer.usage == Usage(prompt_tokens=20, completion_tokens=10, cached_tokens=4, cost=0.5)


def test_a_service_that_refuses_ends_the_question_at_once() -> None:
    def refuse(_: ChatRequest) -> str:
        raise ModelUnavailable("busy")

    model = FunctionModel(refuse)
    with pytest.raises(ModelRequestError):
        ask(model, QUESTION, Headings)
    assert len(model.requests) == 1


def test_what_a_model_calls_no_reply_counts_as_an_attempt() -> None:
    replies = iter([None, GOOD])

    def answer(_: ChatRequest) -> str:
        reply = next(replies)
        if reply is None:
            raise ModelReplyError("it has no choices")
        return reply

    answered = ask_with_report(FunctionModel(answer), QUESTION, Headings)
    assert (answered.attempts, answered.complete) == (2, True)


def test_a_bare_list_stands_for_the_only_list_of_a_form() -> None:
    class Two(BaseModel):
        names: list[str]
        pages: list[int]

    class Titled(BaseModel):
        title: str
        pages: list[int]

    assert [list_field(form) for form in (Headings, Summary, Two, Titled)] == ["headings", None, None, None]
