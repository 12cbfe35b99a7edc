"""metadata refresh, check summaries, and the options of add that concern a model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from vectree.llm.chat import ChatRequest
from vectree.llm.scripted import FunctionModel

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> FunctionModel:
    """A judge that every name stands for; it finds fault with the first summary it sees."""

    def reply(_: ChatRequest) -> str:
        first = len(model.requests) == 1
        return json.dumps({"supported": not first, "unsupported": ["half of it"] if first else []})

    model = FunctionModel(reply, name="judge")
    monkeypatch.setattr("vectree.llm.names.resolve_model", lambda name: model)
    return model


def test_refresh_without_a_connection_says_so(built: CommandLine) -> None:
    documents = built.json("metadata", "refresh", "--offline")["documents"]
    assert len(documents) == 5
    assert {document["status"] for document in documents} == {"offline"}
    assert set(documents[0]) == {"doc_id", "status", "changed", "conflicts", "detail"}


def test_refresh_for_people_is_one_line_a_paper(changeable: CommandLine) -> None:
    doc_id = changeable.json("list")["documents"][0]["doc_id"]
    result = changeable.run("metadata", "refresh", doc_id, "--offline")
    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["doc_id", "crossref", "changed", "conflicts"],
        [doc_id, "offline", "—", "—"],
    ]


def test_refresh_of_an_unknown_paper_fails(built: CommandLine) -> None:
    result = built.run("metadata", "refresh", "nobody2000-aaaa", "--offline")
    assert (result.exit_code, "error: " in result.stderr) == (1, True)


def test_summaries_are_judged(changeable: CommandLine, judge: FunctionModel) -> None:
    found: dict[str, Any] = changeable.json("check", "summaries", "--model", "openai:x", "--sample", "3")
    assert (found["model"], found["sample"], found["unsupported"]) == ("judge", 3, 1)
    assert found["rate"] == pytest.approx(2 / 3)
    assert {"doc_id", "node_id", "title", "source", "verdict", "unsupported", "whole"} == set(
        found["checked"][0]
    )
    shown = changeable.run("check", "summaries", "--model", "openai:x", "--sample", "3").stdout
    assert "- half of it" in shown
    assert "66.7% supported" in shown


def test_judging_without_a_model_is_wrong_usage(built: CommandLine) -> None:
    assert built.run("check", "summaries").exit_code == 2


@pytest.mark.parametrize(
    "options", [("--structure", "llm"), ("--paper-exact",), ("--structure", "magic"), ("--model", "nonsense")]
)
def test_add_refuses_impossible_wishes(built: CommandLine, example_papers, options) -> None:
    result = built.run("add", example_papers, *options)
    assert (result.exit_code, "error: " in result.stderr) == (2, True)


def test_the_model_for_questions_is_not_used_for_reading(
    built: CommandLine, example_papers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VECTREE_MODEL", "nonsense")
    assert built.run("add", example_papers).exit_code == 0
