"""Recorded replies answer the same requests, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vectree.errors import ModelRequestError, UsageError
from vectree.llm.chat import ChatRequest, Message, Reply, Role, Usage
from vectree.llm.replay import RecordingModel, ReplayModel
from vectree.llm.scripted import ScriptedModel

QUESTION = ChatRequest(messages=(Message(role=Role.USER, text="What is an anode?"),))
REPLY = Reply(text="An electrode.", usage=Usage(prompt_tokens=9, completion_tokens=3, cost=0.001))


def _record(folder: Path, name: str = "recorded") -> None:
    model = RecordingModel(ScriptedModel([REPLY], name=name, context_window=4096), folder)
    assert model.complete(QUESTION) == REPLY


def test_a_recorded_request_is_answered_with_the_same_reply_and_usage(tmp_path: Path) -> None:
    _record(tmp_path)
    replay = ReplayModel(tmp_path)
    assert (replay.name, replay.context_window) == ("recorded", 4096)
    assert replay.complete(QUESTION) == REPLY
    assert replay.complete(QUESTION) == REPLY


def test_a_changed_request_fails_loudly_on_one_line(tmp_path: Path) -> None:
    _record(tmp_path)
    changed = ChatRequest(messages=(Message(role=Role.USER, text="What is\na cathode?"),))
    with pytest.raises(ModelRequestError, match=r"holds no reply to request .* 'What is a cathode\?'"):
        ReplayModel(tmp_path).complete(changed)


def test_a_recording_can_be_read_by_people(tmp_path: Path) -> None:
    _record(tmp_path)
    (file,) = tmp_path.glob("??/*.json")
    written = json.loads(file.read_text())
    assert written["request"]["messages"][0]["text"] == "What is an anode?"
    assert written["reply"]["text"] == "An electrode."


def test_a_folder_holds_one_model(tmp_path: Path) -> None:
    _record(tmp_path, "one")
    _record(tmp_path, "one")
    with pytest.raises(UsageError, match="holds replies of 'one', not of 'two'"):
        _record(tmp_path, "two")


@pytest.mark.parametrize("content", [None, "", "[]", '{"model": 3}'])
def test_a_folder_without_recordings_is_refused_at_once(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "recording.json").write_text(content)
    with pytest.raises(UsageError, match="no folder of recorded replies"):
        ReplayModel(tmp_path)
