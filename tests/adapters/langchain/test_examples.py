"""The examples run as they are written, with scripted models or the extractive one."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from langchain_scripts import ANSWER, BERG, READ_3, plain, thread
from langgraph.types import Command

from langchain_vectree import VecTreeChatModel, VecTreeToolkit
from vectree import Corpus, HashEmbedder
from vectree.llm.scripted import ScriptedModel, call, calls
from vectree.testing.library import MemoryLibrary

EXAMPLES = Path(__file__).parents[3] / "examples"
QUESTION = "What is the activation energy of the garnet?"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name.replace("/", "_"), EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_retriever_in_a_rag_chain(library: MemoryLibrary) -> None:
    answer = example("langchain_rag_chain").make_chain(library).invoke(QUESTION)
    assert answer == "A garnet electrolyte for solid batteries > 3 Results (berg2021-a1b2, p.3)"


def test_the_tools_in_a_chatbot(library: MemoryLibrary) -> None:
    tools = VecTreeToolkit(corpus=library).get_tools()
    messages = example("langchain_chatbot_tools").chat(VecTreeChatModel(), tools, QUESTION)
    assert "0.28 eV" in messages[-1].text


def test_the_graph_streamed(library: MemoryLibrary) -> None:
    lines = list(example("langgraph_stream").stream(library, QUESTION, ScriptedModel(plain())))
    assert lines[0].split() == ["1", "search", "search_documents", "start"]
    assert lines[-2:] == [ANSWER, f"  {BERG} p.3: read"]


def test_the_assistant_with_memory_and_a_person_in_the_loop(library: MemoryLibrary) -> None:
    replies = [
        call("search_documents", query="garnet"),
        calls(READ_3),
        ANSWER,
        calls(("get_page_content", {"doc_id": BERG, "pages": "1"})),
        "I was not allowed to look.",
    ]
    assistant, config = (
        example("langgraph_supervisor").make_assistant(library, ScriptedModel(replies)),
        thread(),
    )
    state = assistant.invoke({"messages": [("user", QUESTION)]}, config)
    assert state["__interrupt__"][0].value == {"read": {"doc_id": BERG, "pages": "3"}}
    state = assistant.invoke(Command(resume=True), config)
    assert (state["messages"][-1].text, state["trusted"]) == (ANSWER, True)
    assistant.invoke({"messages": [("user", "And page 1?")]}, config)
    state = assistant.invoke(Command(resume=False), config)
    assert (state["messages"][-1].text, state["trusted"]) == ("I was not allowed to look.", False)
    assert sum(message.type == "human" for message in state["messages"]) == 2


def corpus_on_disk(folder: Path, papers: Path) -> Path:
    corpus = Corpus.open(folder / "corpus", embedder=HashEmbedder())
    corpus.add(sorted(papers.glob("*.pdf"))[0], jobs=1)
    return folder / "corpus"


async def test_the_server_s_graph(
    tmp_path: Path, example_papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VECTREE_CORPUS", str(corpus_on_disk(tmp_path, example_papers)))
    graph = await example("langgraph_server/agent").make_graph()
    assert graph.checkpointer is None
    title = Corpus.open(tmp_path / "corpus").list()[0].metadata.title
    state = await graph.ainvoke({"messages": [("user", title)]})
    assert state["vectree_answer"]["text"]


def test_the_server_s_settings_name_the_graph() -> None:
    settings = json.loads((EXAMPLES / "langgraph_server" / "langgraph.json").read_text(encoding="utf-8"))
    path, function = settings["graphs"]["vectree"]["path"].split(":")
    assert f"def {function}(" in (EXAMPLES / "langgraph_server" / path).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.timeout(300)
@pytest.mark.skipif("VECTREE_TEST_LANGGRAPH_DEV" not in os.environ, reason="set VECTREE_TEST_LANGGRAPH_DEV=1")
def test_langgraph_dev_answers_a_client_over_loopback(tmp_path: Path, example_papers: Path) -> None:
    """Opt-in: starts the real server, with its own guard against blocking calls, and asks it a question."""
    command = shutil.which("langgraph", path=str(Path(sys.executable).parent))
    if command is None:
        pytest.skip("langgraph-cli[inmem] is not installed")
    from langgraph_sdk import get_sync_client

    folder = tmp_path / "server"
    shutil.copytree(EXAMPLES / "langgraph_server", folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {
        "VECTREE_CORPUS": str(corpus_on_disk(tmp_path, example_papers)),
        "LANGSMITH_TRACING": "false",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    }
    log = (tmp_path / "server.log").open("w")
    arguments = [command, "dev", "--port", str(port), "--no-browser", "--no-reload"]
    server = subprocess.Popen(arguments, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        with get_sync_client(url=f"http://127.0.0.1:{port}") as client:
            assistant = _when_up(client, server, tmp_path / "server.log")
            schemas = client.assistants.get_schemas(assistant["assistant_id"])
            assert sorted(schemas["input_schema"]["properties"]) == ["messages"]
            assert "max_rounds" in schemas["context_schema"]["properties"]
            run = client.threads.create()
            question = {"messages": [{"role": "user", "content": "What was measured?"}]}
            parts = list(
                client.runs.stream(
                    run["thread_id"],
                    "vectree",
                    input=question,
                    context={"max_rounds": 9},
                    stream_mode=["custom"],
                )
            )
            events = [part.data["vectree"] for part in parts if part.event == "custom"]
            assert {event["status"] for event in events} <= {"start", "done", "error"}
            assert events
            values = client.threads.get_state(run["thread_id"])["values"]
            assert values["vectree_answer"]["text"] == values["messages"][-1]["content"].strip()
            assert values["vectree_settings"]["max_rounds"] == 9
    finally:
        server.terminate()
        server.wait(30)
        log.close()


def _when_up(client: Any, server: subprocess.Popen[bytes], log: Path) -> Any:
    for _ in range(240):
        if server.poll() is not None:
            break
        try:
            return client.assistants.search()[0]
        except Exception:  # it is not up yet, in one of many ways
            time.sleep(0.5)
    pytest.fail(log.read_text()[-3000:])
