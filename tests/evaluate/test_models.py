"""Temperature, recording and replay of the models of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from vectree.errors import ModelRequestError, UsageError
from vectree.evaluate.model_wrappers import RecallingModel, TemperedModel
from vectree.evaluate.models import LiveModels, ReplayedModels
from vectree.llm.chat import ChatRequest, Message, Reply, Role, Usage
from vectree.llm.scripted import FunctionModel, ScriptedModel


def _request(text: str, temperature: float | None = None) -> ChatRequest:
    return ChatRequest(messages=(Message(role=Role.USER, text=text),), temperature=temperature)


def test_a_temperature_is_set_only_where_none_is() -> None:
    inner = FunctionModel(lambda _: "x")
    model = TemperedModel(inner, 1.0)
    model.complete(_request("a"))
    model.complete(_request("b", 0.0))
    assert [request.temperature for request in inner.requests] == [1.0, 0.0]


def test_what_is_recorded_is_not_asked_again_and_keeps_its_usage(tmp_path: Path) -> None:
    used = Usage(prompt_tokens=7, cost=0.5)
    inner = ScriptedModel([Reply(text="first", usage=used), Reply(text="second")])
    model = RecallingModel(inner, tmp_path)
    assert model.complete(_request("a")) == RecallingModel(inner, tmp_path).complete(_request("a"))
    assert model.complete(_request("a")).usage == used
    assert model.complete(_request("b")).text == "second"
    assert inner.left == 0


def test_seeds_and_systems_do_not_share_replies(tmp_path: Path) -> None:
    models = LiveModels(ScriptedModel(["one", "two", "three"], name="g"), recording=tmp_path)
    said = [
        model.complete(_request("a")).text
        for system, seed in (("s", 1), ("s", 2), ("t", 1), ("s", 1))
        if (model := models.for_answer(system, seed))
    ]
    assert said == ["one", "two", "three", "one"]


def test_a_replay_needs_no_model_and_refuses_what_was_not_recorded(tmp_path: Path) -> None:
    live = LiveModels(
        ScriptedModel(["one"], name="g"), ScriptedModel(["good"], name="j/1"), recording=tmp_path
    )
    for model in (live.for_answer("s", 1), live.for_judging()):
        assert model is not None
        model.complete(_request("a"))
    replayed = ReplayedModels(tmp_path)
    answering, judging = replayed.for_answer("s", 1), replayed.for_judging()
    assert answering is not None
    assert judging is not None
    assert (answering.complete(_request("a")).text, judging.complete(_request("a")).text) == ("one", "good")
    assert (replayed.generator_name, replayed.judge_name, replayed.timed) == ("g", "j/1", False)
    with pytest.raises(UsageError, match="no folder of recorded replies"):
        replayed.for_answer("s", 2)
    with pytest.raises(ModelRequestError):
        answering.complete(_request("b"))


def test_a_replay_of_nothing_or_of_an_unclear_judge_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no recorded run"):
        ReplayedModels(tmp_path)
    for name in ("j1", "j2"):
        LiveModels(None, ScriptedModel([], name=name), recording=tmp_path).for_judging()
    with pytest.raises(UsageError, match="j1, j2"):
        ReplayedModels(tmp_path)
    assert ReplayedModels(tmp_path, judge="j2").judge_name == "j2"
    with pytest.raises(UsageError, match="j1, j2"):
        ReplayedModels(tmp_path, judge="j3")


def test_without_models_there_are_none() -> None:
    models = LiveModels(None)
    assert (models.for_answer("s", 1), models.for_preparing("s"), models.for_judging()) == (None, None, None)
    assert (models.generator_name, models.judge_name) == ("", "")


def test_replies_for_an_index_are_kept_even_where_nothing_else_is(tmp_path: Path) -> None:
    said: list[str] = []
    for name in ("g", "g", "h"):
        models = LiveModels(FunctionModel(lambda _, name=name: name, name=name), preparing=tmp_path)
        for model in (models.for_preparing("raptor"), models.for_answer("raptor", 1)):
            assert model is not None
            said.append(model.complete(_request("a")).text)
    assert said == ["g", "g", "g", "g", "h", "h"]
    assert len(list(tmp_path.glob("*/prepare/raptor/recording.json"))) == 2
    assert not list(tmp_path.glob("*/answer"))


def test_a_recording_holds_the_replies_for_an_index_too(tmp_path: Path) -> None:
    models = LiveModels(
        FunctionModel(lambda _: "x"), recording=tmp_path / "record", preparing=tmp_path / "other"
    )
    model = models.for_preparing("raptor")
    assert model is not None
    model.complete(_request("a"))
    assert (tmp_path / "record" / "prepare" / "raptor").is_dir()
    assert not (tmp_path / "other").exists()
