"""The model without faults that figures of cost are counted on."""

from __future__ import annotations

import json

import pytest

from vectree.document import Heading, HeadingSource
from vectree.llm.chat import ChatRequest, Message, Role
from vectree.testing.honest_reader import HonestReader

HEADINGS = [
    Heading(number="", title="Abstract", page=1, level=1, source=HeadingSource.SYNTHETIC),
    Heading(number="1", title="Aim", page=1, level=1, source=HeadingSource.LAYOUT, begins_page=True),
    Heading(number="2", title="Work", page=2, level=1, source=HeadingSource.LAYOUT),
]
PAGE = "page 1 <<0123456789ab\n1 Aim\n0123456789ab>>"


def ask(form: str, prompt: str) -> dict:
    messages = (Message(role=Role.SYSTEM, text="s"), Message(role=Role.USER, text=prompt))
    model = HonestReader(HEADINGS)
    reply = model.complete(ChatRequest(messages=messages, schema={"title": form}))
    assert reply.usage.prompt_tokens == model.prompt_tokens > 0
    return json.loads(reply.text)


def test_it_names_the_headings_of_the_pages_it_is_shown() -> None:
    assert ask("HeadingsReply", PAGE)["headings"] == [{"number": "1", "title": "Aim", "page": 1, "level": 1}]


def test_it_finds_a_heading_that_was_misplaced_and_no_other() -> None:
    found = ask("RepairReply", f"1. 2 Work (given for page 9)\n2. Unknown (given for no page)\n{PAGE}")[
        "found"
    ]
    assert found == [{"entry": 1, "title": "2 Work", "page": 2}]


def test_it_knows_which_headings_begin_their_pages() -> None:
    starts = ask("StartsReply", f"1. page 1: 1 Aim\n2. page 2: 2 Work\n{PAGE}")["starts"]
    assert [start["begins_page"] for start in starts] == [True, False]


def test_its_summaries_are_the_texts_own_words() -> None:
    text = "<<0123456789ab\nFilms were cast. They were dried. They were sold.\n0123456789ab>>"
    assert ask("SummaryReply", text) == {"summary": "Films were cast. They were dried."}


def test_an_unknown_question_is_an_error() -> None:
    with pytest.raises(KeyError):
        ask("Other", PAGE)
