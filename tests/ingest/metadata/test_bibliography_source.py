"""When a record of a bibliographic service is believed (C08, C09)."""

from __future__ import annotations

import pytest

from vectree.document import Metadata, Page, TextStatus
from vectree.ingest.bibliography_source import (
    LookUp,
    LookUpStatus,
    Work,
    apply_work,
    front_text,
    same_work,
)

TITLE = "Phase transitions in sparse graphs"
PAPER = Metadata(title=TITLE, authors=("Ana Bauer", "Carl Dietz"), provenance={"title": "rules"})
FRONT = f"Journal of Graphs\n{TITLE}\nAna Bauer, Carl Dietz\nAbstract. We study graphs."


def work(title: str = TITLE, *surnames: str) -> Work:
    return Work(doi="10.1234/a", title=title, surnames=surnames or ("Bauer", "Dietz"), authors=surnames)


def test_c09_title_and_author_agree() -> None:
    assert same_work(PAPER, FRONT, work(), by_doi=False)
    assert same_work(PAPER, FRONT, work("PHASE TRANSITIONS IN SPARSE GRAPHS.", "Dietz"), by_doi=False)


@pytest.mark.parametrize("by_doi", [False, True])
def test_c09_a_near_neighbour_by_others_is_not_believed(by_doi: bool) -> None:
    assert not same_work(
        PAPER, FRONT, work("Phase transitions in sparse random graphs", "Chen", "Dorn"), by_doi=by_doi
    )


def test_c09_the_same_title_by_others_is_not_believed() -> None:
    assert not same_work(PAPER, FRONT, work(TITLE, "Chen"), by_doi=True)
    assert not same_work(PAPER, FRONT, Work(doi="10.1234/a", title=TITLE), by_doi=True)


def test_c09_a_near_title_by_the_same_people_counts_for_their_own_doi_only() -> None:
    near = work("Phase transition in sparse graphs")
    assert same_work(PAPER, FRONT, near, by_doi=True)
    assert not same_work(PAPER, FRONT, near, by_doi=False)


def test_a_subtitle_that_one_side_leaves_out_is_no_difference() -> None:
    assert same_work(PAPER, FRONT, work(f"{TITLE}: a survey of methods"), by_doi=False)


def test_the_page_speaks_where_the_rules_read_no_title_or_author() -> None:
    unknown = Metadata(title="scan0001", provenance={"title": "file name"})
    assert same_work(unknown, FRONT, work(), by_doi=True)
    assert not same_work(unknown, "Another page altogether", work(), by_doi=True)


def test_c08_the_doi_of_a_cited_paper_is_not_believed() -> None:
    cited = work("A cited work on random walks", "Erdos")
    assert not same_work(PAPER, FRONT, cited, by_doi=True)


def test_a_record_changes_only_what_it_may() -> None:
    found = Work(
        doi="10.1234/other", title=TITLE, authors=("Ana Bauer", "Carl Dietz"), year=2020, journal="J. Graphs"
    )
    paper = Metadata(
        title=TITLE, authors=("Ana Bauer",), doi="10.1234/a", provenance={"title": "rules", "doi": "rules"}
    )
    applied = apply_work(paper, LookUp(status=LookUpStatus.VERIFIED, work=found))
    assert (applied.doi, applied.year, applied.journal) == ("10.1234/a", 2020, "J. Graphs")
    assert applied.authors == ("Ana Bauer", "Carl Dietz")
    for status in LookUpStatus:
        if status is not LookUpStatus.VERIFIED:
            assert apply_work(paper, LookUp(status=status, work=found)) == paper


def test_the_front_has_heads_and_feet_of_two_pages() -> None:
    pages = [Page(number=n, raw=f"head {n}", text=f"body {n}", status=TextStatus.TEXT) for n in (1, 2, 3)]
    assert front_text(pages) == "head 1\nbody 1\nhead 2\nbody 2"
