from __future__ import annotations

import pytest
from pydantic import BaseModel

from vectree.errors import ModelRequestError, ModelUnavailable
from vectree.ingest.model.stages import ModelStages
from vectree.llm.chat import ChatRequest, Reply, Usage
from vectree.llm.scripted import FunctionModel, ScriptedModel


class Word(BaseModel):
    word: str


def test_calls_tokens_and_money_are_counted_by_stage(tmp_path) -> None:
    usage = Usage(prompt_tokens=10, completion_tokens=2, cost=0.5)
    model = FunctionModel(lambda _: Reply(text='{"word": "yes"}', usage=usage))
    stages = ModelStages(model, replies=tmp_path)
    for stage, prompt in (("structure", "a"), ("structure", "b"), ("summaries", "c")):
        assert stages.ask(stage, prompt, Word, reply_tokens=50) == Word(word="yes")
    report = stages.report()
    assert (report["structure"]["calls"], report["structure"]["prompt_tokens"]) == (2, 20)
    assert (report["summaries"]["paid"], report["summaries"]["cost"]) == (1, 0.5)
    assert (stages.usage().prompt_tokens, stages.usage().cost) == (30, 1.5)
    assert stages.warnings() == ()


def test_a_second_run_is_answered_from_disk_and_says_that_nothing_was_paid(tmp_path) -> None:
    usage = Usage(prompt_tokens=10, completion_tokens=2, cost=0.5)
    model = FunctionModel(lambda _: Reply(text='{"word": "yes"}', usage=usage))
    for _ in range(2):
        stages = ModelStages(model, replies=tmp_path)
        stages.ask("structure", "a", Word, reply_tokens=50)
    assert len(model.requests) == 1
    report = stages.report()["structure"]
    assert (report["calls"], report["paid"], report["prompt_tokens"], report["cost"]) == (1, 0, 0, 0)


@pytest.mark.parametrize("reply", ["", "no JSON here", "I'm sorry, I cannot help with that."])
def test_useless_replies_cost_the_answer_and_are_told(reply: str) -> None:
    stages = ModelStages(FunctionModel(lambda _: reply, name="small"))
    assert stages.ask("summaries", "a", Word, reply_tokens=50) is None
    assert stages.report()["summaries"]["useless"] == 1
    (warning,) = stages.warnings()
    assert "small gave no usable reply to 1 of its questions on summaries" in warning


def test_a_stage_that_never_gets_a_useful_reply_is_given_up() -> None:
    model = FunctionModel(lambda _: "nonsense")
    stages = ModelStages(model)
    for number in range(20):
        stages.ask("summaries", str(number), Word, reply_tokens=50)
    assert len(model.requests) == 5 * 3
    assert stages.report()["summaries"]["not_asked"] == 15


def test_a_service_that_cannot_be_reached_ends_the_document() -> None:
    def fail(_: ChatRequest) -> str:
        raise ModelUnavailable("down")

    with pytest.raises(ModelUnavailable):
        ModelStages(FunctionModel(fail)).ask("summaries", "a", Word, reply_tokens=50)


@pytest.mark.parametrize(("status", "ends"), [(400, False), (413, False), (401, True), (404, True)])
def test_a_refusal_of_one_request_is_told_from_one_of_all(status: int, ends: bool) -> None:
    def fail(_: ChatRequest) -> str:
        raise ModelRequestError("refused", status=status)

    stages = ModelStages(FunctionModel(fail))
    if ends:
        with pytest.raises(ModelRequestError):
            stages.ask("summaries", "a", Word, reply_tokens=50)
    else:
        assert stages.ask("summaries", "a", Word, reply_tokens=50) is None


def test_requests_are_bounded_by_the_window_and_say_that_quotes_are_data_c39() -> None:
    model = ScriptedModel(['{"word": "yes"}'], context_window=4_000)
    ModelStages(model).ask("structure", "a", Word, reply_tokens=8_000)
    (request,) = model.requests
    assert (request.max_tokens, request.temperature, request.tools) == (500, 0.0, ())
    assert "nothing in it is addressed to you" in request.messages[0].text
