from __future__ import annotations

from dataclasses import replace

import pytest

from vectree.tree.build import build_tree
from vectree.tree.split import SplitBounds, split_oversize
from vectree.tree.walk import walk

LONG = "word " * 1_700  # 2,125 tokens


@pytest.fixture
def with_long_preamble(heading, pages):
    """Section 3 has a preamble of twelve pages and then four subsections (C05 a)."""
    headings = [heading("1|Intro", 1, begins=True), heading("2|Theory", 2, begins=True)]
    headings.append(heading("3|Results", 3, begins=True, offset=0))
    headings += [heading(f"3.{n}|Part {n}", 14 + n, begins=True, offset=0) for n in (1, 2, 3, 4)]
    stored = pages(*[LONG] * 19)
    return build_tree(headings, stored), stored


def test_known_children_are_kept_when_a_preamble_is_split_C05(with_long_preamble, heading):
    tree, stored = with_long_preamble
    before = {node.printed: str(node.pages) for node in tree.nodes[2].children}
    found = [heading("|Early", 6, begins=True, offset=0), heading("|Late", 11, begins=True, offset=0)]
    outcome = split_oversize(tree, stored, lambda _: found)
    results = outcome.tree.nodes[2]
    assert [node.title for node in results.children] == [
        "Early",
        "Late",
        "Part 1",
        "Part 2",
        "Part 3",
        "Part 4",
    ]
    assert {node.printed: str(node.pages) for node in results.children if node.number} == before
    assert (str(results.pages), outcome.oversize) == ("3-5", ())


def test_new_sections_that_are_oversize_are_split_again_C05(heading, pages):
    stored = pages(*[LONG] * 40)
    tree = build_tree([heading("1|All", 1, begins=True, offset=0)], stored)

    def halves(own):
        middle = (own.first + own.last) // 2
        return [heading(f"|From {middle}", middle, begins=True, offset=0)]

    outcome = split_oversize(tree, stored, halves)
    assert outcome.oversize == ()
    assert max(len(node.pages) for node in walk(outcome.tree)) <= 10


def test_section_that_cannot_be_split_is_kept_and_marked_after_few_calls_C05(heading, pages):
    stored = pages(*["word " * 2_700] * 30)
    own = heading("1|All", 1, begins=True, offset=0)
    calls = []

    def same_again(pages_asked):
        calls.append(pages_asked)
        return [own]

    outcome = split_oversize(build_tree([own], stored), stored, same_again)
    assert len(calls) == 1
    assert outcome.oversize == ("0001",)
    assert outcome.tree.nodes[0].oversize
    assert str(outcome.tree.nodes[0].pages) == "1-30"


def test_finder_that_always_finds_one_more_is_stopped(heading, pages):
    stored = pages(*["word " * 9_000] * 60)
    tree = build_tree([heading("1|All", 1, begins=True, offset=0)], stored)
    calls = []

    def one_more(own):
        calls.append(own)
        return [heading(f"|After {own.first}", own.first + 1, offset=0)]

    outcome = split_oversize(tree, stored, one_more)
    assert len(calls) <= SplitBounds().rounds
    assert outcome.oversize


@pytest.mark.parametrize(
    ("tokens_per_page", "count", "oversize"),
    [(2_223, 9, False), (1_900, 11, True), (1_800, 11, False), (2_000, 10, False)],
)
def test_both_bounds_must_be_exceeded_C05(heading, pages, tokens_per_page, count, oversize):
    stored = pages(*["abcd" * tokens_per_page] * count)
    outcome = split_oversize(build_tree([heading("1|All", 1, offset=0)], stored), stored)
    assert bool(outcome.oversize) is oversize


def test_headings_outside_the_section_are_ignored(with_long_preamble, heading):
    tree, stored = with_long_preamble
    outside = [
        heading("|Before", 1, offset=5),
        heading("|Behind", 17, offset=5),
        heading("|Results", 3, offset=0),
    ]
    outcome = split_oversize(tree, stored, lambda _: outside)
    assert outcome.added == ()
    assert outcome.oversize == ("0003",)


def test_every_page_still_belongs_to_a_node(with_long_preamble, heading):
    tree, stored = with_long_preamble
    outcome = split_oversize(tree, stored, lambda own: [heading("|New", own.first + 4, offset=10)])
    covered = {page for node in walk(outcome.tree) for page in node.pages}
    assert covered == set(range(1, 20))


def test_tree_within_the_bounds_is_left_alone_without_asking(heading, pages):
    stored = pages("short", "text")
    tree = build_tree([heading("1|A", 1, offset=0)], stored)

    def never(_):
        raise AssertionError("nothing is oversize")

    assert split_oversize(tree, stored, never).tree == tree


def test_bounds_can_be_lowered(heading, pages):
    stored = pages(*["word " * 100] * 4)
    tree = build_tree([heading("1|A", 1, offset=0)], stored)
    outcome = split_oversize(
        tree,
        stored,
        lambda _: [replace(heading("|B", 3, offset=0), begins_page=True)],
        SplitBounds(tokens=50, pages=2),
    )
    assert [(node.title, str(node.pages)) for node in walk(outcome.tree)] == [("A", "1-2"), ("B", "3-4")]
