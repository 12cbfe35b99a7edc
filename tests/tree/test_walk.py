from __future__ import annotations

from dataclasses import replace

import pytest

from vectree.tree.build import build_tree
from vectree.tree.walk import deepest_on_page, find_node, map_nodes, path_to, walk


@pytest.fixture
def tree(heading, pages):
    return build_tree(
        [
            heading("1|Intro", 1, begins=True),
            heading("2|Methods", 2, begins=True),
            heading("2.1|Cells", 3, begins=True),
            heading("2.1.1|Media", 4),
            heading("3|Results", 6, offset=900),
        ],
        pages(*["text " * 600] * 7),
    )


def test_walk_is_document_order(tree):
    assert [node.title for node in walk(tree)] == ["Intro", "Methods", "Cells", "Media", "Results"]


def test_walk_of_a_node_is_its_branch(tree):
    assert [node.title for node in walk(tree.nodes[1])] == ["Methods", "Cells", "Media"]


def test_node_is_found_by_id_only(tree):
    assert find_node(tree, "0004").title == "Media"
    assert find_node(tree, "4") is None


def test_path_leads_from_the_top_to_the_node(tree):
    assert [node.title for node in path_to(tree, "0004")] == ["Methods", "Cells", "Media"]
    assert path_to(tree, "9999") == ()


def test_page_belongs_to_the_deepest_section_on_it(tree):
    assert deepest_on_page(tree, 2).title == "Methods"
    assert deepest_on_page(tree, 5).title == "Media"
    assert deepest_on_page(tree, 7).title == "Results"
    assert deepest_on_page(tree, 8) is None


def test_page_shared_by_equals_belongs_to_the_larger_share(heading, pages):
    headings = [heading("|A", 1, begins=True), heading("|B", 2, offset=200), heading("|C", 3, offset=3_300)]
    tree = build_tree(headings, pages(*["text " * 700] * 3))
    assert [deepest_on_page(tree, page).title for page in (1, 2, 3)] == ["A", "B", "B"]


def test_map_keeps_shape_and_changes_every_node(tree):
    changed = map_nodes(tree, lambda node: replace(node, summary=node.title, children=()))
    assert [node.summary for node in walk(changed)] == [node.title for node in walk(tree)]
