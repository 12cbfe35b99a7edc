from __future__ import annotations

import pytest

from vectree.ingest.authors import find_authors, info_authors, looks_like_names, split_names
from vectree.ingest.front import body_size, front_rows
from vectree.ingest.titles import find_title


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Ada Lovelace1,2, Alan M. Turing3,* and Grace Hopper1",
            ("Ada Lovelace", "Alan M. Turing", "Grace Hopper"),
        ),
        ("Natascia Vedovato1 · Maria V. Salguero2 ·", ("Natascia Vedovato", "Maria V. Salguero")),
        ("S.-T. Wang1,2, C. Shen1,3 & L.-M. Duan1,2", ("S.-T. Wang", "C. Shen", "L.-M. Duan")),
        ("Liangming Pan1,2 Xiaobao Wu3 Anh Tuan Luu3", ("Liangming Pan", "Xiaobao Wu", "Anh Tuan Luu")),
        ("Lovelace, A.; Turing, A.M.; de Bie, R.", ("A. Lovelace", "A.M. Turing", "R. de Bie")),
        ("Allen, Greg M", ("Greg M Allen",)),
        ("Jean Goldinga,∗, Joseph R. Hibbelnb, Alan Emonda, Caroline M. Taylor a", None),
        ("Björn D. M. Bean und Elmar Schömer", ("Björn D. M. Bean", "Elmar Schömer")),
        ("Mary J. O’Connell, Yasmin Iles-Caven", ("Mary J. O’Connell", "Yasmin Iles-Caven")),
        ("王小明，李雷", ("王小明", "李雷")),
        ("Ivo H. M. van Stokkum", ("Ivo H. M. van Stokkum",)),
        ("Prof. Dr. Hendrik Ranocha", ("Hendrik Ranocha",)),
        ("G. A. LEBOUR, M.A., F.G.S.,", ("G. A. Lebour",)),
    ],
)
def test_list_of_names_is_split_and_freed_from_marks(text, names):
    expected = names or ("Jean Golding", "Joseph R. Hibbeln", "Alan Emond", "Caroline M. Taylor")
    assert split_names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Department of Physics, University of Michigan, Ann Arbor",
        "Received 9 November 2010; Accepted 25 December 2010",
        "We propose a scheme to realize scalable computation.",
        "john.smith@example.org",
        "School of Public Health, Kumasi, Ghana",
        "",
    ],
)
def test_addresses_and_prose_are_no_names(text):
    assert not looks_like_names(text)


def authors(parsed):
    rows = front_rows(parsed)
    return find_authors(rows, find_title(rows, body_size(parsed), "")[1])


def test_names_between_title_and_addresses(document):
    page = [
        "20B|Glass at low temperature",
        "11|Ada Lovelace1, Alan Turing2,",
        "11|Grace Hopper1",
        "8|1 Department of Glass, University of Somewhere",
        "10B|Abstract",
        "Emmy Noether is thanked.",
    ]
    assert authors(document(page)) == ("Ada Lovelace", "Alan Turing", "Grace Hopper")


def test_name_broken_over_two_rows_is_whole(document):
    page = [
        "20B|Glass at low temperature",
        "11|Ada Lovelace1, Andrea Jokisaari3, Daniel",
        "11|Schwen3, Alan Turing",
    ]
    assert authors(document(page)) == ("Ada Lovelace", "Andrea Jokisaari", "Daniel Schwen", "Alan Turing")


def test_name_below_a_byline_on_a_thesis(document):
    page = [
        "20B|Simulation des Wackelsteines",
        "12|Autor",
        "12|Collin Wittenstein",
        "12|Erstgutachter:",
        "12|Prof. X Y",
    ]
    assert authors(document(page)) == ("Collin Wittenstein",)


def test_numbered_address_is_not_taken_for_a_name(document):
    page = ["20B|Glass at low temperature", "11|Ada Lovelace1, Alan Turing2", "8|1 Glass House, Old Town"]
    assert authors(document(page)) == ("Ada Lovelace", "Alan Turing")


def test_grades_of_membership_are_no_names(document):
    page = ["20B|Glass at low temperature", "11|Ada Lovelace, Member, IEEE, and Alan M. Turing, Fellow, IEEE"]
    assert authors(document(page)) == ("Ada Lovelace", "Alan M. Turing")


def test_one_name_a_row(document):
    page = [
        "20B|Glass at low temperature",
        *(f"14|{name}" for name in ("Ada Lovelace", "Alan Turing", "Grace Hopper")),
    ]
    assert authors(document(page)) == ("Ada Lovelace", "Alan Turing", "Grace Hopper")


def test_three_thousand_authors_are_kept_C36():
    names = [
        f"Anna{chr(97 + n % 26)} Smith{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}" for n in range(3_000)
    ]
    assert len(split_names(", ".join(names))) == 3_000


def test_author_field_of_a_program_or_an_office_is_not_used():
    assert info_authors("End User Computing Division") == ()
    assert info_authors("Nuala E. Tully {et al.}") == ("Nuala E. Tully",)
    assert info_authors("Ada Lovelace; Alan Turing") == ("Ada Lovelace", "Alan Turing")
    assert info_authors("pdfTeX") == ()
