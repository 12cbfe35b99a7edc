from __future__ import annotations

import re

import pytest

from vectree.ingest.bibliography import find_bibliography


def test_every_field_names_its_origin(document):
    page = [
        "f|Glass Journal, 2024, 52, 41–46",
        "f|https://doi.org/10.1234/glass.1",
        "20B|Glass at low temperature",
        "11|Ada Lovelace1, Alan Turing2",
        "8|1 University of Somewhere",
    ]
    found = find_bibliography(document(page), "x.pdf")
    assert (found.title, found.authors) == ("Glass at low temperature", ("Ada Lovelace", "Alan Turing"))
    assert (found.journal, found.year, found.volume, found.article_pages) == (
        "Glass Journal",
        2024,
        "52",
        "41–46",
    )
    assert found.doi == "10.1234/glass.1"
    assert set(found.provenance.values()) == {"rules"}
    assert set(found.provenance) == {"title", "authors", "year", "journal", "volume", "article_pages", "doi"}


def test_document_without_text_is_called_by_its_file_name(document):
    found = find_bibliography(document(), "scan_17.pdf")
    assert (found.title, found.provenance) == ("scan 17", {"title": "file name"})


def test_authors_are_looked_for_behind_a_cover(document):
    cover = ["24|Malaria in children of an area", "24|of unstable transmission", "15|Smithuis et al."]
    inside = [*cover[:2], "11|Frank M Smithuis1, Moe Kyaw Kyaw2", "8|1 University of Somewhere"]
    assert find_bibliography(document(cover, inside), "x.pdf").authors == (
        "Frank M Smithuis",
        "Moe Kyaw Kyaw",
    )


def test_longer_author_field_completes_a_list_cut_by_et_al(document):
    page = [
        "12B|Title",
        "11|Glass at low temperature",
        "12B|Authors",
        "11|Lovelace, Ada",
        "11|Turing, Alan",
        "11|et al.",
    ]
    info = {"author": "Ada Lovelace, Alan Turing, Grace Hopper, Emmy Noether"}
    found = find_bibliography(document(page, info=info), "x.pdf")
    assert found.authors == ("Ada Lovelace", "Alan Turing", "Grace Hopper", "Emmy Noether")
    assert found.provenance["authors"] == "file"


def test_supplement_of_a_paper_carries_its_label_in_the_title(document):
    page = [
        "12|Supplementary Information for:",
        "18B|Glass at low temperature",
        "11|Ada Lovelace, Alan Turing",
    ]
    found = find_bibliography(document(page), "x.pdf")
    assert found.title == "Supplementary Information for: Glass at low temperature"
    assert found.authors == ("Ada Lovelace", "Alan Turing")


# Read off page 1 of each file: first author's surname, year (None: none printed), a piece of the title, DOI.
REAL = {
    "aps-micromotion": ("Wang", 2015, "Micromotion in a Planar Ion Crystal", "10.1038/srep08555"),
    "hindawi-rehab": ("Tully", 2010, "Structured Heart Failure Programmes", "10.1155/2010/157939"),
    "ice-golding-2017": ("Golding", 2017, "A British prebirth cohort study", "10.1016/j.ijheh.2017.07.004"),
    "ice-snippe-2017": ("Snippe", 2017, "Two Randomized Controlled Trials", "10.1038/srep46523"),
    "litqa2-10-1126-science-aba1624": (
        "Allen",
        2022,
        "Synthetic cytokine circuits",
        "10.1126/science.aba1624",
    ),
}


@pytest.mark.parametrize("name", sorted(REAL))
def test_real_first_page(shared_data, tmp_path, name):
    from vectree.ingest.parsers.pdfium.parser import PdfiumParser

    parsed = PdfiumParser(isolated=False).parse(shared_data / "pdfs" / f"{name}.pdf", figures=tmp_path)
    found = find_bibliography(parsed, f"{name}.pdf")
    surname, year, piece, doi = REAL[name]
    assert re.search(rf"\b{surname}\b", found.authors[0])
    assert piece in found.title
    assert (found.year, found.doi) == (year, doi)
