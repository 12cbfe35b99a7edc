from __future__ import annotations

import pytest

from vectree.document import DocumentStatus, Metadata, Record
from vectree.ingest.supplements import find_related, is_supplement, undecided

MAIN = Metadata(title="Ion transport in cold glass membranes", authors=("Ada Lovelace",), doi="10.1234/glass")


def record(doc_id, source, metadata=MAIN):
    return Record(
        doc_id=doc_id,
        sha256=doc_id,
        sources=(source,),
        total_pages=3,
        status=DocumentStatus.OK,
        metadata=metadata,
    )


@pytest.mark.parametrize(
    "name",
    [
        "main_si.pdf",
        "main-supp.pdf",
        "smith2020_supplement.pdf",
        "smith supplementary.pdf",
        "41467_2024_MOESM1.pdf",
        "1-s2.0-mmc2.pdf",
        "a/b/paper_supporting_information.pdf",
        "supplementary.pdf",
        "supp-food-web.pdf",
        "pone.0001.s001.pdf",
    ],
)
def test_file_name_tells_a_supplement(document, name):
    assert is_supplement(document(["20|A Title"]), name)


@pytest.mark.parametrize(
    "name", ["main.pdf", "si-semiconductors.pdf", "basis.pdf", "paper_v2.pdf", "ss316.pdf", "mass.pdf"]
)
def test_file_name_tells_a_paper(document, name):
    assert not is_supplement(document(["20|A Title", "Si wafers were cut."]), name)


@pytest.mark.parametrize(
    "first",
    [
        "14B|Supplementary Information",
        "Supporting information for: Ion transport in cold glass",
        "Electronic Supplementary Material",
        "12B|Figure S1. Parameters",
        "Supplementary Materials for",
    ],
)
def test_first_page_tells_a_supplement(document, first):
    assert is_supplement(document([first, "20|Ion transport in cold glass"]), "x.pdf")


def test_paper_that_mentions_its_supplement_is_none(document):
    page = [
        "20|A Title",
        "Supplementary information accompanies this paper at http://example.org and is free.",
    ]
    assert not is_supplement(document(page), "x.pdf")


def test_main_and_supplement_with_one_doi_are_linked_both_ways_C11():
    main, si = record("main", "p/main.pdf"), record("si", "p/main_si.pdf")
    assert find_related(True, MAIN, "p/main_si.pdf", [main]) == ("main",)
    assert find_related(False, MAIN, "p/main.pdf", [si]) == ("si",)


def test_supplement_that_says_so_is_linked_by_its_title_C11():
    stated = Metadata(title="Supplementary Information for: Ion transport in cold glass membranes")
    assert find_related(True, stated, "x/other.pdf", [record("main", "p/main.pdf")]) == ("main",)


def test_supplement_is_linked_by_its_name_within_a_folder_only():
    plain = Metadata(title="Figure S1. Something")
    assert find_related(True, plain, "p/main_si.pdf", [record("main", "p/main.pdf")]) == ("main",)
    assert find_related(True, plain, "q/main_si.pdf", [record("main", "p/main.pdf")]) == ()


def test_twins_that_nothing_tells_apart_stay_and_are_worth_a_warning_C11():
    twin = record("twin", "q/copy.pdf")
    assert find_related(False, MAIN, "p/main.pdf", [twin]) == ("twin",)
    assert undecided(False, MAIN, [twin]) == ("twin",)
    assert undecided(False, MAIN, [record("si", "p/main_si.pdf")]) == ()


def test_papers_that_merely_share_a_title_or_an_author_are_not_linked():
    other = Metadata(title=MAIN.title, authors=("Grace Hopper",), doi="10.1234/other")
    assert find_related(False, MAIN, "p/main.pdf", [record("other", "p/other.pdf", other)]) == ()
    assert find_related(True, MAIN, "p/main_si.pdf", [record("other", "q/other.pdf", other)]) == ()
