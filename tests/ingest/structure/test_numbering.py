from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.ingest.numbering import readings, roman_text, roman_value, split_number


@pytest.mark.parametrize(
    ("text", "number", "kind", "parts", "title"),
    [
        ("1 Introduction", "1", "arabic", (1,), "Introduction"),
        ("2. Methods", "2", "arabic", (2,), "Methods"),
        ("2.1 Samples", "2.1", "arabic", (2, 1), "Samples"),
        ("2.1.10. Basic services", "2.1.10", "arabic", (2, 1, 10), "Basic services"),
        ("1.Introduction", "1", "arabic", (1,), "Introduction"),
        ("3.1Encoding module", "3.1", "arabic", (3, 1), "Encoding module"),
        ("IV. RESULTS", "IV", "roman", (4,), "RESULTS"),
        ("(1) Overview", "(1)", "bracket", (1,), "Overview"),
        ("A.2 Proofs", "A.2", "alpha", (1, 2), "Proofs"),
        ("Appendix B. Proofs", "B", "alpha", (2,), "Proofs"),
        ("Chapitre 3", "3", "arabic", (3,), ""),
        ("Kapitel 2: Grundlagen", "2", "arabic", (2,), "Grundlagen"),
        ("第三章 方法", "三", "arabic", (3,), "方法"),
        ("二、方法", "二", "arabic", (2,), "方法"),
        ("Première partie", "1", "arabic", (1,), ""),
    ],
)
def test_a_number_is_taken_off_its_title(text, number, kind, parts, title) -> None:
    found, rest = split_number(text)
    assert found is not None
    assert (found.text, found.kind, found.parts, rest) == (number, kind, parts, title)


@pytest.mark.parametrize(
    "text",
    [
        "Introduction",
        "2019 was a year",
        "It is known",
        "3.14",
        "mRNA levels",
        "In vitro assays",
        "",
        "10%",
        "e.g. this",
    ],
)
def test_other_lines_have_no_number(text) -> None:
    assert split_number(text) == (None, text)


def test_a_lone_letter_may_be_read_both_ways() -> None:
    kinds = {number.kind for number, _ in readings("I. Foundations")}
    assert kinds == {"roman", "alpha"}


def test_a_label_says_what_it_numbers() -> None:
    assert split_number("Anhang A Tabellen")[0].appendix
    assert split_number("Partie II Analyse")[0].part
    assert not split_number("2 Analyse")[0].part


@given(st.integers(min_value=1, max_value=89))
def test_roman_numerals_read_back(value) -> None:
    assert roman_value(roman_text(value)) == value


@pytest.mark.parametrize("text", ["IIII", "VX", "IC", "ABC", "", "XM"])
def test_letters_that_are_no_roman_numeral_have_no_value(text) -> None:
    assert roman_value(text) is None


@given(st.text(max_size=60))
def test_any_text_can_be_read(text) -> None:
    for number, rest in readings(text):
        assert number.parts
        assert text.endswith(rest)
