from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.ingest.crossref_records import plain_markup, read_work, works_of

RECORD = {
    "DOI": "10.1234/ABC",
    "title": ["A <i>Species</i> database"],
    "author": [{"given": "Ana", "family": "Bauer"}, {"name": "The Graph Group"}, {"sequence": "first"}],
    "container-title": ["Nature &amp; Science"],
    "volume": "12",
    "page": "301-317",
    "published-online": {"date-parts": [[2018, 12]]},
    "published-print": {"date-parts": [[2019]]},
    "issued": {"date-parts": [[None]]},
    "reference": [{"DOI": "10.9999/cited"}],
}


@pytest.mark.parametrize(
    ("markup", "plain"),
    [
        ("A <i>Species</i> database", "A Species database"),
        ("CO<sub>2</sub> uptake", "CO2 uptake"),
        ("Two\n          lines  <b>indented</b>", "Two lines indented"),
        ("less &amp;lt;i&amp;gt;than&amp;lt;/i&amp;gt;", "less than"),
        ("p <0.5 and n >3", "p <0.5 and n >3"),
        ("p &lt;0.5 and n &gt;3", "p <0.5 and n >3"),
        ("if a <b and c> d", "if a <b and c> d"),
        ('<mml:math xmlns:mml="http://w3.org"><mml:mi>x</mml:mi></mml:math> rays', "x rays"),
        ("One<br/>two", "One two"),
        ("Q&A", "Q&A"),
    ],
)
def test_c09_titles_have_no_tags_or_entities_and_keep_what_only_looks_like_one(
    markup: str, plain: str
) -> None:
    assert plain_markup(markup) == plain


def test_a_record_is_read() -> None:
    work = read_work(RECORD)
    assert work is not None
    assert (work.doi, work.title, work.journal) == ("10.1234/abc", "A Species database", "Nature & Science")
    assert work.authors == ("Ana Bauer", "The Graph Group")
    assert work.surnames == ("Bauer", "The Graph Group")
    assert (work.year, work.volume, work.article_pages) == (2019, "12", "301-317")


@pytest.mark.parametrize(
    "record",
    [
        None,
        [],
        {},
        {"DOI": "10.1234/a"},
        {"title": ["T"]},
        {"DOI": 5, "title": ["T"]},
        {"DOI": "", "title": ["T"]},
    ],
)
def test_what_is_no_record_is_none(record: object) -> None:
    assert read_work(record) is None


def test_odd_members_cost_only_themselves() -> None:
    work = read_work(
        {"DOI": "10.1234/a", "title": "T", "issued": "2019", "article-number": "e5", "author": None}
    )
    assert work is not None
    assert (work.year, work.article_pages, work.authors) == (None, "e5", ())


def test_works_of_a_search_and_of_a_doi() -> None:
    assert [work.doi for work in works_of({"message": RECORD})] == ["10.1234/abc"]
    assert [work.doi for work in works_of({"message": {"items": [RECORD, {}, None]}})] == ["10.1234/abc"]
    for answer in (None, [], {}, {"message": 5}, {"message": {"items": 5}}):
        assert works_of(answer) == []


@settings(deadline=None)
@given(st.text(max_size=200))
def test_plain_text_stays_a_line(text: str) -> None:
    assert "\n" not in plain_markup(text)
