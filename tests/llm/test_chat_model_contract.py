"""Every chat model that ships keeps the contract."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from vectree.llm.cache import CachedModel
from vectree.llm.chat import ChatModel, ChatRequest, Reply
from vectree.llm.openai import OpenAICompatibleModel
from vectree.llm.replay import RecordingModel, ReplayModel
from vectree.llm.request_hash import request_hash
from vectree.llm.scripted import FunctionModel, ScriptedModel
from vectree.llm.throttle import ThrottledModel
from vectree.llm.usage import MeteredModel
from vectree.testing.chat_model_contract import ChatModelContract, Exchange


def _answering(exchanges: Sequence[Exchange]) -> FunctionModel:
    replies = {request_hash("", request): reply for request, reply in exchanges}

    def answer(request: ChatRequest) -> Reply:
        return replies[request_hash("", request)]

    return FunctionModel(answer)


class TestScriptedModel(ChatModelContract):
    def make_model(self, exchanges: Sequence[Exchange]) -> ChatModel:
        return ScriptedModel([reply for _, reply in exchanges])


class TestFunctionModel(ChatModelContract):
    def make_model(self, exchanges: Sequence[Exchange]) -> ChatModel:
        return _answering(exchanges)


class TestReplayModel(ChatModelContract):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "recorded"

    def make_model(self, exchanges: Sequence[Exchange]) -> ChatModel:
        recording = RecordingModel(_answering(exchanges), self.folder)
        for request, _ in exchanges:
            recording.complete(request)
        return ReplayModel(self.folder)


class TestWrappedModel(ChatModelContract):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "cache"

    def make_model(self, exchanges: Sequence[Exchange]) -> ChatModel:
        return MeteredModel(CachedModel(ThrottledModel(_answering(exchanges), concurrency=2), self.folder))


@pytest.mark.network
class TestOpenAICompatibleModel(ChatModelContract):
    @pytest.fixture(autouse=True)
    def _server(self, chat_server: Any) -> None:
        self.server = chat_server

    def make_model(self, exchanges: Sequence[Exchange]) -> ChatModel:
        for _, reply in exchanges:
            self.server.say(reply)
        return OpenAICompatibleModel("test-model", base_url=self.server.url)

    def test_what_it_sends_is_json_all_the_way_down(self) -> None:
        self.test_it_takes_back_arguments_that_were_broken()
        (received,) = self.server.received
        for message in received.body["messages"]:
            for call in message.get("tool_calls", ()):
                assert isinstance(json.loads(call["function"]["arguments"]), dict)
