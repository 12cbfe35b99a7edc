from __future__ import annotations

import pytest

from vectree.ingest.doi import find_dois, own_doi


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("(see 10.1234/abc.)", "10.1234/abc"),
        ("10.1234/ab(c)d(EF)", "10.1234/ab(c)d(ef)"),
        ("10.1234/ab(c).", "10.1234/ab(c)"),
        ("https://doi.org/10.1234/ABC", "10.1234/abc"),
        ("10.1234/abc%28x%29", "10.1234/abc(x)"),
        ("10.1234/abc-\ndef", "10.1234/abc-def"),
        ("10.1234/\nabc", "10.1234/abc"),
        ("10.1234/abc/\r\ndef next", "10.1234/abc/def"),
        (
            "10.1002/(SICI)1097-4636(199823)43:3<338::AID-JBM16>3.0.CO;2-B is old",
            "10.1002/(sici)1097-4636(199823)43:3<338::aid-jbm16>3.0.co;2-b",
        ),
        ("10.1234/abc/ and more", "10.1234/abc/"),
    ],
)
def test_doi_is_cut_where_it_ends_C08(text, doi):
    assert find_dois(text) == [doi]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<10.1234/abc>", ["10.1234/abc"]),
        ("doi:10.1234/abc, 10.1234/def;", ["10.1234/abc", "10.1234/def"]),
        ("10.1234/abc.\nThe next sentence", ["10.1234/abc"]),
        ("10.1234/abc.full.pdf", ["10.1234/abc"]),
        ("/article-pdf/doi/10.1234/abc_d/2369509/abc_d.pdf", ["10.1234/abc_d"]),
        ("version 10.1234 of 3.10.1234/x", []),
        ("10.1234/", []),
    ],
)
def test_what_stands_beside_a_doi_is_not_part_of_it(text, found):
    assert find_dois(text) == found


def test_long_hostile_text_is_read_in_linear_time():
    assert find_dois("10.1234/" + "(" * 100_000) == []
    assert find_dois("10.12345/abc/\n" * 5_000)


def test_own_doi_comes_from_the_files_fields_first(document):
    parsed = document(["doi:10.9999/other"], info={"subject": "Some Journal, doi:10.1234/own"})
    assert own_doi(parsed) == ("10.1234/own", "file")


def test_doi_in_the_running_foot_wins_over_one_above_it_C08(document):
    parsed = document(["This reply concerns work found at 10.9999/other", "Text", "f|doi:10.1234/own"])
    assert own_doi(parsed) == ("10.1234/own", "rules")


def test_doi_of_another_work_on_page_1_does_not_win_C08(document):
    parsed = document(
        ["Correction to: https://doi.org/10.9999/other", "Title", "https://doi.org/10.1234/own"]
    )
    assert own_doi(parsed) == ("10.1234/own", "rules")


def test_dois_of_a_reference_list_are_never_the_documents_own_C08(document):
    references = ["References", *(f"[{n}] A. Author, 2001. doi:10.1234/ref{n}" for n in range(30))]
    assert own_doi(document(["A Title", "Some text."], references)) is None


def test_doi_broken_over_two_lines_is_joined(document):
    assert own_doi(document(["A Title", "https://doi.org/10.1234/abc-|", "def.1"])) == (
        "10.1234/abc-def.1",
        "rules",
    )


def test_doi_beside_cite_this_article_at_the_very_end_counts(document):
    last = [
        "[9] doi:10.9999/ref",
        "doi:10.1234/own",
        "Cite this article as: Smith et al.: A title. J 2013 12:3.",
    ]
    assert own_doi(document(["A Title"], ["Body"], ["Body"], last)) == ("10.1234/own", "rules")
