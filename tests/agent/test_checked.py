"""One set of checks for an answer, whoever ran the loop."""

from __future__ import annotations

from vectree.agent.checked import check_text
from vectree.evidence import Step
from vectree.testing.library import MemoryLibrary

BERG = "berg2021-a1b2"


def read(doc_id: str, page: int) -> Step:
    return Step(
        round=1,
        call=1,
        tool="get_page_content",
        layer=2,
        arguments={},
        tokens=1,
        sources=((doc_id, page),),
    )


def test_citations_numbers_evidence_and_titles_come_from_the_pages_read(library: MemoryLibrary) -> None:
    text = f"It reaches 0.63 mS/cm (B, 2021, {BERG}, p.3). Nothing else was tried."
    checked = check_text(library, text, [read(BERG, 3)])
    assert [(c.page, c.read) for c in checked.citations] == [(3, True)]
    assert checked.uncited == ("Nothing else was tried.",)
    assert [n.number for n in checked.unfound] == ["0.63"]
    assert [(e.doc_id, e.page) for e in checked.evidence] == [(BERG, 3)]
    assert set(checked.titles) == {BERG}


def test_pages_read_earlier_in_a_conversation_may_be_cited_but_are_no_evidence(
    library: MemoryLibrary,
) -> None:
    text = f"It reaches 0.62 mS/cm (B, 2021, {BERG}, p.3)."
    checked = check_text(library, text, [], before={(BERG, 3)})
    assert checked.citations[0].read
    assert checked.evidence == ()


def test_a_paper_that_is_gone_has_no_title(library: MemoryLibrary) -> None:
    checked = check_text(library, "So it is (A, 2020, gone2020-aaaa, p.1).", [read("gone2020-aaaa", 1)])
    assert checked.titles == {}
