"""Source pages: where the papers speak of what they share, back matter left out."""

from __future__ import annotations

import pytest

from vectree.document import TextStatus
from vectree.evaluate.mosaic.settings import BuildSettings
from vectree.evaluate.mosaic.sources import Source, best_pages, choose_sources
from vectree.evaluate.records import Papers
from vectree.testing.library import MemoryLibrary, make_paper


def test_pages_on_the_shared_topic_are_chosen(lamps: Papers) -> None:
    settings = BuildSettings(pages_each=1)
    found = choose_sources(lamps.library, ["lamp3", "lamp1"], settings)
    assert [(source.number, source.doc_id, source.year) for source in found] == [
        (1, "lamp3", 2013),
        (2, "lamp1", 2011),
    ]
    assert [len(source.pages) for source in found] == [1, 1]


def test_back_matter_is_never_shown(sources: tuple[Source, ...]) -> None:
    assert {tuple(source.pages) for source in sources} == {(1, 2)}


def test_pages_are_quoted_under_numbers(sources: tuple[Source, ...]) -> None:
    text = sources[0].shown
    assert text.startswith("Paper 1: Heated street lamps in Narvik, 2011\nPage 1:\n<quoted ")
    assert "shed their ice at 1 degrees" in text


def test_pages_of_scans_are_left_out_and_so_is_a_paper_without_others() -> None:
    made = make_paper("scan", title="Ice", pages=["x", "ice"], status=[TextStatus.SCAN, TextStatus.TEXT])
    blank = make_paper("blank", title="Ice", pages=["x"], status=[TextStatus.SCAN])
    library = MemoryLibrary([made, blank])
    (source,) = choose_sources(library, ["blank", "scan"], BuildSettings())
    assert (source.number, list(source.pages)) == (1, [2])


@pytest.mark.parametrize(("tokens", "pages"), [(1, [2]), (60, [1, 2])])
def test_tokens_bound_what_is_chosen_but_for_the_best_page(
    lamps: Papers, tokens: int, pages: list[int]
) -> None:
    assert list(best_pages(lamps.library, "lamp1", "shed their ice", tokens=tokens)) == pages
