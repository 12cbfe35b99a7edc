from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.document import Metadata
from vectree.store.identity import file_sha256, is_doc_id, make_doc_id

SHA = "3f9ac0" + "7" * 58


def named(*authors: str, title: str = "Ion transport", year: int | None = 2024) -> str:
    return make_doc_id(Metadata(title=title, authors=authors, year=year), SHA, frozenset())


@pytest.mark.parametrize(
    ("author", "surname"),
    [
        ("Mohsen Ghaffari", "ghaffari"),
        ("Ghaffari, Mohsen", "ghaffari"),
        ("J. van der Waals", "waals"),
        ("van der Waals, J.", "vanderwaals"),
        ("Erwin Schrödinger", "schrodinger"),
        ("Ida Gößling", "gossling"),
        ("Bjørn Østergård", "ostergard"),
        ("Paweł Łukasiewicz", "lukasiewicz"),
        ("M. L. King Jr.", "king"),
        ("The ATLAS Collaboration", "atlas"),
        ("Shane O'Neill", "oneill"),
        ("David Mas-Ponte", "masponte"),
    ],
)
def test_a_doc_id_begins_with_the_surname_in_ascii(author: str, surname: str) -> None:
    assert named(author) == f"{surname}2024-3f9a"


def test_without_an_author_the_first_telling_word_of_the_title_stands_in() -> None:
    assert named(title="On the gashes of breccia", year=1880) == "gashes1880-3f9a"


def test_a_surname_without_ascii_letters_falls_back_to_the_title_then_to_a_fixed_word() -> None:
    assert named("王小明") == "ion2024-3f9a"
    assert named("王小明", title="離子傳輸", year=None) == "document-3f9a"


def test_two_documents_never_share_a_name() -> None:
    metadata = Metadata(title="T", authors=("A. Meyer",), year=2021)
    first = make_doc_id(metadata, SHA, frozenset())
    second = make_doc_id(metadata, SHA[:4] + "f" * 60, {first})
    assert (first, second) == ("meyer2021-3f9a", "meyer2021-3f9aff")


def test_a_hash_whose_every_prefix_is_taken_is_refused() -> None:
    with pytest.raises(ValueError, match="taken"):
        make_doc_id(Metadata(title=""), "abcd", {"document-abcd"})


@given(author=st.text(), title=st.text(), year=st.none() | st.integers(0, 9999))
def test_any_metadata_gives_a_safe_name(author: str, title: str, year: int | None) -> None:
    name = make_doc_id(Metadata(title=title, authors=(author,), year=year), SHA, frozenset())
    assert is_doc_id(name)
    assert len(name) < 60


@pytest.mark.parametrize(
    "text",
    [
        "",
        "..",
        "../other",
        "a/b-3f9a",
        "A-3f9a",
        "a-3F9A",
        "a-3f9a\n",
        "a-3f9a/",
        "a\x00-3f9a",
        "a-zzzz",
        "-3f9a",
        "é-3f9a",
    ],
)
def test_c37_what_is_no_doc_id_never_becomes_a_path(text: str) -> None:
    assert not is_doc_id(text)


def test_a_file_is_hashed_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(b"abc" * 100_000)
    assert file_sha256(path) == hashlib.sha256(b"abc" * 100_000).hexdigest()
