"""Passages: nothing is lost, no word is cut, every page spanned is known."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vectree.evaluate.systems.chunks import page_chunks, passage_chunks

PAGES = st.lists(st.text(alphabet="abc d\n", max_size=120).map(str.strip), max_size=8)


def test_a_passage_has_the_length_and_overlap_of_section_4_2() -> None:
    text = " ".join(f"{number:07d}" for number in range(1200))  # 9,599 characters
    first, second, *_ = passage_chunks("a", [text])
    assert len(first.text) == 800 * 4 - 1  # a cut after white space
    assert text.find(second.text) == 400 * 4


def test_a_passage_inherits_every_page_it_spans_but_not_blank_ones() -> None:
    (passage,) = passage_chunks("a", ["one", "", "three"])
    assert passage.pages == (1, 3)
    assert passage.units == (("a", 1), ("a", 3))


def test_a_document_without_text_has_no_passages() -> None:
    assert passage_chunks("a", []) == []
    assert passage_chunks("a", ["", ""]) == []
    assert page_chunks("a", ["", ""]) == []


def test_a_unit_of_whole_pages_keeps_its_number() -> None:
    assert [chunk.pages for chunk in page_chunks("a", ["one", "", "three"])] == [(1,), (3,)]


@given(pages=PAGES, tokens=st.integers(3, 20), share=st.floats(0, 0.9))
def test_passages_hold_every_word_whole_and_point_at_their_pages(
    pages: list[str], tokens: int, share: float
) -> None:
    found = passage_chunks("a", pages, tokens=tokens, overlap=int(tokens * share))
    words = {word for page in pages for word in page.split()}
    short = {word for word in words if len(word) <= tokens}
    assert short <= {word for chunk in found for word in chunk.text.split()}
    for chunk in found:
        assert chunk.pages
        assert chunk.text in "\n\n".join(pages[number - 1] for number in chunk.pages)
    assert {page for chunk in found for page in chunk.pages} == {
        number for number, page in enumerate(pages, start=1) if page
    }
