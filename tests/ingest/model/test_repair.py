from __future__ import annotations

import pytest

from vectree.document import HeadingSource
from vectree.ingest.claims import Claim
from vectree.ingest.model.repair import REPAIR_ROUNDS, candidate_pages, repair_claims
from vectree.ingest.page_text import render_pages
from vectree.words import content_words


def claim(title: str, page: int | None) -> Claim:
    return Claim(number=None, title=title, page=page, source=HeadingSource.MODEL)


@pytest.fixture
def pages(make_paper, make_prose):
    document = make_paper(*[[make_prose(6, n), f"= Chapter on topic{n}"] for n in range(1, 13)])
    return render_pages(document, ()).pages


def failing_unless(*titles: str):
    return lambda claims: [place for place, each in enumerate(claims) if each.title not in titles]


def test_what_passes_costs_no_call(answering, stages, pages) -> None:
    model = answering()
    repaired = repair_claims(stages(model), [claim("A", 1)], pages, failing_unless("A"))
    assert (repaired.rounds, repaired.failing, model.requests) == (0, (), [])


def test_a_failed_heading_is_asked_for_on_its_candidate_pages_only(answering, stages, pages) -> None:
    model = answering(repair={"found": [{"entry": 1, "title": "Chapter on topic9", "page": 9}]})
    claims = [claim("Right", 1), claim("The topic9 chapter", 2)]
    repaired = repair_claims(stages(model), claims, pages, failing_unless("Right", "Chapter on topic9"))
    (prompt,) = model.asked("repair")
    shown = [n for n in range(1, 13) if f"page {n} <<" in prompt]
    assert {1, 2, 3, 9} <= set(shown)
    assert len(shown) <= 6
    assert "1. The topic9 chapter (given for page 2)" in prompt
    assert [(each.title, each.page) for each in repaired.claims] == [("Right", 1), ("Chapter on topic9", 9)]
    assert (repaired.rounds, repaired.first_failing, repaired.failing) == (1, (1,), ())


def test_repair_ends_after_three_rounds_on_new_pages_each(answering, stages, pages) -> None:
    model = answering(repair={"found": [{"entry": 1, "title": "Chapter of nothing", "page": 5}]})
    repaired = repair_claims(stages(model), [claim("Chapter lost", 5)], pages, failing_unless())
    assert (repaired.rounds, len(model.requests), repaired.failing) == (REPAIR_ROUNDS, 3, (0,))
    shown = [{n for n in range(1, 13) if f"page {n} <<" in prompt} for prompt in model.asked("repair")]
    assert not shown[0] & shown[1] - {4, 5, 6}
    assert not shown[1] & shown[2]


@pytest.mark.parametrize(
    "reply",
    [
        "nonsense",
        {"found": []},
        {"found": [{"entry": 7, "title": "X", "page": 1}]},
        {"found": [{"entry": "x"}]},
    ],
)
def test_replies_that_say_nothing_leave_the_claim_as_it_was(answering, stages, pages, reply) -> None:
    given = claim("Chapter lost", 5)
    repaired = repair_claims(stages(answering(repair=reply)), [given], pages, failing_unless())
    assert repaired.claims == (given,)


def test_a_heading_without_page_or_known_words_is_not_looked_for(answering, stages, pages) -> None:
    model = answering()
    repaired = repair_claims(stages(model), [claim("Zzyzx", None)], pages, failing_unless())
    assert (repaired.rounds, model.requests) == (0, [])


def test_candidates_are_the_pages_with_most_of_the_words_then_the_nearest(pages) -> None:
    words = [frozenset(content_words(page.text)) for page in pages]
    assert candidate_pages(claim("Chapter on topic11", None), words, 0) == (5, 6, 11)
    assert candidate_pages(claim("Nothing such", 1), words, 0) == (1, 2)
    assert candidate_pages(claim("Nothing such", 1), words, 1) == ()
