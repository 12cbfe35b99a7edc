"""C07: a model's structure answer may be malformed, implausible or empty."""

from __future__ import annotations

import json

import pytest

from vectree.ingest.model.replies import MAX_TITLE, HeadingsReply, read_count
from vectree.llm.chat import ChatRequest, Message, Role
from vectree.llm.scripted import ScriptedModel
from vectree.llm.structured import ask

QUESTION = ChatRequest(messages=(Message(role=Role.USER, text="List the headings."),))
ITEMS = [
    {"number": "1", "title": "Introduction", "page": 1},
    {"number": "2", "title": "Methods", "page": 3},
]


def read(*replies: str) -> list[tuple[str, str, int | None]]:
    found = ask(ScriptedModel(replies), QUESTION, HeadingsReply).headings
    return [(each.number, each.title, each.page) for each in found]


RIGHT = [("1", "Introduction", 1), ("2", "Methods", 3)]


@pytest.mark.parametrize(
    "reply",
    [
        f"Sure, here they are:\n```json\n{json.dumps({'headings': ITEMS})}\n```\nAnything else?",
        json.dumps(ITEMS),
        json.dumps({"table_of_contents": ITEMS}),
        json.dumps({"headings": ITEMS}).replace('"', "'").replace("}]", "},]"),
        f"<think>{{1}} or {{2}}?</think>{json.dumps({'headings': ITEMS})}",
        str([{**ITEMS[0], "level": None}, {**ITEMS[1], "level": True}]),
    ],
    ids=["fenced", "bare list", "other name", "single quotes", "think", "python"],
)
def test_c07_recoverable_shapes_give_the_same_list(reply: str) -> None:
    assert read(reply) == RIGHT


def test_c07_a_list_of_strings_is_a_list_of_titles() -> None:
    assert read('["1 Introduction", "Methods"]') == [("", "1 Introduction", None), ("", "Methods", None)]


def test_c07_a_reply_that_was_cut_off_keeps_its_complete_items() -> None:
    cut = json.dumps({"headings": ITEMS})[:-14]
    assert read(cut, cut) == RIGHT[:1]


@pytest.mark.parametrize(
    ("written", "page"),
    [
        (7, 7),
        ("7", 7),
        ("p. 7", 7),
        ("<page_7>", 7),
        (7.0, 7),
        (None, None),
        ("", None),
        (True, None),
        ([7], 7),
    ],
)
def test_c07_a_page_is_read_however_it_is_written(written: object, page: int | None) -> None:
    assert read_count(written) == page


def test_c07_numbers_may_be_numbers_and_members_may_be_missing() -> None:
    found = read('{"headings": [{"number": 2.1, "title": "Casting"}, {"number": null, "title": "End"}]}')
    assert found == [("2.1", "Casting", None), ("", "End", None)]


def test_titles_are_bounded_and_on_one_line() -> None:
    ((_, title, _),) = read(json.dumps({"headings": [{"title": "A  long\ntitle " * 100}]}))
    assert (len(title), title[:13]) == (MAX_TITLE, "A long title ")
