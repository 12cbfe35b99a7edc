from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.agent.naming import citation, cite_key, short_authors, surname


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Ada Lovelace", "Lovelace"),
        ("Lovelace, Ada", "Lovelace"),
        ("Maria van den Berg", "van den Berg"),
        ("van den Berg, Maria", "van den Berg"),
        ("J. R. Smith Jr.", "Smith"),
        ("Smith, Jr.", "Smith"),
        ("Plato", "Plato"),
        ("  Li   Wei ", "Wei"),
        ("Jun Li*", "Li"),
        ("", "Anon."),
    ],
)
def test_the_family_name(name: str, family: str) -> None:
    assert surname(name) == family


def test_keys_of_citations() -> None:
    assert cite_key(("Maria van den Berg", "Jun Li"), 2021) == "van den Berg et al., 2021"
    assert cite_key(("Indira Raman",), 2019) == "Raman, 2019"
    assert cite_key((), None) == "Anon., n.d."
    assert citation("Raman, 2019", "raman2019-e5f6", 3) == "(Raman, 2019, raman2019-e5f6, p.3)"


def test_three_names_and_a_count() -> None:
    assert short_authors(("A B", "C D", "E F", "G H")) == "A B, C D, E F and 1 more"
    assert short_authors(()) == ""


@settings(deadline=None)
@given(st.text(max_size=80))
def test_a_family_name_never_breaks_a_citation(name: str) -> None:
    assert not set(surname(name)) & set("()[];\n")
