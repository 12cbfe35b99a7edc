from __future__ import annotations

from vectree.document import Heading, HeadingSource, Match, Page, TextStatus
from vectree.ingest.model.page_starts import decide_page_starts

PAGES = [
    Page(number=n, raw="", text=f"Opening {n}. " + "Text. " * 900, status=TextStatus.TEXT)
    for n in range(1, 8)
]


def heading(title: str, page: int, *, known: bool = True, begins: bool = False) -> Heading:
    return Heading(
        number="",
        title=title,
        page=page,
        level=1,
        source=HeadingSource.MODEL,
        match=Match.HEADING_LINE if known else Match.SUBSTRING,
        begins_page=begins,
        offset=0 if known else None,
    )


def begins(headings) -> list[bool]:
    return [each.begins_page for each in headings]


def test_what_layout_decides_is_not_asked(answering, stages) -> None:
    model = answering()
    known = [heading("A", 1, begins=True), heading("B", 2)]
    assert begins(decide_page_starts(stages(model), known, PAGES)) == [True, False]
    assert model.requests == []


def test_undecided_headings_of_many_pages_go_into_one_request_with_the_openings_only(
    answering, stages
) -> None:
    model = answering(
        starts={"starts": [{"entry": 1, "begins_page": True}, {"entry": "2", "begins_page": False}]}
    )
    headings = [heading("A", 1), heading("B", 3, known=False), heading("C", 5, known=False)]
    assert begins(decide_page_starts(stages(model), headings, PAGES)) == [False, True, False]
    (prompt,) = model.asked("starts")
    assert "1. page 3: B\n2. page 5: C" in prompt
    assert len(prompt) < 6_000


def test_to_the_letter_every_heading_is_asked_about(answering, stages) -> None:
    model = answering(
        starts={"starts": [{"entry": 1, "begins_page": False}, {"entry": 2, "begins_page": True}]}
    )
    headings = [heading("A", 1, begins=True), heading("B", 2)]
    assert begins(decide_page_starts(stages(model), headings, PAGES, exact=True)) == [False, True]


def test_only_the_first_heading_of_a_page_can_begin_it(answering, stages) -> None:
    both = {"starts": [{"entry": 1, "begins_page": True}, {"entry": 2, "begins_page": True}]}
    headings = [heading("A", 2, known=False), heading("B", 2, known=False)]
    assert begins(decide_page_starts(stages(answering(starts=both)), headings, PAGES)) == [True, False]


def test_a_useless_reply_leaves_what_layout_said(answering, stages) -> None:
    headings = [heading("A", 2, known=False)]
    assert begins(decide_page_starts(stages(answering(starts="?")), headings, PAGES)) == [False]


def test_openings_are_batched_within_the_window(answering, stages) -> None:
    model = answering(starts={"starts": []}, context_window=3_000)
    headings = [heading(f"H{n}", n, known=False) for n in range(1, 8)]
    decide_page_starts(stages(model), headings, PAGES)
    assert len(model.requests) > 1
    assert all(len(prompt) < 3_000 * 4 for prompt in model.asked("starts"))
