"""Where values stand in a reply."""

from __future__ import annotations

import pytest

from vectree.llm.json_candidates import depth, find_candidates, whole


def test_every_value_that_stands_alone_is_found_in_order() -> None:
    found = find_candidates('one {"a": [1]} two [2] and {broken')
    assert [(each.value, each.complete) for each in found] == [({"a": [1]}, True), ([2], True)]


def test_what_is_fenced_is_marked() -> None:
    found = find_candidates("[1]\n```json\n[2]\n```\n[3]\n~~~\n[4]")
    assert [each.fenced for each in found] == [False, True, False, True]


def test_thoughts_are_left_out() -> None:
    assert [each.value for each in find_candidates("<think>[1]</think>[2]<think>[3]</think>[4]")] == [
        [2],
        [4],
    ]


def test_what_stood_before_a_stray_closing_mark_counts_if_nothing_follows() -> None:
    assert [each.value for each in find_candidates("[1]</think>")] == [[1]]


def test_what_stands_in_a_string_is_not_found() -> None:
    assert [each.value for each in find_candidates('{"a": "</think> ``` [1]"} [2]')] == [
        {"a": "</think> ``` [1]"},
        [2],
    ]


def test_what_was_read_before_something_unreadable_is_scrap_unless_it_holds_a_value() -> None:
    assert [each.scrap for each in find_candidates("[1, @")] == [True]
    assert [each.scrap for each in find_candidates('[{"a": 1}, @')] == [False]


@pytest.mark.parametrize("text", ["", "{", "[1] [2]", "x"])
def test_whole_means_nothing_else(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        whole(text)


@pytest.mark.parametrize(
    ("value", "levels"), [(1, 0), ([], 1), ([1, {"a": [2]}], 3), ({"a": 1, "b": [1]}, 2)]
)
def test_depth_counts_brackets(value: object, levels: int) -> None:
    assert depth(value) == levels  # type: ignore[arg-type]
