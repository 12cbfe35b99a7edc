from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.document import Heading, HeadingSource, Page, PageRange, TextStatus
from vectree.tree.build import build_tree
from vectree.tree.flat import assemble, flatten
from vectree.tree.slices import section_pieces
from vectree.tree.walk import walk


def ranges(tree):
    return {node.title: str(node.pages) for node in walk(tree)}


def test_own_range_ends_where_the_next_heading_in_document_order_starts(heading, pages):
    tree = build_tree(
        [
            heading("1|Intro", 1),
            heading("2|Methods", 3),
            heading("2.1|Cells", 4, begins=True),
            heading("3|Results", 6),
        ],
        pages(*["text"] * 8),
    )
    assert ranges(tree) == {"Intro": "1-3", "Methods": "3", "Cells": "4-6", "Results": "6-8"}


def test_covering_range_holds_the_children_and_the_own_range_does_not(heading, pages):
    tree = build_tree([heading("1|A", 1), heading("1.1|B", 2, begins=True)], pages(*["text"] * 5))
    assert tree.nodes[0].pages == PageRange(first=1, last=1)
    assert tree.nodes[0].covering == PageRange(first=1, last=5)


def test_several_headings_on_one_page_each_keep_that_page(heading, pages):
    tree = build_tree(
        [heading("|A", 2, begins=True), heading("|B", 2), heading("|C", 2)], pages("x", "y", "z")
    )
    assert [str(node.pages) for node in tree.nodes] == ["1", "2", "2", "2-3"]


def test_pages_before_the_first_heading_become_front_matter(heading, pages):
    tree = build_tree([heading("1|Intro", 3, begins=True)], pages(*["text"] * 4))
    front = tree.nodes[0]
    assert (front.title, str(front.pages), front.synthetic) == ("Front matter", "1-2", True)
    assert front.source is HeadingSource.SYNTHETIC


def test_title_block_on_the_first_page_is_no_section_of_its_own(heading, pages):
    text = "A title\n\nSome Authors\n\n# Abstract\n\nWe did it."
    tree = build_tree([heading("|Abstract", 1, offset=text.index("# Abs"))], pages(text))
    assert [node.title for node in tree.nodes] == ["Abstract"]


def test_running_text_above_the_first_heading_is_front_matter(heading, pages):
    text = "It was a long story. " * 200 + "\n\n# References\n\nSmith 2001."
    tree = build_tree([heading("|References", 1, offset=text.index("# Ref"))], pages(text))
    assert [node.title for node in tree.nodes] == ["Front matter", "References"]


def test_document_without_headings_is_one_synthetic_section(pages):
    tree = build_tree([], pages("a", "", "c"))
    assert [(node.title, str(node.pages), node.synthetic) for node in tree.nodes] == [
        ("Document", "1-3", True)
    ]


def test_long_document_without_headings_becomes_page_groups(pages):
    tree = build_tree([], pages(*["word " * 800] * 25))
    assert [node.title for node in tree.nodes] == ["Pages 1-10", "Pages 11-20", "Pages 21-25"]
    assert all(node.synthetic for node in tree.nodes)


def test_page_groups_stay_within_the_token_bound(pages):
    tree = build_tree([], pages(*["word " * 6_000] * 11))
    assert [len(node.pages) for node in tree.nodes] == [2, 2, 2, 2, 2, 1]


def test_scan_of_many_pages_is_one_section(pages):
    assert len(build_tree([], pages(*[""] * 40)).nodes) == 1


def test_headings_are_put_in_document_order(heading, pages):
    tree = build_tree(
        [heading("|C", 3), heading("|B", 2, offset=40), heading("|A", 2, offset=5)], pages("", "", "")
    )
    assert [node.title for node in walk(tree)] == ["Front matter", "A", "B", "C"]


def test_heading_on_a_page_that_does_not_exist_is_refused(heading, pages):
    with pytest.raises(ValueError, match=r"page 9.*1-2"):
        build_tree([heading("|A", 9)], pages("a", "b"))


def test_same_titles_at_several_places_are_nodes_of_their_own_C06(heading, pages):
    """Field case C06: look-up by title must not be needed to tell them apart."""
    lines = [
        heading("|Study 1", 1, begins=True),
        heading("|Methods", 1, level=2),
        heading("|Results", 2, level=2, begins=True),
        heading("|Study 2", 3, begins=True),
        heading("|Methods", 3, level=2),
        heading("|Results", 4, level=2, begins=True),
        heading("|Methods", 5, begins=True),
    ]
    tree = build_tree(lines, pages(*["text"] * 6))
    nodes = list(walk(tree))
    assert [node.id for node in nodes] == ["0001", "0002", "0003", "0004", "0005", "0006", "0007"]
    assert str(tree.nodes[1].children[1].pages) == "4"
    assert build_tree(lines, pages(*["text"] * 6)) == tree


def test_starts_out_of_order_are_sorted_and_ranges_stay_valid_C07(heading, pages):
    """Field case C07: starts 1, 3, 2 in a document."""
    tree = build_tree([heading("|A", 1), heading("|B", 3), heading("|C", 2)], pages(*["text"] * 4))
    assert [(node.title, str(node.pages)) for node in tree.nodes] == [
        ("A", "1-2"),
        ("C", "2-3"),
        ("B", "3-4"),
    ]


@st.composite
def documents(draw):
    total = draw(st.integers(1, 12))
    texts = draw(st.lists(st.text("ab \n", max_size=60), min_size=total, max_size=total))
    headings = []
    for page in sorted(draw(st.lists(st.integers(1, total), max_size=15))):
        offset = draw(st.none() | st.integers(0, len(texts[page - 1])))
        headings.append(
            Heading(
                number=draw(st.sampled_from(["", "1", "1.1", "2", "2.1", "A", "IV"])),
                title=draw(st.sampled_from(["Methods", "Results", "a b", "é"])),
                page=page,
                level=draw(st.integers(1, 4)),
                source=HeadingSource.LAYOUT,
                begins_page=draw(st.booleans()),
                offset=offset,
            )
        )
    pages = [
        Page(number=number, raw=text, text=text, status=TextStatus.TEXT)
        for number, text in enumerate(texts, 1)
    ]
    return headings, pages


@settings(max_examples=60, deadline=None)
@given(documents())
def test_every_heading_becomes_a_node_in_order(document):
    headings, pages = document
    authored = [node for node in walk(build_tree(headings, pages)) if not node.synthetic]
    assert sorted((node.number, node.title, node.pages.first) for node in authored) == sorted(
        (heading.number, heading.title, heading.page) for heading in headings
    )
    assert [node.pages.first for node in authored] == sorted(heading.page for heading in headings)


@settings(max_examples=60, deadline=None)
@given(documents())
def test_ids_are_unique_zero_padded_and_depth_first(document):
    ids = [node.id for node in walk(build_tree(*document))]
    assert ids == [f"{place:04d}" for place in range(1, len(ids) + 1)]


@settings(max_examples=60, deadline=None)
@given(documents())
def test_ranges_are_valid_and_cover_every_page(document):
    headings, pages = document
    tree = build_tree(headings, pages)
    covered = {page for node in walk(tree) for page in node.pages}
    assert covered == {page.number for page in pages}
    assert all(1 <= node.pages.first <= node.pages.last <= len(pages) for node in walk(tree))


@settings(max_examples=60, deadline=None)
@given(documents())
def test_slices_partition_the_text(document):
    headings, pages = document
    pieces = section_pieces(build_tree(headings, pages), pages)
    by_page = {page.number: "" for page in pages}
    for of_node in pieces.values():
        for piece in of_node:
            by_page[piece.page] += piece.text
    assert by_page == {page.number: page.text for page in pages}


@settings(max_examples=60, deadline=None)
@given(documents())
def test_flat_list_gives_the_same_tree_again(document):
    tree = build_tree(*document)
    assert assemble(flatten(tree), tree.total_pages) == tree
