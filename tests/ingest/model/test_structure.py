"""Headings by model: the paper's way, where layout leaves doubt, and what becomes of broken answers (C07)."""

from __future__ import annotations

import pytest

from vectree.document import HeadingSource, Match
from vectree.errors import ModelUnavailable
from vectree.ingest.headings import conclude, gather
from vectree.ingest.model.reading import Structure, read_structure
from vectree.ingest.page_text import render_pages


@pytest.fixture
def plain(make_paper, make_prose):
    """Headings that look like text: layout finds none of them."""
    return make_paper(
        ["= Growth of films", make_prose(5), make_prose(5, 1)],
        [make_prose(6, 2), "= Charge transport", make_prose(6, 3)],
        [make_prose(6, 4), make_prose(6, 5)],
        ["= Yield and cost", make_prose(6, 6), make_prose(4, 7)],
    )


@pytest.fixture
def clear(make_paper, make_prose):
    """Headings that layout finds."""
    return make_paper(
        ["# 1 Introduction", make_prose(8), make_prose(8, 1)],
        ["# 2 Methods", make_prose(8, 3), "# 2.1 Casting", make_prose(8, 4)],
        ["# 3 Results", make_prose(8, 6), make_prose(8, 7)],
    )


def read(document, model_stages, structure=Structure.LLM, **options):
    gathered = gather(document)
    found = conclude(gathered)
    rendered = render_pages(document, found.headings)
    return read_structure(model_stages, gathered, found, rendered.pages, structure=structure, **options)


def authored(headings) -> list:
    return [h for h in headings if h.source is not HeadingSource.SYNTHETIC]


def printed(result) -> list[tuple[str, int]]:
    return [(h.printed, h.page) for h in authored(result.found.headings)]


def told(*headings):
    return {"headings": [dict(zip(("title", "page"), heading, strict=False)) for heading in headings]}


RIGHT = [("Growth of films", 1), ("Charge transport", 2), ("Yield and cost", 4)]
ALL = told(*RIGHT)


def test_a_model_finds_what_layout_cannot_and_every_heading_is_verified(plain, answering, stages) -> None:
    assert authored(conclude(gather(plain)).headings) == []
    result = read(plain, stages(answering(structure=ALL)))
    assert printed(result) == RIGHT
    assert {(h.source, h.match) for h in authored(result.found.headings)} == {
        (HeadingSource.MODEL, Match.HEADING_LINE)
    }
    report = result.report
    assert (report["claimed"], report["failed"], report["dropped"], report["repair_rounds"]) == (3, 0, 0, 0)
    assert (report["paper_rate_before"], report["verified_rate_after"]) == (1.0, 1.0)


def test_auto_asks_nothing_where_layout_leaves_no_doubt(clear, answering, stages) -> None:
    model = answering(structure=ALL)
    result = read(clear, stages(model), Structure.AUTO)
    assert model.requests == []
    assert result.found == conclude(gather(clear))
    assert result.report["doubts"] == []


def test_auto_asks_where_there_are_no_headings(plain, answering, stages) -> None:
    model = answering(structure=ALL)
    result = read(plain, stages(model), Structure.AUTO)
    assert (printed(result), len(model.requests)) == (RIGHT, 1)
    assert result.report["doubts"] == [{"pages": [1, 4], "reason": "0 headings on 4 pages"}]
    assert result.asked == {1, 2, 3, 4}


def test_auto_asks_about_the_pages_of_a_gap_in_the_numbers_only(
    make_paper, make_prose, answering, stages
) -> None:
    document = make_paper(
        ["# 1 Introduction", make_prose(8), make_prose(8, 1)],
        ["# 2 Methods", make_prose(8, 2)],
        [make_prose(9, 3), "= Theory of loss", make_prose(8, 4)],
        ["# 4 Results", make_prose(8, 5), make_prose(8, 6)],
        ["# 5 Conclusions", make_prose(8, 7)],
    )
    model = answering(structure=told(("Theory of loss", 3)))
    result = read(document, stages(model), Structure.AUTO)
    (prompt,) = model.asked("structure")
    assert [f"page {n} <<" in prompt for n in (1, 2, 3, 4, 5)] == [False, True, True, True, False]
    assert [h for h, _ in printed(result)] == [
        "1 Introduction", "2 Methods", "Theory of loss", "4 Results", "5 Conclusions",
    ]  # fmt: skip


def test_layout_never_asks(plain, answering, stages) -> None:
    model = answering(structure=ALL)
    assert read(plain, stages(model), Structure.LAYOUT).report == {"mode": "layout"}
    assert model.requests == []


def test_c07_implausible_pages_are_put_right_by_the_title_or_dropped_and_reported(
    make_paper, make_prose, answering, stages
) -> None:
    titles = ["Introduction", "Theory", "Sample growth", "Transport", "Discussion", "Closing words"]
    blocks = [[make_prose(7, 2 * n), make_prose(5, 2 * n + 1)] for n in range(20)]
    for n, title in enumerate(titles):
        blocks[3 * n].insert(1, f"= {title}")
    document = make_paper(*blocks)
    starts = [1, 3, 2, 99, "p. 7", None]
    claimed = [
        {"title": t, "page": p} for t, p in zip([*titles[:5], "Acknowledged funds"], starts, strict=True)
    ]
    model = answering(structure={"headings": claimed}, repair={"found": []})
    result = read(document, stages(model))
    assert printed(result) == [(title, 3 * n + 1) for n, title in enumerate(titles[:5])]
    assert all(1 <= h.page <= 20 for h in result.found.headings)
    assert [h.printed for h in result.found.dropped] == ["Acknowledged funds"]
    assert result.report["dropped"] == 1
    assert result.report["paper_rate_before"] < result.report["verified_rate_after"]


def test_c07_an_empty_list_leaves_the_headings_of_layout(clear, answering, stages) -> None:
    result = read(clear, stages(answering(structure={"headings": []})))
    assert result.found == conclude(gather(clear))
    assert result.report["fallback"] == "layout"
    assert "named no heading that could be verified" in result.warnings[0]


def test_headings_that_were_all_made_up_are_listed_beside_those_of_layout(clear, answering, stages) -> None:
    made_up = told(("Zymurgy of nothing", 1), ("Figure 1. Made up", 2))
    result = read(clear, stages(answering(structure=made_up, repair={"found": []})))
    assert result.found.headings == conclude(gather(clear)).headings
    assert [h.printed for h in result.found.dropped] == ["Zymurgy of nothing", "Figure 1. Made up"]
    assert result.report["fallback"] == "layout"


def test_c07_a_one_page_document_for_which_nothing_is_found_is_left_whole(
    make_paper, make_prose, answering, stages
) -> None:
    result = read(make_paper([make_prose(4)]), stages(answering(structure=[[]])))
    assert printed(result) == []


@pytest.mark.parametrize("reply", ["", "{}", "Page 1: Introduction", "I'm sorry, I can't help with that."])
def test_c07_pages_without_a_usable_reply_are_left_to_layout(clear, answering, stages, reply) -> None:
    model = answering(structure=lambda _: reply)
    asked = stages(model)
    result = read(clear, asked)
    assert printed(result) == [(h.printed, h.page) for h in conclude(gather(clear)).headings]
    assert result.report["pages_unread"] == [1, 2, 3]
    assert 2 <= len(model.requests) <= 3
    assert "no usable reply" in asked.warnings()[0]


def test_a_service_that_is_down_ends_the_document_instead(plain, answering, stages) -> None:
    with pytest.raises(ModelUnavailable):
        read(plain, stages(answering(structure=lambda _: ModelUnavailable("429"))))


def test_overlapping_groups_give_each_heading_once(plain, answering, stages) -> None:
    def by_page(prompt: str):
        shown = [n for n in (1, 2, 3, 4) if f"page {n} <<" in prompt]
        return told(*[(title, page) for title, page in RIGHT if page in shown])

    model = answering(structure=by_page, context_window=2_000)
    result = read(plain, stages(model))
    assert len(model.requests) > 1
    assert printed(result) == RIGHT
    assert result.report["claimed"] == 3


def test_headings_on_pages_that_were_not_shown_are_passed_over(plain, answering, stages) -> None:
    model = answering(structure=ALL, context_window=2_000)
    result = read(plain, stages(model))
    assert len(model.requests) > 1
    assert printed(result) == RIGHT
    assert result.report["claimed"] == 3
    assert result.report["named_elsewhere"] >= 3


def test_a_number_that_is_not_printed_is_not_stored(plain, answering, stages) -> None:
    made_up = {"headings": [{"number": "1", "title": "Growth of films", "page": 1}]}
    (heading,) = authored(read(plain, stages(answering(structure=made_up))).found.headings)
    assert (heading.number, heading.title) == ("", "Growth of films")


def test_a_number_inside_the_title_is_taken_out_of_it(clear, answering, stages) -> None:
    inside = {"headings": [{"number": "2.1", "title": "2.1 Casting", "page": 2}]}
    (heading,) = authored(read(clear, stages(answering(structure=inside))).found.headings)
    assert (heading.number, heading.title, heading.level) == ("2.1", "Casting", 1)


CONTENTS = [("Aim", 2), ("Theory", 3), ("Methods", 4), ("Apparatus", 5), ("Results", 7), ("Summary", 8)]


def test_c04_a_running_head_or_a_sentence_is_not_where_a_section_starts(
    make_paper, make_prose, answering, stages
) -> None:
    document = make_paper(
        ["= Contents", *[f"= {t} .......... {n}" for t, n in CONTENTS], make_prose(6)],
        *[[make_prose(6, n), "The results of this part are given in the next."] for n in range(2, 7)],
        [make_prose(6, 8), "= Results", make_prose(6, 9)],
        [make_prose(8, 11)],
    )
    for page in (1, 2, 3):
        result = read(document, stages(answering(structure=told(("Results", page)), repair={"found": []})))
        assert printed(result) == [("Results", 7)]


def test_to_the_letter_the_claimed_page_stands_if_the_title_occurs_near_it(plain, answering, stages) -> None:
    shifted = told(("Growth of films", 2), ("charge transport", 3), ("Yield and cost", 2))
    model = answering(structure=shifted, repair={"found": []})
    result = read(plain, stages(model), exact=True)
    assert [(h.printed, h.page, h.match) for h in authored(result.found.headings)] == [
        ("Growth of films", 2, Match.SUBSTRING),
        ("charge transport", 3, Match.SUBSTRING),
    ]
    assert [h.printed for h in result.found.dropped] == ["Yield and cost"]
    assert result.report["paper_rate_before"] == result.report["paper_rate_after"] == pytest.approx(2 / 3)
    assert result.report["verified_rate_before"] == 1.0


def test_a_model_that_copies_phrases_makes_no_sections(clear, answering, stages) -> None:
    phrases = ["membranes were cast", "conductivity reached ninety", "without the salt", "second instrument"]
    told_too = [{"title": phrase, "page": n % 3 + 1} for n, phrase in enumerate(phrases)]
    claimed = [{"number": "1", "title": "Introduction", "page": 1}, *told_too]
    result = read(clear, stages(answering(structure={"headings": claimed}, repair={"found": []})))
    assert printed(result) == [("1 Introduction", 1)]
    assert len(result.found.dropped) == 4


@pytest.mark.parametrize(
    "title",
    [
        "Figure 2. Films at rest",
        "https://example.org/films",
        "x = y + z",
        "We did it. Then we left it alone.",
    ],
)
def test_what_by_its_wording_is_no_heading_is_not_even_looked_for(
    make_paper, make_prose, answering, stages, title
) -> None:
    document = make_paper(["# 1 Introduction", make_prose(8), f"= {title}", make_prose(8, 1)])
    model = answering(structure=told(("Introduction", 1), (title, 1)))
    result = read(document, stages(model))
    assert printed(result) == [("1 Introduction", 1)]
    assert (result.report["implausible"], len(model.requests)) == (1, 1)
    assert [h.printed for h in result.found.dropped] == [title]


def test_a_numbered_title_may_hold_a_formula(make_paper, make_prose, answering, stages) -> None:
    document = make_paper(["# 1 Introduction", make_prose(8), "# 2 Case of x → y", make_prose(8, 1)])
    claimed = [
        {"number": "1", "title": "Introduction", "page": 1},
        {"number": "2", "title": "Case of x → y", "page": 1},
    ]
    result = read(document, stages(answering(structure={"headings": claimed})))
    assert printed(result) == [("1 Introduction", 1), ("2 Case of x → y", 1)]
