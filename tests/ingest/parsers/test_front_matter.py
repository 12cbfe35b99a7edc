from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.ingest.parsers.markdown.front_matter import split_front_matter


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ('title: "Cold glass: a study"', {"title": "Cold glass: a study"}),
        ("title: It's cold # really", {"title": "It's cold"}),
        ("Title: A\nAuthor: Ada Lovelace", {"title": "A", "author": "Ada Lovelace"}),
        ("authors:\n  - Ada Lovelace\n  - 'Alan Turing'", {"author": "Ada Lovelace, Alan Turing"}),
        (
            "authors:\n- Ada Lovelace\n- Alan Turing\ntitle: A",
            {"author": "Ada Lovelace, Alan Turing", "title": "A"},
        ),
        (
            "author:\n  - name: Ada Lovelace\n    affiliation: Here\n  - name: Alan Turing\n    email: a@b.c",
            {"author": "Ada Lovelace, Alan Turing"},
        ),
        ("keywords: [glass, ions]", {"keywords": "glass; ions"}),
        ("abstract: |\n  One.\n\n  Two.\nlayout: page", {"abstract": "One. Two."}),
        ("title: >-\n  Folded\n  title", {"title": "Folded title"}),
        ("layout: page\nweird:\n  title: not this", {}),
    ],
)
def test_fields_are_read_in_the_forms_in_use(block: str, expected: dict[str, str]) -> None:
    assert split_front_matter(f"---\n{block}\n---\n# Body") == (expected, "# Body")


def test_toml_is_read_too() -> None:
    assert split_front_matter('+++\ntitle = "A"\n+++\nBody') == ({"title": "A"}, "Body")


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nA text after a rule.\n\n---\n",
        "---\nA sentence without fields\n---\n",
        "---\ntitle: never closed\n",
        "---\nNote: see below\nand a line of prose\n---\n",
        "# Heading\n---\ntitle: x\n---",
        "---\n" + "a: b\n" * 300 + "---\n",
        "",
    ],
)
def test_what_is_no_front_matter_stays(text: str) -> None:
    assert split_front_matter(text) == ({}, text)


@given(st.text(alphabet="-+ab: \n[]\"'>|#", max_size=80))
def test_any_text_is_read(text: str) -> None:
    fields, rest = split_front_matter("---\n" + text)
    assert rest in "---\n" + text
    assert all(fields.values())
