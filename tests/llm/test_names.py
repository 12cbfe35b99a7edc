"""Names become models in one place."""

from __future__ import annotations

from pathlib import Path

import pytest

from vectree.errors import UsageError
from vectree.llm.chat import ChatRequest, Message, Role
from vectree.llm.names import SERVICES, resolve_model
from vectree.llm.replay import RecordingModel
from vectree.llm.scripted import ScriptedModel


@pytest.mark.parametrize("name", ["", "gpt-4o", "openai:", "nobody:model", ":model", "replay:", "OpenAI gpt"])
def test_an_unknown_name_lists_what_is_allowed(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        resolve_model(name)
    for prefix in SERVICES:
        assert f"{prefix}:MODEL" in str(caught.value)
    assert "replay:FOLDER" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_of_recordings_is_a_model(tmp_path: Path) -> None:
    request = ChatRequest(messages=(Message(role=Role.USER, text="hello"),))
    RecordingModel(ScriptedModel(["hi"]), tmp_path).complete(request)
    assert resolve_model(f"replay:{tmp_path}").complete(request).text == "hi"


def test_a_service_elsewhere_needs_its_own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    with pytest.raises(UsageError, match=r"openrouter\.ai asks for an API key") as caught:
        resolve_model("openrouter:vendor/model")
    assert "OPENROUTER_API_KEY" in caught.value.hint
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-or")
    model = resolve_model("openrouter:vendor/model:free", context_window=1000)
    assert (model.name, model.context_window) == ("openrouter:vendor/model:free", 1000)


@pytest.mark.parametrize("prefix", ["ollama", "vllm", "llamacpp"])
def test_software_on_ones_own_machine_needs_no_key(prefix: str) -> None:
    assert resolve_model(f"{prefix}:llama3.2:3b").name == f"{prefix}:llama3.2:3b"


@pytest.mark.network
def test_no_other_endpoint_is_touched_and_no_other_key_is_sent(
    chat_server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A local model once still led to calls to a paid service, and its key to a stranger's."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://api.openai.com/v1")
    monkeypatch.setenv("VECTREE_BASE_URL", chat_server.url)
    chat_server.say("hi")
    reply = resolve_model("ollama:tiny").complete(
        ChatRequest(messages=(Message(role=Role.USER, text="hello"),))
    )
    assert (reply.text, reply.usage.cost) == ("hi", 0.0)
    (received,) = chat_server.received
    assert received.body["model"] == "tiny"
    assert "sk-openai" not in str(received.headers)
