"""Where strings end and what their escapes mean."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.llm.json_budget import Budget, OutOfBudget
from vectree.llm.json_strings import Place, exact_end, likely_end, unescape


@given(st.text(), st.booleans())
def test_json_escapes_are_read_as_json_reads_them(text: str, ascii_only: bool) -> None:
    written = json.dumps(text, ensure_ascii=ascii_only)
    assert exact_end(written, 1, '"') == len(written) - 1
    assert unescape(written[1:-1], '"') == text


@pytest.mark.parametrize("written", [r"\alpha", r"5\%", r"\_", r"\x41", r"\uzzzz", r"\U00000041", "\\"])
def test_an_escape_that_json_does_not_know_stays_as_written(written: str) -> None:
    assert unescape(written, '"') == written


def test_single_quotes_are_pythons() -> None:
    assert unescape(r"\x41\U0001f600\U99999999\'", "'") == "A😀\\U99999999'"


def test_a_string_without_its_closing_mark_has_no_end() -> None:
    assert exact_end('"abc\\"', 1, '"') is None
    assert likely_end('"abc\\"', 1, '"', Place.ITEM, Budget(10)) is None


@pytest.mark.parametrize(
    ("place", "text", "end"),
    [
        (Place.MEMBER, '"a "b" c", "d": 1}', 8),
        (Place.MEMBER, '"a", then "b"}', 12),
        (Place.MEMBER, '"a"\n"b": 1}', 2),
        (Place.ITEM, '"a "b", c", "d"]', 9),
        (Place.ITEM, '"a "b" c"]', 8),
        (Place.KEY, '"a "b" c": 1', 8),
    ],
)
def test_a_mark_closes_where_what_follows_makes_sense(place: Place, text: str, end: int) -> None:
    assert likely_end(text, 1, '"', place, Budget(100)) == end


def test_looking_for_an_end_costs_steps() -> None:
    with pytest.raises(OutOfBudget):
        likely_end('"' * 100, 1, '"', Place.KEY, Budget(50))
