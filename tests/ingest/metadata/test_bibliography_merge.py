from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.document import Metadata
from vectree.ingest.bibliography_merge import CROSSREF, FIELDS, MODEL, merge_fields, same, valid

ORIGINS = ("rules", MODEL, "file", "file name")
GUESSES = ("file name",)


def known(origin: str = "rules", **fields) -> Metadata:
    fields.setdefault("title", "On glass")
    return Metadata(**fields, provenance={**dict.fromkeys(fields, origin)})


@pytest.mark.parametrize("origin", ORIGINS)
def test_crossref_wins_over_everything_for_what_a_journal_decides(origin: str) -> None:
    merged = merge_fields(
        known(origin, year=2018, journal="J. Gl."), {"year": 2019, "journal": "Journal of Glass"}, CROSSREF
    )
    assert (merged.year, merged.journal) == (2019, "Journal of Glass")
    assert merged.provenance["year"] == merged.provenance["journal"] == CROSSREF
    expected = {} if origin in GUESSES else {"year": f"{origin}: 2018", "journal": f"{origin}: J. Gl."}
    assert merged.conflicts == expected


@pytest.mark.parametrize(
    ("origin", "wins"),
    [("rules", False), (MODEL, False), ("file", True), ("file name", True)],
)
def test_a_model_wins_only_over_what_the_file_claims(origin: str, wins: bool) -> None:
    merged = merge_fields(known(origin, year=2018), {"year": 2019}, MODEL)
    assert merged.year == (2019 if wins else 2018)
    assert bool(merged.conflicts) == (origin not in GUESSES)


def test_a_printed_title_or_doi_stays_and_the_other_is_told() -> None:
    printed = known("rules", title="On glass", doi="10.1234/a")
    merged = merge_fields(printed, {"title": "On cold glass", "doi": "10.1234/b"}, CROSSREF)
    assert (merged.title, merged.doi) == ("On glass", "10.1234/a")
    assert merged.conflicts == {"title": "crossref: On cold glass", "doi": "crossref: 10.1234/b"}


def test_an_empty_field_is_filled() -> None:
    merged = merge_fields(
        known(), {"volume": "12", "article_pages": "301-317", "doi": "https://doi.org/10.1234/ABC"}, MODEL
    )
    assert (merged.volume, merged.article_pages, merged.doi) == ("12", "301-317", "10.1234/abc")
    assert merged.provenance["volume"] == MODEL


@pytest.mark.parametrize(
    ("field", "one", "other", "alike"),
    [
        ("title", "On Glass: a study", "On glass — a Study", True),
        ("title", "On glass", "On cold glass", False),
        ("article_pages", "301–317", "301-317", True),
        ("article_pages", "301", "301-317", True),
        ("article_pages", "e301", "301", False),
        ("volume", "12", "12(3)", True),
        ("authors", ("A. Lovelace",), ("Ada Lovelace", "Alan Turing"), True),
        ("authors", ("Ada Lovelace",), ("Marie Curie",), False),
        ("authors", ("Kurt Gödel",), ("Kurt Godel",), True),
        ("year", 2019, 2020, False),
    ],
)
def test_spelling_is_no_conflict(field: str, one, other, alike: bool) -> None:
    assert same(field, one, other) is alike


def test_the_longer_list_of_the_same_people_is_taken_from_crossref() -> None:
    merged = merge_fields(
        known(authors=("A. Lovelace",)), {"authors": ["Ada Lovelace", "Alan Turing"]}, CROSSREF
    )
    assert (merged.authors, merged.conflicts) == (("Ada Lovelace", "Alan Turing"), {})


def test_agreement_settles_an_earlier_conflict() -> None:
    disputed = merge_fields(known(year=2018), {"year": 2019}, MODEL)
    assert disputed.conflicts == {"year": "model: 2019"}
    assert merge_fields(disputed, {"year": 2018}, CROSSREF).conflicts == {}


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("year", 12), ("year", "soon"), ("year", True), ("year", 2019.5), ("doi", "12345"), ("doi", "10.1/x"),
        ("volume", "x" * 40), ("volume", "12; drop"), ("article_pages", "n/a"), ("title", "  "),
        ("title", "x" * 600), ("authors", "Ada Lovelace"), ("authors", [None, "", "1"]), ("journal", ["J"]),
    ],
)  # fmt: skip
def test_what_has_not_the_form_of_the_field_is_passed_over(field: str, bad: object) -> None:
    assert valid(field, bad) is None
    assert merge_fields(known(), {field: bad}, CROSSREF) == known()


VALUE = st.one_of(
    st.none(), st.integers(), st.text(max_size=30), st.lists(st.text(max_size=10), max_size=3), st.booleans()
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from([*FIELDS, "other"]), VALUE), st.sampled_from([MODEL, CROSSREF]))
def test_whatever_a_source_says_every_value_has_an_origin(values: dict, source: str) -> None:
    merged = merge_fields(known(), values, source)
    assert merged.title
    assert all(merged.provenance.get(name) for name in FIELDS if getattr(merged, name))
    assert merge_fields(merged, values, source) == merged
