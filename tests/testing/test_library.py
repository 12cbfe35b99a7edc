"""The shipped in-memory library keeps the promises of ``agent.library.Library``."""

from __future__ import annotations

import pytest

from vectree.agent.library import Library
from vectree.errors import InvalidArguments, UnknownDocument, UnknownFigure
from vectree.evidence import Filters
from vectree.testing.library import MemoryLibrary
from vectree.testing.sample_papers import grey_png, sample_library


@pytest.fixture
def library() -> MemoryLibrary:
    return sample_library()


def test_it_is_a_library(library: MemoryLibrary) -> None:
    assert isinstance(library, Library)


def test_its_numbers(library: MemoryLibrary) -> None:
    stats = library.stats()
    assert (stats.documents, stats.year_first, stats.year_last, stats.journals) == (4, 2019, 2023, 3)


def test_search_ranks_lists_filters_and_pages(library: MemoryLibrary) -> None:
    assert library.search("rhenium creep").hits[0].doc_id == "raman2019-e5f6"
    everything = library.search("*")
    assert everything.total_matches == 4
    assert library.search("*", offset=1, top_k=1).hits == everything.hits[1:2]
    assert library.search("*", filters=Filters(journal="north", year_min=2023)).total_matches == 2
    assert library.search("zebra").hits == ()


def test_sections_name_their_likely_pages(library: MemoryLibrary) -> None:
    best = library.within("berg2021-a1b2", "activation energy")[0]
    assert (best.title, best.likely_pages) == ("3 Results", (3,))


def test_what_is_unknown_is_refused(library: MemoryLibrary) -> None:
    with pytest.raises(UnknownDocument):
        library.record("nobody")
    with pytest.raises(UnknownFigure):
        library.figure_bytes("berg2021-a1b2", "nothing.png")
    with pytest.raises(InvalidArguments):
        library.pages("berg2021-a1b2", [5])
    with pytest.raises(InvalidArguments):
        library.search(" ")


def test_the_sample_figure_is_a_png_of_the_recorded_size(library: MemoryLibrary) -> None:
    (figure,) = library.figures("berg2021-a1b2")
    assert (figure.width, figure.height) == (8, 6)
    assert library.figure_bytes("berg2021-a1b2", figure.name) == grey_png()
