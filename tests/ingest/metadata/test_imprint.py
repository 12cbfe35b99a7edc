from __future__ import annotations

import pytest

from vectree.ingest.imprint import find_imprint, sane_year


@pytest.mark.parametrize(
    ("line", "journal", "year", "volume", "pages"),
    [
        ("Nucleic Acids Research, 2024, 52, 4151–4166", "Nucleic Acids Research", 2024, "52", "4151–4166"),
        ("Smithuis et al. Malaria Journal 2013, 12:363", "Malaria Journal", 2013, "12", "363"),
        ("Shi et al. BMC Biology (2024) 22:119", "BMC Biology", 2024, "22", "119"),
        ("Nature Communications | (2024) 15:515", "Nature Communications", 2024, "15", "515"),
        (
            "Journal of Hygiene and Health 220 (2017) 1161–1167",
            "Journal of Hygiene and Health",
            2017,
            "220",
            "1161–1167",
        ),
        ("SCIENtIFIC REPorTS | 7:46523 | DOI: 10.1038/srep46523", "Scientific Reports", None, "7", "46523"),
        ("Diabetologia (2024) 67:940–951", "Diabetologia", 2024, "67", "940–951"),
        ("Ceramics for Energy 4 (2019) article 112 Original", "Ceramics for Energy", 2019, "4", "112"),
        ("G3, 2024, 14(3), jkad293", "G3", 2024, "14", "jkad293"),
        ("Science. 2022 December 16; 378(6625): eaba1624. doi:10.1126/x", "Science", 2022, "378", "eaba1624"),
        (
            "Transactions of the Association for Physics, vol. 12, pp. 484–506, 2024.",
            "Transactions of the Association for Physics",
            2024,
            "12",
            "484–506",
        ),
    ],
)
def test_citation_line_of_the_journal(document, line, journal, year, volume, pages):
    found = find_imprint(document([f"f|{line}", "20|A Title"]))
    assert (found.journal, found.volume, found.pages) == (journal, volume, pages)
    assert found.year == year


@pytest.mark.parametrize(
    ("lines", "year"),
    [
        (["Received 3 May 2016", "Accepted 9 May 2017", "Published 5 June 2018"], 2018),
        (["Received: 7 June 2016", "© 2017 The Authors"], 2017),
        (["Received 9 November 2010; Accepted 25 December 2011"], 2011),
        (["Advance access publication date: 10 February 2024"], 2024),
        (["Abgegeben am 16. Oktober 2023."], 2023),
        (["présentée et soutenue publiquement le 11 mars 2015"], 2015),
        (["January 2007, Volume 18, Issue 3."], 2007),
        (["Received 3 May 2016"], None),
    ],
)
def test_year_of_publication_is_not_the_year_of_receipt(document, lines, year):
    assert find_imprint(document(["20|A Title", *lines])).year == year


def test_year_of_a_cited_work_is_not_taken(document):
    assert (
        find_imprint(document(["20|A Title", "as shown before (Smith et al., 1999; Jones 2003)."])).year
        is None
    )


def test_when_the_file_was_made_is_not_when_the_work_appeared(document):
    found = find_imprint(document(["20|A Title"], info={"creation_date": "D:20190912151456"}))
    assert found.year is None


def test_a_date_that_the_file_states_counts_before_years_on_the_page(document):
    info = {"date": "2021/03/04", "creation_date": "D:20240101"}
    found = find_imprint(document(["20|A Title", "Copyright 2022 The Authors."], info=info))
    assert (found.year, found.year_source) == (2021, "file")


def test_subject_field_of_publishers_names_the_journal(document):
    info = {"subject": "Diabetologia, https://doi.org/10.1007/s00125"}
    assert find_imprint(document(["20|A Title"], info=info)).journal == "Diabetologia"


def test_subject_field_with_a_sentence_is_no_journal(document):
    info = {"subject": "This study evaluated the impact of videos on students."}
    assert find_imprint(document(["20|A Title"], info=info)).journal is None


@pytest.mark.parametrize("text", ["1066", "2999", "abcd", "", None, "²⁰²⁰"])
def test_absurd_years_are_refused(text):
    assert sane_year(text) is None
