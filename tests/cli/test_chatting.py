"""chat: lines in, answers out."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from vectree.cli import app
from vectree.corpus import Corpus

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

FIRST = "At which temperature and pressure was the tantalum-doped garnet hot-pressed?"


def chat(built: CommandLine, given: str, *words: str) -> Result:
    return CliRunner().invoke(app, ["chat", *words, "--corpus", str(built.corpus)], input=given)


def test_questions_come_as_lines_and_answers_go_to_standard_output(built: CommandLine) -> None:
    result = chat(built, f"{FIRST}\n\n   \n")
    assert result.exit_code == 0
    assert "1140" in result.stdout
    assert "search_documents(" in result.stderr
    assert "search_documents(" not in result.stdout
    assert "> " not in result.stderr.split("search_documents")[0]  # no prompt where nobody types


def test_a_follow_up_is_asked_about_the_papers_of_the_last_answer(built: CommandLine) -> None:
    result = chat(built, f"{FIRST}\nAnd what density did it reach?\n")
    garnet = built.doc_id("hot-pressed")
    assert f"(asked about {garnet})" in result.stderr
    assert "98.6" in result.stdout.split("Evidence")[-2]


def test_papers_forget_help_and_quit(built: CommandLine) -> None:
    result = chat(built, f"/papers\n{FIRST}\n/papers\n/forget\n/papers\n/what\n/quit\n{FIRST}\n")
    assert result.exit_code == 0
    assert result.stderr.count("no papers yet") == 2
    assert f"{built.doc_id('hot-pressed')}  Hot-pressed" in result.stderr
    assert "/papers lists the papers discussed" in result.stderr
    assert result.stdout.count("Citations") == 1


def test_with_json_every_answer_is_a_line(built: CommandLine) -> None:
    result = chat(built, f"{FIRST}\nAnd its grain size?\n", "--json")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["question"] for answer in answers] == [FIRST, "And its grain size?"]
    assert result.stderr.strip() == f"(asked about {built.doc_id('hot-pressed')})"


def test_nothing_asked_is_no_failure(built: CommandLine) -> None:
    assert chat(built, "").exit_code == 0


def test_without_a_corpus_it_says_so_at_once(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["chat", "--corpus", str(tmp_path / "none")], input="x\n")
    assert result.exit_code == 1
    assert "no corpus" in result.stderr


def test_in_an_empty_corpus_every_question_fails_in_one_line(tmp_path: Path) -> None:
    Corpus.open(tmp_path / "empty", create=True)
    result = CliRunner().invoke(app, ["chat", "--corpus", str(tmp_path / "empty")], input="a\nb\n")
    assert result.exit_code == 1
    assert result.stderr.count("holds no papers") == 2


@pytest.mark.network
def test_ctrl_c_cancels_the_answer_and_not_the_session(built: CommandLine) -> None:
    code = """
import http.server, subprocess, sys, threading
asked = threading.Event()
class Silent(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        print("asked", flush=True)
        threading.Event().wait()
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Silent)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
            words = ["chat", "--model", "openai:m", "--base-url", url, "--corpus", str(built.corpus)]
            with subprocess.Popen(
                [sys.executable, "-m", "vectree", *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                # Where the tests themselves run in the background, interrupts are ignored and that is inherited.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            ) as session:
                assert session.stdin is not None
                session.stdin.write("What is it?\n")
                session.stdin.flush()
                assert server.stdout.readline().strip() == "asked"
                session.send_signal(signal.SIGINT)
                try:
                    stdout, stderr = session.communicate("/papers\n", timeout=60)
                finally:
                    session.kill()
        finally:
            server.kill()
    assert session.returncode == 1
    assert stderr.split("\n")[:2] == ["cancelled", "no papers yet"]
    assert stdout == ""
