"""Refusals, thoughts, and texts of others on one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.llm.one_line import one_line
from vectree.llm.refusal import is_refusal
from vectree.llm.thought import without_thought


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, I cannot do that.",
        "I’m sorry, but I can’t help with that request.",
        "I am unable to read the attached document.",
        "I cannot summarize this text, because there is none.",
        "I can't assist with that.",
        "Unfortunately, the section is empty, so I cannot provide a summary.",
        "As an AI language model, I do not have access to papers.",
        "**Sorry, I can only answer questions about chemistry.**",
        "\n  I apologize, but I cannot complete this task.",
    ],
)
def test_a_refusal_is_known_by_its_opening(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "We cannot exclude that the effect is due to temperature.",
        "The authors cannot provide the data for reasons of privacy.",
        "I cannot be ruled out as a wave vector",
        "Patients who say “I'm sorry” recover no sooner.",
        "Unfortunately, few samples survived; the rest of the section reports on those.",
        "As an alternative, the electrolyte is heated.",
        "Sorry state of affairs: a review",
        "I. Introduction",
    ],
)
def test_an_answer_is_no_refusal(text: str) -> None:
    assert not is_refusal(text)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>hm</think>\n\nAnswer.", "Answer."),
        ("<thinking>a</thinking><think>b</think>Answer.", "Answer."),
        ("hm, perhaps\n</think>\nAnswer.", "Answer."),
        ("Answer.", "Answer."),
        ('{"a": "</think>"}', '{"a": "</think>"}'),
        ('<think>x</think>{"a": "</think>"}', '{"a": "</think>"}'),
        ("The <think> tag opens a thought.", "The <think> tag opens a thought."),
        ("<think>never ends", "<think>never ends"),
    ],
)
def test_thoughts_before_a_reply_are_dropped(text: str, rest: str) -> None:
    assert without_thought(text) == rest


@given(st.text(), st.integers(min_value=2, max_value=50))
def test_one_line_is_one_line_within_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1


def test_one_line_says_that_it_clipped() -> None:
    assert one_line("a\n\tb\x00c", 10) == "a b c"
    assert one_line("abcdef", 4) == "abc…"
    assert one_line("a" + " " * 1000 + "b", 10) == "a…"
