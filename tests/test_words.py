"""Stems; the tokenizer itself is tested with BM25."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.words import stem, words


@pytest.mark.parametrize(
    "forms",
    [
        ("conducts", "conducting", "conducted"),
        ("stabilities", "stability"),
        ("evaluated", "evaluation", "evaluates"),
        ("pellet", "pellets"),
    ],
)
def test_word_forms_agree(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["p53", "bert4", "ions", "ring", "schrödinger", "电解"])
def test_short_words_names_with_digits_and_other_scripts_stay_whole(word: str) -> None:
    assert stem(word) == word


@given(st.text(max_size=80))
def test_a_stem_is_a_beginning_of_its_word(text: str) -> None:
    for word in words(text):
        assert word.startswith(stem(word))
        assert stem(word)
