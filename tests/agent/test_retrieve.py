from __future__ import annotations

from typing import Any

import pytest

from vectree.agent.retrieve import Unit, retrieve
from vectree.errors import UnknownDocument
from vectree.evidence import Filters
from vectree.testing.library import MemoryLibrary, make_paper
from vectree.testing.sample_papers import sample_library

QUERY = "conductivity of a solid electrolyte"


def three_of_a_kind(extra_sections: int = 0) -> MemoryLibrary:
    """Three papers whose sections are all called Results; the first has many that match."""
    papers = []
    for number in range(3):
        count = 1 + (extra_sections if number == 0 else 0)
        pages = [f"Results\n\nresults of anode matter {number}.{page}" for page in range(count)]
        sections = [("Results", page + 1, page + 1) for page in range(count)]
        papers.append(make_paper(f"p{number}", title=f"Anodes {number}", pages=pages, sections=sections))
    return MemoryLibrary(papers)


@pytest.mark.parametrize("unit", Unit)
def test_every_paper_comes_before_the_second_piece_of_one(unit: Unit) -> None:
    found = retrieve(three_of_a_kind(extra_sections=9), "results anode", unit=unit, top_k=3)
    assert {item.hit.doc_id for item in found} == {"p0", "p1", "p2"}


def test_per_paper_takes_more_of_each_before_the_next() -> None:
    found = retrieve(three_of_a_kind(extra_sections=9), "results anode", top_k=4, per_paper=3)
    assert [item.hit.doc_id for item in found] == ["p0", "p0", "p0", "p1"]


def test_units_carry_what_they_are_made_of() -> None:
    library = sample_library()
    for unit, (section, page) in {
        Unit.DOCUMENTS: (False, False),
        Unit.SECTIONS: (True, False),
        Unit.PAGES: (True, True),
    }.items():
        for item in retrieve(library, QUERY, unit=unit):
            assert (item.section is not None, item.page is not None) == (section, page)
            assert item.record.doc_id == item.hit.doc_id


def test_a_page_is_returned_once_however_many_sections_name_it() -> None:
    found = retrieve(sample_library(), QUERY, top_k=50)
    places = [(item.hit.doc_id, item.page.number) for item in found if item.page]
    assert len(set(places)) == len(places) > 3


def test_the_best_page_of_the_best_paper_comes_first() -> None:
    first = retrieve(sample_library(), "activation energy of the garnet")[0]
    assert (first.hit.doc_id, first.page and first.page.number) == ("berg2021-a1b2", 3)
    assert first.section is not None
    assert first.section.title == "3 Results"


def test_filters_a_star_and_nothing() -> None:
    library = sample_library()
    assert {
        item.record.metadata.year for item in retrieve(library, QUERY, filters=Filters(year_min=2022))
    } == {2023}
    assert len(retrieve(library, "*", unit=Unit.PAGES, top_k=9)) == 4
    assert retrieve(library, " ") == ()


def test_a_paper_removed_since_the_search_is_left_out() -> None:
    class Shrinking(MemoryLibrary):
        def record(self, doc_id: str) -> Any:
            if doc_id == "p1":
                raise UnknownDocument("It was removed.")
            return super().record(doc_id)

    library = Shrinking([three_of_a_kind()._papers[f"p{n}"] for n in range(3)])
    assert {item.hit.doc_id for item in retrieve(library, "results anode")} == {"p0", "p2"}


def test_papers_are_read_no_further_than_needed() -> None:
    class Counting(MemoryLibrary):
        read = 0

        def pages(self, doc_id: str, numbers: Any) -> Any:
            self.read += 1
            return super().pages(doc_id, numbers)

    library = Counting([three_of_a_kind(extra_sections=9)._papers[f"p{n}"] for n in range(3)])
    retrieve(library, "results anode", top_k=3)
    assert library.read == 3
