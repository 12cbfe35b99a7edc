"""``vectree ask``, ``chat`` and ``locate`` through a service: what bad input and bad services get."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from vectree.agent.trajectory import from_jsonl
from vectree.cli import app
from vectree.corpus import Corpus
from vectree.llm import openai
from vectree.llm.chat import Reply
from vectree.llm.retry import RetrySettings
from vectree.llm.scripted import call, calls

pytestmark = pytest.mark.network

QUESTION = "At which temperature was the garnet pressed?"
PAPER = """# A pressed garnet

## Abstract

We press a garnet.

## Methods

The garnet was pressed at 1140 °C and 50 MPa for one hour.
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ask")
    (folder / "garnet.md").write_text(PAPER, encoding="utf-8")
    library = Corpus.open(folder / "corpus", embedder="hash")
    library.add(folder / "garnet.md")
    return folder / "corpus"


@pytest.fixture
def doc_id(corpus: Path) -> str:
    return Corpus.open(corpus).list()[0].doc_id


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries that tests can wait for."""
    quick = openai.ServiceSettings(retry=RetrySettings(retries=2, first_wait=0.01, longest_wait=0.02))
    monkeypatch.setattr(openai, "ServiceSettings", lambda: quick)


def run(corpus: Path, *words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(app, [*words, "--corpus", str(corpus)], input=given)


def ask(corpus: Path, server: Any, *words: str) -> Result:
    return run(corpus, "ask", QUESTION, "--model", "openai:m", "--base-url", server.url, *words)


def failed(result: Result, code: int, *says: str) -> None:
    """One line on standard error that says these things, nothing on standard output."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    (line,) = [line for line in result.stderr.splitlines() if "  layer " not in line]
    assert line.startswith("error: ")
    assert "Traceback" not in line
    for word in says:
        assert word in line


def test_a_service_answers_by_name_and_base_url(corpus: Path, chat_server: Any, doc_id: str) -> None:
    chat_server.say(call("get_page_content", doc_id=doc_id, pages="1"))
    chat_server.say(f"At 1140 °C (Anon., n.d., {doc_id}, p.1). It took 3 h (Anon., n.d., {doc_id}, p.1).")
    result = ask(corpus, chat_server)
    assert result.exit_code == 0, result.output
    assert "✓ read" in result.stdout
    assert "1 number(s) that the text of the pages cited does not hold" in result.stdout
    assert "- 3 in “It took 3 h" in result.stdout
    assert "2 model calls, 200 tokens sent" in result.stderr
    assert len(chat_server.received[0].body["tools"]) == 7


def test_json_carries_what_could_not_be_checked(corpus: Path, chat_server: Any, doc_id: str) -> None:
    chat_server.say(call("get_page_content", doc_id=doc_id, pages="1"))
    chat_server.say(f"It took 3 h (A, n.d., {doc_id}, p.1). Or more (A, n.d., {doc_id}, p.99). Who knows.")
    answer = json.loads(ask(corpus, chat_server, "--json").stdout)
    assert [item["number"] for item in answer["numbers_not_found"]] == ["3"]
    assert [c["status"] for c in answer["citations"]] == ["read", "no_such_page"]
    assert len(answer["uncited"]) == 2
    assert answer["tokens_by_layer"]["2"] > 0
    assert answer["layer_order"] == 0.0
    assert answer["no_evidence"] is False


def test_a_missing_key_is_wrong_usage(corpus: Path) -> None:
    result = run(corpus, "ask", QUESTION, "--model", "openrouter:vendor/m")
    failed(result, 2, "openrouter.ai asks for an API key", "Set OPENROUTER_API_KEY")


def test_a_wrong_key_is_one_line(corpus: Path, chat_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VECTREE_API_KEY", "sk-wrong-1")
    chat_server.refuse(401, "Incorrect API key provided: sk-wrong-1.", code="invalid_api_key")
    result = ask(corpus, chat_server)
    failed(result, 1, "refused the API key", "Set VECTREE_API_KEY")
    assert "sk-wrong-1" not in result.output


def test_nobody_at_the_base_url_is_one_line(corpus: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    result = run(corpus, "ask", QUESTION, "--model", "openai:m", "--base-url", url)
    failed(result, 1, "Cannot reach the model service", "Check the base URL")


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://x/v1", "http://", "http://h:99999/v1"])
def test_a_base_url_that_is_none_is_wrong_usage(corpus: Path, url: str) -> None:
    failed(run(corpus, "ask", QUESTION, "--model", "openai:m", "--base-url", url), 2, "base URL")


def test_a_service_that_limits_its_rate_is_one_line_after_bounded_tries(
    corpus: Path, chat_server: Any
) -> None:
    chat_server.respond = lambda _: chat_server.refusing(429, "Rate limit reached for m")
    failed(ask(corpus, chat_server), 1, "limits the rate of requests", "Try again later")
    assert len(chat_server.received) == 3


def test_a_reply_without_choices_is_one_line(corpus: Path, chat_server: Any) -> None:
    for _ in range(2):
        chat_server.answer(200, '{"id": "x", "choices": []}')
    failed(ask(corpus, chat_server), 1, "it has no choices")


def test_an_unknown_service_is_wrong_usage(corpus: Path) -> None:
    failed(run(corpus, "ask", QUESTION, "--model", "gpt"), 2, "no chat model named 'gpt'", "openai:NAME")
    failed(run(corpus, "ask", QUESTION, "--model", "acme:m"), 2, "names no model", "openrouter:MODEL")


def test_a_model_that_never_says_anything_gives_no_answer(corpus: Path, chat_server: Any) -> None:
    for _ in range(2):
        chat_server.say("")
    failed(ask(corpus, chat_server), 1, "No answer: empty reply after 2 rounds", "Ask again")


@pytest.mark.parametrize("words", [("ask", QUESTION), ("ask", QUESTION, "--json")])
def test_an_empty_corpus_is_one_line_and_nothing_is_asked(
    tmp_path: Path, chat_server: Any, words: tuple[str, ...]
) -> None:
    Corpus.open(tmp_path / "empty", create=True)
    result = run(tmp_path / "empty", *words, "--model", "openai:m", "--base-url", chat_server.url)
    failed(result, 1, "holds no papers", "vectree add")
    assert chat_server.received == []


def test_calls_with_another_s_arguments_and_unknown_tools_are_answered_and_the_run_goes_on(
    corpus: Path, chat_server: Any, doc_id: str
) -> None:
    wrong = calls(
        ("get_document_tree", {"query": "garnet", "top_k": 3}), ("open_paper", {}), ("get_page_content", "{")
    )
    chat_server.say(wrong)
    chat_server.say("Nothing found.")
    result = ask(corpus, chat_server)
    assert result.exit_code == 0
    assert result.stderr.count("  error: ") == 3
    observations = [m["content"] for m in chat_server.received[-1].body["messages"] if m["role"] == "tool"]
    assert 'there is no argument "query"' in observations[0]
    assert 'There is no tool "open_paper"' in observations[1]


def test_the_trace_ends_where_the_run_ended(
    corpus: Path, chat_server: Any, doc_id: str, tmp_path: Path
) -> None:
    trace = tmp_path / "trace.jsonl"
    chat_server.say(call("search_documents", query="garnet"))
    chat_server.say(call("get_page_content", doc_id=doc_id, pages="1"))
    chat_server.refuse(401, "no")
    result = ask(corpus, chat_server, "--trace", str(trace))
    assert result.exit_code == 1
    steps = from_jsonl(trace.read_text(encoding="utf-8"))
    assert [step.tool for step in steps] == ["search_documents", "get_page_content"]
    assert Corpus.open(corpus).replay(steps) == steps


def test_a_trace_that_cannot_be_written_is_said_before_anything_is_asked(
    corpus: Path, chat_server: Any, tmp_path: Path
) -> None:
    failed(ask(corpus, chat_server, "--trace", str(tmp_path / "no" / "trace")), 2, "trace cannot be written")
    assert chat_server.received == []


def test_a_navigation_model_and_compaction_are_options(corpus: Path, chat_server: Any, doc_id: str) -> None:
    chat_server.respond = lambda received: chat_server.saying(
        call("get_page_content", doc_id=doc_id, pages="1") if received.body["model"] == "small" else "Done."
    )
    words = ("--navigation-model", "openai:small", "--compact-above", "1000", "--json")
    answer = json.loads(ask(corpus, chat_server, *words).stdout)
    assert [received.body["model"] for received in chat_server.received] == ["small", "m"]
    assert answer["navigation_usage"]["model_calls"] == 1
    assert answer["saved_tokens"] == 0


def test_a_price_makes_a_cost(corpus: Path, chat_server: Any) -> None:
    chat_server.say("Done.")
    assert "$0.0003" in ask(corpus, chat_server, "--price", "2,4").stderr
    chat_server.say("Done.")
    assert "price unknown" in ask(corpus, chat_server).stderr
    failed(ask(corpus, chat_server, "--price", "cheap"), 2, "A price is two or three numbers")


def test_compaction_is_refused_for_extractive(corpus: Path) -> None:
    failed(
        run(corpus, "ask", QUESTION, "--compact-above", "1000"), 2, "--compact-above is not for 'extractive'"
    )


def test_no_images_sends_none(corpus: Path, chat_server: Any) -> None:
    chat_server.say("Done.")
    assert ask(corpus, chat_server, "--no-images").exit_code == 0


def test_locate_names_checks_and_falls_back(corpus: Path, chat_server: Any, doc_id: str) -> None:
    chat_server.respond = lambda _: chat_server.saying('{"nodes": ["9999"]}')
    words = ("locate", doc_id, QUESTION, "--model", "openai:m", "--base-url", chat_server.url)
    located = json.loads(run(corpus, *words, "--json").stdout)
    assert (located["method"], located["retries"], located["fallback"]) == ("lexical", 2, True)
    assert located["confidence"] == 0.0
    assert any("Methods" in section["title"] for section in located["sections"])
    assert [attempt["nodes"][0]["problem"] for attempt in located["attempts"]] == [
        "the tree has no such node"
    ] * 3
    shown = run(corpus, *words)
    assert "did not pass the checks (confidence 0.00, 2 retries" in shown.stderr


def test_chat_goes_on_after_a_failure_and_says_so_at_the_end(
    corpus: Path, chat_server: Any, doc_id: str
) -> None:
    chat_server.refuse(401, "no")
    chat_server.say(call("get_page_content", doc_id=doc_id, pages="1"))
    chat_server.say(Reply(text=f"At 1140 °C (A, n.d., {doc_id}, p.1)."))
    chat_server.say("For one hour.")
    words = ("chat", "--model", "openai:m", "--base-url", chat_server.url)
    result = run(corpus, *words, given="First?\nSecond?\n/papers\nAnd for how long?\n/quit\nNever asked.\n")
    assert result.exit_code == 1
    assert "asks for an API key" in result.stderr
    assert "At 1140 °C" in result.stdout
    assert "For one hour." in result.stdout
    assert f"{doc_id}  A pressed garnet" in result.stderr
    talk = chat_server.received[-1].body["messages"]
    assert [m["role"] for m in talk] == ["system", "user", "assistant", "user"]
    assert doc_id in talk[0]["content"]
    assert len(chat_server.received) == 4
