from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vectree.ingest.parsers.pdfium.cork import restore_ligatures
from vectree.normal import clean


def test_a_bare_ligature_code_between_letters_becomes_the_ligature() -> None:
    assert clean(restore_ligatures("scienti\x1cque, \x1dot, di\x1ecile")) == "scientifique, flot, difficile"


def test_quotes_and_dashes_are_restored_on_a_page_that_has_such_ligatures() -> None:
    restored = restore_ligatures("modi\x1cer \x10Hello\x11 \x15 Code")
    assert clean(restored) == "modifier “Hello” – Code"


def test_without_a_ligature_the_codes_of_a_symbol_font_stay_what_they_are() -> None:
    assert restore_ligatures("exp\x12 x \x13") == "exp\x12 x \x13"


@given(st.text())
def test_every_character_keeps_its_place(text: str) -> None:
    assert len(restore_ligatures(text)) == len(text)
