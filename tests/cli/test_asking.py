"""ask and demo."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

QUESTION = "At which temperature and pressure was the tantalum-doped garnet hot-pressed?"


def test_an_answer_has_the_agreed_shape_and_cites_pages_that_were_read(built: CommandLine) -> None:
    answer = built.json("ask", QUESTION)
    assert set(answer) >= {"question", "answer", "citations", "evidence", "trajectory", "usage"}
    assert "1140" in answer["answer"]
    garnet = built.doc_id("hot-pressed")
    cited = [(c["doc_id"], c["page"], c["read"]) for c in answer["citations"]]
    assert (garnet, 1, True) in cited
    assert garnet in {item["doc_id"] for item in answer["evidence"]}
    assert {step["layer"] for step in answer["trajectory"]} == {0, 1, 2}
    assert all(
        set(step) >= {"round", "tool", "layer", "arguments", "tokens"} for step in answer["trajectory"]
    )
    assert answer["usage"]["cost"] == 0 or answer["usage"]["cost"] is None


def test_the_walk_goes_to_standard_error_and_the_answer_to_standard_output(built: CommandLine) -> None:
    result = built.run("ask", QUESTION)
    assert result.exit_code == 0
    assert "search_documents(" in result.stderr
    assert "search_documents(" not in result.stdout
    assert "1140" in result.stdout
    assert "Evidence" in result.stdout


def test_the_trace_is_the_trajectory(built: CommandLine, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    answer = built.json("ask", QUESTION, "--trace", trace)
    assert [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()] == answer[
        "trajectory"
    ]


def test_a_question_the_papers_do_not_answer_is_said_to_be_one(built: CommandLine) -> None:
    answer = built.json("ask", "Which isotope of helium escapes from the mantle?")
    assert answer["citations"] == []
    assert answer["answer"]


def test_an_unknown_model_is_wrong_usage(built: CommandLine) -> None:
    result = built.run("ask", QUESTION, "--model", "no-such-model")
    assert result.exit_code == 2
    assert "extractive" in result.stderr


def test_an_answer_for_which_no_page_was_read_is_said_to_be_unchecked_as_a_whole(built: CommandLine) -> None:
    result = built.run("ask", "zyxomma quorblings frobnicate")
    assert "Not checked: any of it, since no page was read for this answer" in result.stdout
    assert "sentence(s) without a citation" not in result.stdout


def test_what_the_pages_read_do_not_vouch_for_is_listed(built: CommandLine) -> None:
    result = built.run("ask", QUESTION)
    assert "since no page was read" not in result.stdout
