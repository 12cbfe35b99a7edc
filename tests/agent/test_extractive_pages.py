"""Which pages the extractive model opens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.agent.extractive.pages import CLOSE_PERCENT, MAX_PAGES, close_pages, rank_pages
from vectree.agent.payloads.section_hits import FoundSection
from vectree.document import PageRange


def section(
    first: int,
    last: int,
    likely: tuple[int, ...] = (),
    percent: tuple[int, ...] = (),
    path: str = "Results",
) -> FoundSection:
    pages = PageRange(first=first, last=last)
    return FoundSection(node_id="1", pages=pages, likely=likely, percent=percent, path=path)


def test_the_best_pages_come_first_whatever_section_they_stand_in() -> None:
    sections = [section(3, 9, (5, 4), (80, 20)), section(8, 9, (9, 8), (100, 75))]
    assert rank_pages(sections) == ((9, 100), (5, 80), (8, 75), (4, 20))


def test_a_page_of_two_sections_counts_once_with_its_better_value() -> None:
    assert rank_pages([section(3, 4, (4,), (60,)), section(4, 5, (4, 5), (100, 90))]) == ((4, 100), (5, 90))


def test_only_pages_near_the_best_are_read() -> None:
    ranked = [(9, 100), (5, CLOSE_PERCENT), (8, CLOSE_PERCENT - 1)]
    assert close_pages(ranked) == (9, 5)
    assert close_pages(ranked, 1) == (9,)


def test_the_best_page_need_not_be_the_best_of_the_paper() -> None:
    assert close_pages([(9, 50), (5, 36), (8, 34)]) == (9, 5)


def test_where_nothing_is_said_about_nearness_sections_take_turns() -> None:
    sections = [section(3, 9, (5, 4)), section(8, 9, (9, 8)), section(1, 2)]
    assert close_pages(rank_pages(sections)) == (5, 9, 1, 4, 8)
    assert close_pages(rank_pages(sections), 2) == (5, 9)


def test_back_matter_is_left_out_unless_it_is_all_there_is() -> None:
    references = section(12, 12, (12,), (100,), "5 References")
    assert rank_pages([references, section(3, 4, (3,), (40,))]) == ((3, 40),)
    assert rank_pages([references]) == ((12, 100),)


def test_no_section_no_page() -> None:
    assert close_pages(rank_pages([])) == ()


@pytest.mark.parametrize("limit", [1, 2, MAX_PAGES])
@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 100)), max_size=12))
def test_pages_are_distinct_few_and_in_order(limit: int, pairs: list[tuple[int, int]]) -> None:
    sections = [section(page, page, (page,), (percent,)) for page, percent in pairs]
    ranked = rank_pages(sections)
    assert [percent for _, percent in ranked] == sorted((p for _, p in ranked), reverse=True)
    chosen = close_pages(ranked, limit)
    assert len(chosen) == len(set(chosen)) <= limit
    assert bool(chosen) is bool(pairs)
