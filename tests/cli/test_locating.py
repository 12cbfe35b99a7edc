"""locate: sections of one paper, and where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

QUESTION = "Which density did hot pressing reach?"


def test_without_a_model_sections_are_ranked_and_that_is_said(built: CommandLine) -> None:
    garnet = built.doc_id("hot-pressed")
    located = built.json("locate", garnet, QUESTION)
    assert (located["method"], located["confidence"], located["fallback"]) == ("hybrid", None, False)
    assert 1 <= len(located["sections"]) <= 5
    assert {"node_id", "title", "path", "pages", "shared_words"} <= set(located["sections"][0])
    shown = built.run("locate", garnet, QUESTION)
    assert located["sections"][0]["node_id"] in shown.stdout
    assert "no model named or checked them" in shown.stderr


def test_an_unknown_paper_and_a_question_without_words_are_one_line(built: CommandLine) -> None:
    unknown = built.run("locate", "nobody-2020", QUESTION)
    assert (unknown.exit_code, unknown.stderr.count("\n")) == (1, 1)
    empty = built.run("locate", built.doc_id("hot-pressed"), "?!")
    assert (empty.exit_code, empty.stderr.count("\n")) == (2, 1)
