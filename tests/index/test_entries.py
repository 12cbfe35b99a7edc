from dataclasses import replace

import pytest

from vectree.document import Node, PageRange
from vectree.errors import UsageError
from vectree.index.entries import (
    DOCUMENT_ENTRY,
    MAX_AUTHORS,
    Template,
    has_entry,
    make_entries,
    parse_template,
)
from vectree.testing.entries import make_paper

AUTHORS = tuple(f"Author{i:04d} Lee" for i in range(3_000))


def paper(**metadata):
    return make_paper(
        "lee2021-aaaa",
        title="Garnet electrolytes",
        description="Garnets conduct.",
        sections={
            "Introduction": "Batteries burn.",
            "Results": "It conducts.",
            "References": "Goodenough 1980",
        },
        **metadata,
    )


def node(title, **fields):
    return Node(id="0001", number="", title=title, pages=PageRange(first=1, last=1), **fields)


def test_one_entry_for_the_document_and_one_for_each_section():
    entries = make_entries(*paper())
    assert [entry.node_id for entry in entries] == [DOCUMENT_ENTRY, "0001", "0002"]
    assert entries[1].text == "Introduction\nBatteries burn."
    assert entries[1].title == "1 Introduction"


def test_the_title_first_template_puts_authors_last():
    text = make_entries(*paper(authors=("J. Lee",), journal="Nature", keywords=("garnet",)))[0].text
    assert text.splitlines() == [
        "Garnet electrolytes",
        "Garnets conduct.",
        "Introduction; Results; References",
        "Nature",
        "garnet",
        "J. Lee",
    ]


def test_c36_thousands_of_authors_do_not_bury_the_title():
    entries = make_entries(*paper(authors=AUTHORS))
    assert entries[0].text.startswith("Garnet electrolytes\nGarnets conduct.\nIntroduction")
    assert entries[0].text.count("Lee") == MAX_AUTHORS


@pytest.mark.parametrize(
    "title",
    [
        "References",
        "REFERENCES AND NOTES",
        "Acknowledgements",
        "Acknowledgment",
        "Competing interests",
        "Funding",
    ],
)
def test_lists_and_statements_of_no_content_have_no_entry(title):
    assert not has_entry(node(title, summary="text"))


@pytest.mark.parametrize("title", ["Reference electrodes", "Funding of science in Ghana", "Results", ""])
def test_sections_of_content_have_an_entry(title):
    assert has_entry(node(title))


def test_a_synthetic_node_is_indexed_by_its_text_alone():
    front = node("Front matter", synthetic=True, summary="Garnets conduct ions.")
    record, tree = paper()
    entries = make_entries(record, replace(tree, nodes=(front,)))
    assert entries[1].text == "Garnets conduct ions."
    assert "Front matter" not in entries[0].text
    assert not has_entry(replace(front, summary=" "))


def test_a_section_is_described_by_its_subsections_too():
    record, tree = paper()
    child = replace(
        node("Ionic conductivity", summary="It " + "rises " * 100), children=(node("Above 80 °C"),)
    )
    tree = replace(tree, nodes=(replace(node("Results"), children=(child,)),))
    lines = make_entries(record, tree)[1].text.splitlines()
    assert lines == ["Results", "Ionic conductivity It " + "rises " * 38 + "rises", "Above 80 °C"]


def test_the_papers_template_has_every_section_by_title_and_summary_alone():
    record, tree = paper(authors=("J. Lee",), journal="Nature")
    results = replace(tree.nodes[1], children=(node("Ionic conductivity", summary="It rises."),))
    entries = make_entries(
        record, replace(tree, nodes=(tree.nodes[0], results, tree.nodes[2])), Template.PAPER
    )
    assert entries[0].text.splitlines() == [
        "Garnet electrolytes",
        "Garnets conduct.",
        "J. Lee",
        "Nature",
        "Introduction; Results; References",
    ]
    assert [entry.text for entry in entries[1:]] == [
        "Introduction\nBatteries burn.",
        "Results\nIt conducts.",
        "References\nGoodenough 1980",
    ]


def test_a_section_of_statements_that_holds_the_paper_by_mistake_is_indexed():
    misnested = replace(node("Abbreviations"), children=(node("Introduction", summary="Garnets conduct."),))
    assert has_entry(misnested)
    assert not has_entry(node("Abbreviations"))


def test_a_hostile_depth_of_sections_does_not_overflow_the_stack():
    deep = node("level")
    for _ in range(300):
        deep = replace(node("level"), children=(deep,))
    record, tree = paper()
    assert make_entries(record, replace(tree, nodes=(deep,)))[1].text.count("level") == 41


def test_the_template_is_found_by_name_or_refused():
    assert parse_template("paper") is Template.PAPER
    with pytest.raises(UsageError, match="'title-first'"):
        parse_template("latex")


@pytest.mark.parametrize("form", [Template.PAPER, Template.TITLE_FIRST])
def test_deeper_templates_give_sub_sections_entries_of_their_own(form):
    record, tree = make_paper("deep", sections={"Results": "What was found."})
    leaf = replace(tree.nodes[0], id="0003", title="Leaf", summary="A leaf.")
    branch = replace(tree.nodes[0], id="0002", title="Branch", summary="A branch.", children=(leaf,))
    deep = replace(tree, nodes=(replace(tree.nodes[0], children=(branch,)),))
    entries = {
        depth: [e.node_id for e in make_entries(record, deep, form.at_depth(depth))] for depth in (1, 2, 3)
    }
    assert entries[1] == ["document", "0001"]
    assert entries[2] == ["document", "0001", "0002"]
    assert entries[3] == ["document", "0001", "0002", "0003"]


def test_a_template_keeps_its_form_at_every_depth():
    for template in Template:
        assert template.at_depth(template.depth) is template
        assert template.at_depth(1).follows_paper is template.follows_paper
