from __future__ import annotations

import pytest

from vectree.tree.numbers import read_numbers


def written(number: str, *before: str) -> list[tuple[str, int]]:
    path = read_numbers([*before, number])[-1]
    return [(step.kind, step.value) for step in path]


@pytest.mark.parametrize(
    ("number", "steps"),
    [
        ("2.1", [("decimal", 2), ("decimal", 1)]),
        ("2.1.", [("decimal", 2), ("decimal", 1)]),
        ("3)", [("decimal", 3)]),
        ("IV", [("roman", 4)]),
        ("iv.", [("roman", 4)]),
        ("IV.A", [("roman", 4), ("letter", 1)]),
        ("A.3", [("letter", 1), ("decimal", 3)]),
        ("S1", [("letter", 19), ("decimal", 1)]),
        ("Appendix B", [("letter", 2)]),
        ("第3章", [("decimal", 3)]),
        ("第十一章", [("decimal", 11)]),
        ("", []),
        ("Box", []),
        ("§", []),
    ],
)
def test_number_is_read_as_a_path(number, steps):
    assert written(number) == steps


def test_single_letter_after_its_neighbour_is_a_letter():
    assert written("I", "G", "H") == [("letter", 9)]
    assert written("V", "U") == [("letter", 22)]


def test_single_letter_without_its_neighbour_is_roman_if_it_can_be():
    assert written("I") == [("roman", 1)]
    assert written("V", "IV") == [("roman", 5)]
    assert written("C") == [("letter", 3)]


def test_letters_below_roman_numerals_do_not_confuse_them():
    numbers = ["I", "A", "B", "II", "A", "B", "C", "III"]
    kinds = [path[0].kind for path in read_numbers(numbers)]
    assert kinds == ["roman", "letter", "letter", "roman", "letter", "letter", "letter", "roman"]


def test_absurd_number_is_bounded():
    assert len(read_numbers([".".join(["1"] * 10_000)])[0]) <= 8
