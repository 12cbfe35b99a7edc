from __future__ import annotations

import pytest

from vectree.document import TextStatus
from vectree.ingest.front import body_size, front_rows
from vectree.ingest.parse import ParsedDocument, ParsedPage
from vectree.ingest.titles import agrees, find_title, title_from_name, usable_info_title


def title(parsed, info=""):
    return find_title(front_rows(parsed), body_size(parsed), info)[0]


def test_largest_words_of_the_first_page_are_the_title(document):
    page = [
        "24|Ion transport in glassy",
        "24|polymer electrolytes",
        "12|Ada Lovelace, Alan Turing",
        "Abstract",
    ]
    assert title(document(page)) == "Ion transport in glassy polymer electrolytes"


@pytest.mark.parametrize(
    "banner",
    [
        "28|Journal of Statistical Software",
        "28|International Journal of Hygiene and",
        "26B|RESEARCH ARTICLE",
        "26B|R E S E A R C H A R T I C L E",
        "26|BACHELORARBEIT",
        "26|Universität Mainz",
        "26|www.example-journal.org",
        "26|Contents",
    ],
)
def test_larger_banner_is_not_the_title(document, banner):
    assert title(document([banner, "", "18B|Simulation of the rattleback", "12|Ada Lovelace"])) == (
        "Simulation of the rattleback"
    )


def test_word_broken_at_the_line_end_is_joined(document):
    assert title(document(["20|Superconducting circu|", "20|its at low power"])) == (
        "Superconducting circuits at low power"
    )


def test_title_set_in_several_sizes_is_one(document):
    page = ["20B|The impacts of climate change on", "48B|HUMAN HEALTH", "20B|in the Alps"]
    assert title(document(page)) == "The impacts of climate change on HUMAN HEALTH in the Alps"


def test_subtitle_in_another_font_follows_a_colon(document):
    assert title(document(["28B|Computing Security", "18|Architecture, threat analysis, and posture"])) == (
        "Computing Security: Architecture, threat analysis, and posture"
    )


def test_title_field_chooses_among_blocks_it_agrees_with(document):
    page = ["24|A Special Issue on Glass", "", "", "18|Why glass breaks when it is cold"]
    assert title(document(page), "Why glass breaks when it is cold") == "Why glass breaks when it is cold"


def test_title_field_that_disagrees_with_the_page_is_ignored(document):
    page = ["24|Why glass breaks when it is cold"]
    assert (
        title(document(page), "Proceedings of something else entirely") == "Why glass breaks when it is cold"
    )


def test_printed_title_is_preferred_to_a_shortened_field(document):
    page = ["24|Why glass breaks when it is cold", "24|and how to prevent it"]
    assert title(document(page), "Why glass breaks when it is cold").endswith("how to prevent it")


def test_title_in_the_size_of_the_text_ends_before_the_names(document):
    page = ["12B|Effects of glass on ion transport", "12|Ada Lovelace1 and Alan Turing2", *["12|Words."] * 40]
    assert title(document(page)) == "Effects of glass on ion transport"


def test_journal_right_above_the_title_is_not_part_of_it(document):
    assert title(document(["14|Journal of Power Sources", "14|Ion transport in cold glass"])) == (
        "Ion transport in cold glass"
    )


def test_markdown_document_is_named_by_its_first_heading():
    page = ParsedPage(
        number=1,
        width=0,
        height=0,
        raw="",
        status=TextStatus.TEXT,
        markdown="# Ion transport in **cold** glass\n\nAda Lovelace\n\n## Abstract\n\nWe did it.",
    )
    assert title(ParsedDocument(pages=(page,))) == "Ion transport in cold glass"


def test_label_title_on_a_cover_names_the_row_below(document):
    page = ["14B|Some University Repository", "12B|Title", "11|Glass at low temperature", "12B|Authors"]
    assert title(document(page)) == "Glass at low temperature"


def test_section_heading_is_no_title(document):
    assert title(document(["14B|Contents", "14B|1 First section"])) == ""


@pytest.mark.parametrize(
    "field",
    [
        "untitled",
        "Untitled-1",
        "paper.pdf",
        "Microsoft Word - draft 3",
        "10.1234/abc.def",
        "doi:10.1234/abc",
        "6489122611071476 1..10",
        "Proceedings Template - WORD",
        "main",
        "manuscript",
        "",
        "2019-03-11",
    ],
)
def test_title_field_that_is_no_title(field):
    assert not usable_info_title(field)


def test_titles_that_begin_like_placeholders_are_titles():
    assert usable_info_title("Paper-based sensors for glucose")
    assert usable_info_title("Main group chemistry in water")


def test_agreement_ignores_ligatures_case_and_small_differences():
    assert agrees("Eﬃcient ﬂow through mem-branes", "EFFICIENT FLOW THROUGH MEMBRANES")
    assert not agrees("Phase transitions in sparse graphs", "Ion transport in glass")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a/b/smith_2020.pdf", "smith 2020"),
        ("..\\x\\Study.PDF", "Study"),
        (".pdf", "Untitled"),
        ("", "Untitled"),
    ],
)
def test_file_name_is_the_title_of_last_resort(source, expected):
    assert title_from_name(source) == expected
