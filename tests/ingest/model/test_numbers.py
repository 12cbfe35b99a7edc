from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.ingest.model.numbers import unsupported_numbers

TEXT = "In Study 2, 1,200 mice (3–5 weeks) had 12.5 % more; three died; 10 000 cells, p < 0,05, 10⁻³ M."


@pytest.mark.parametrize(
    "summary",
    [
        *("1200 mice", "1,200 mice", "12.5% more", "12.50 % more", "3 died", "three died", "5 weeks"),
        *("3-5 weeks", "10,000 cells", "p < 0.05", "10^-3 M", "no numbers", "Study 2."),
    ],
)
def test_a_number_is_held_in_any_way_of_writing_it(summary: str) -> None:
    assert unsupported_numbers(summary, TEXT) == ()


@pytest.mark.parametrize(
    ("summary", "missing"),
    [
        ("1300 mice", ("1300",)),
        ("12 % more, 4 died", ("12", "4")),
        ("0.005", ("0.005",)),
        ("20 of 20, and 12.5", ("20",)),
    ],
)
def test_other_numbers_are_named_once_each(summary: str, missing: tuple[str, ...]) -> None:
    assert unsupported_numbers(summary, TEXT) == missing


def test_the_title_is_a_source_too() -> None:
    assert unsupported_numbers("Experiment 7 was repeated.", "It was repeated.", "Experiment 7") == ()


@settings(deadline=None)
@given(st.text(max_size=200))
def test_a_text_holds_its_own_numbers(text: str) -> None:
    assert unsupported_numbers(text, text) == ()
