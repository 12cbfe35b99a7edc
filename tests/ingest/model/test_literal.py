from __future__ import annotations

from vectree.document import HeadingSource, Match
from vectree.ingest.claims import Claim
from vectree.ingest.headings import gather
from vectree.ingest.model.literal import literal_failing, literal_headings


def claim(title: str, page: int | None) -> Claim:
    return Claim(number=None, title=title, page=page, source=HeadingSource.MODEL, level=2)


def test_the_rule_is_the_papers_and_a_claim_without_a_page_fails(make_paper, make_prose) -> None:
    document = make_paper([make_prose(3)], ["= Yield", make_prose(3)], [make_prose(3)], [make_prose(3)])
    claims = [claim("yield", 1), claim("YIELD", 3), claim("Yield", 4), claim("Yield", None)]
    assert literal_failing(claims, document.pages) == [2, 3]


def test_headings_keep_their_claimed_pages_in_page_order(make_paper, make_prose) -> None:
    document = make_paper([make_prose(3)], ["= Yield", make_prose(3)], ["= Cost", make_prose(3)])
    headings = literal_headings([claim("Cost", 2), claim("Yield", 1)], gather(document))
    assert [(h.title, h.page, h.level, h.match) for h in headings] == [
        ("Yield", 1, 2, Match.SUBSTRING),
        ("Cost", 2, 2, Match.SUBSTRING),
    ]
