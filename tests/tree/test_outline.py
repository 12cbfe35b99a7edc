from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.document import SummarySource
from vectree.errors import UnknownNode
from vectree.tokens import count_tokens
from vectree.tree.build import build_tree
from vectree.tree.outline import SKELETON_TOKENS, clip, outline_json, outline_text
from vectree.tree.walk import map_nodes, walk


def with_summaries(tree, text):
    return map_nodes(tree, lambda node: replace(node, summary=text, summary_source=SummarySource.EXTRACTIVE))


@pytest.fixture
def typical(heading, pages):
    """Twenty-four sections on twelve pages, as a journal article has."""
    headings = []
    for number in range(1, 7):
        headings.append(heading(f"{number}|Section with a title", 2 * number - 1, begins=True))
        headings += [heading(f"{number}.{sub}|A subsection of it", 2 * number) for sub in (1, 2, 3)]
    return with_summaries(build_tree(headings, pages(*["text"] * 12)), "The membranes kept 4 S/cm. " * 20)


def test_json_has_the_documented_shape(typical):
    first = outline_json(typical)[0]
    assert set(first) == {"id", "title", "pages", "summary", "children"}
    assert (first["id"], first["title"], first["pages"]) == ("0001", "1 Section with a title", [1, 2])
    assert json.loads(json.dumps(outline_json(typical))) == outline_json(typical)


def test_json_of_a_branch_and_with_clipped_summaries(typical):
    branch = outline_json(typical, node_id="0005", summary_characters=30)
    assert [node["id"] for node in branch] == ["0005"]
    assert all(len(child["summary"]) <= 30 for child in branch[0]["children"])


def test_text_of_a_typical_paper_fits_the_papers_estimate(typical):
    text = outline_text(typical)
    assert 200 <= count_tokens(text) <= 500
    assert all(f"{node.id} {node.printed} p.{node.covering}" in text for node in walk(typical))


def test_every_id_title_and_range_stays_when_the_budget_is_too_small(typical):
    text = outline_text(typical, tokens=1)
    assert all(f"{node.id} {node.printed} p.{node.covering}" in text for node in walk(typical))
    assert "membranes" not in text


def test_branch_has_the_way_to_it_and_its_whole_summary(typical):
    text = outline_text(typical, node_id="0006")
    assert text.startswith("0005 2 Section with a title p.3-4 > 0006 2.1 A subsection of it p.4\n")
    assert typical.nodes[1].children[0].summary in text


def test_unknown_node_is_an_error_that_shows_the_ids(typical):
    with pytest.raises(UnknownNode, match=r"'0001' to '0024'"):
        outline_text(typical, node_id="0099")


def test_very_large_tree_is_shown_to_the_depth_that_fits(heading, pages):
    headings = []
    for number in range(1, 101):
        headings.append(heading(f"{number}|Chapter", number))
        headings += [heading(f"{number}.{sub}|A paragraph of law", number) for sub in range(1, 20)]
    tree = build_tree(headings, pages(*["text"] * 100))
    text = outline_text(tree)
    assert count_tokens(text) <= SKELETON_TOKENS
    assert "0001 1 Chapter p.1-2 (+19 below)" in text
    assert "paragraph of law" in outline_text(tree, node_id="0001")


def test_tree_with_thousands_of_top_level_sections_is_bounded(heading, pages):
    tree = build_tree([heading(f"|Section {n}", 1) for n in range(5_000)], pages("text"))
    text = outline_text(tree)
    assert count_tokens(text) <= SKELETON_TOKENS + 20
    assert "more sections" in text.splitlines()[-1]


@given(st.text(max_size=200), st.integers(1, 80))
def test_clip_keeps_the_bound_and_only_removes(text, characters):
    clipped = clip(text, characters)
    line = " ".join(text.split())
    assert len(clipped) <= characters
    assert clipped == line or line.startswith(clipped.removesuffix("…").rstrip())
