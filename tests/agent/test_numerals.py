"""What a number in prose is, and when two are the same."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.agent.numerals import numerals, values_on_page


def read(text: str) -> list[str]:
    """The numbers of a text, as written."""
    return [numeral.text for numeral in numerals(text)]


def found(claim: str, page: str) -> bool:
    """Whether every number of a claim stands on a page."""
    held = values_on_page(page)
    return all(held & numeral.values for numeral in numerals(claim))


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("98.6 %", "98.6%"),
        ("1,200 cells", "1200 cells"),
        ("1200 cells", "1\u2009200 cells"),
        ("12\u202f000", "12,000"),
        ("0,5 mm", "0.5 mm"),
        ("1.200.000 Euro", "1,200,000"),
        ("−40 °C", "-40 °C"),
        ("-40 °C", "at \u2212 40 °C"),
        ("fell by 40", "–40 %"),
        ("3–5 h", "3 to 5 hours"),
        ("from 3 to 5", "3-5"),
        ("2.4 × 10⁻³ S/cm", "2.4 x 10-3 S/cm"),
        ("2.4 × 10⁻³", "0.0024"),
        ("0.0024", "2.4·10^{-3}"),
        ("2.4e-3", r"$2.4 \times 10^{-3}$"),
        ("2.4 × 10^-3", "2.4 × 10<sup>-3</sup>"),
        ("10⁻⁴", "10−4"),
        ("10³ cells", "103 cells"),
        ("4 samples", "four samples"),
        ("12 of them", "Twelve of them"),
        ("2 and 7", "groups 2,7,9"),
    ],
)
def test_a_number_is_found_however_it_is_written(claim: str, page: str) -> None:
    assert list(numerals(claim))
    assert found(claim, page)


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("0.28 eV", "0.29 eV"),
        ("-40 °C", "40 °C"),
        ("2.4 × 10⁻³", "2.4 mS/cm"),
        ("2.4 × 10⁻³", "2.4 × 10⁻⁴"),
        ("12 %", "0.12"),
        ("98.6", "98.64"),
        ("5.4", "15.4"),
        ("28", "0.28"),
        ("300", "3,00,1"),
    ],
)
def test_another_number_is_another_number(claim: str, page: str) -> None:
    assert not found(claim, page)


@pytest.mark.parametrize(
    "text", ["IL-6", "Li7La3Zr2O12", "p53", "S cm⁻¹", "m^-2", "H₂O", "lindqvist2019-c9b4", "COVID-19", "3^2"]
)
def test_digits_of_names_formulas_and_units_are_no_numbers(text: str) -> None:
    assert read(text) == []


def test_the_numbers_of_a_sentence_in_order() -> None:
    assert read("At −40 °C it has 2.4 × 10⁻³ S cm⁻¹, that is 12 % of 1,200; 3–5 h.") == [
        "-40",
        "2.4 × 10^-3",
        "12",
        "1,200",
        "3",
        "5",
    ]


@given(st.decimals(min_value=Decimal(0), max_value=Decimal(10**9), places=3))
def test_a_number_is_found_where_it_is_printed_with_grouped_thousands(value: Decimal) -> None:
    assert found(f"It is {value}.", f"a value of {value:,} units")


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    list(numerals(text))
    values_on_page(text)


@given(st.text(alphabet="0123456789.,-–× \n⁻³^exX10", max_size=60))
def test_what_an_answer_repeats_from_a_page_is_found_there(text: str) -> None:
    held = values_on_page(text)
    assert all(numeral.values & held for numeral in numerals(text))


def test_a_hostile_page_costs_no_time() -> None:
    started = time.process_time()
    for text in ("1" * 30_000, "1 " * 10_000, "10^" * 9_000, "1,2," * 7_000, "x 10" * 7_000, "-" * 30_000):
        values_on_page(text)
        list(numerals(text))
    assert time.process_time() - started < 3
