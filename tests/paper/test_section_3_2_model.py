"""§3.2, the stages that ask a model: their bounds as the paper states them."""

from __future__ import annotations

from vectree.document import Page, TextStatus
from vectree.ingest.model.page_groups import GROUP_TOKENS, OVERLAP, group_pages
from vectree.ingest.model.repair import REPAIR_ROUNDS
from vectree.ingest.summarize import SummarySettings
from vectree.tree.build import SPLIT_PAGES, SPLIT_TOKENS


def test_page_groups_are_bounded_at_20_000_tokens_with_one_page_of_overlap() -> None:
    assert (GROUP_TOKENS, OVERLAP) == (20_000, 1)
    pages = [Page(number=n, raw="", text="word" * 6_000, status=TextStatus.TEXT) for n in range(1, 8)]
    groups = group_pages(pages)
    assert [group.numbers for group in groups] == [(1, 2, 3), (3, 4, 5), (5, 6, 7)]
    assert {group.tokens for group in groups} == {18_000}


def test_at_most_three_repair_rounds() -> None:
    assert REPAIR_ROUNDS == 3


def test_sections_shorter_than_200_tokens_retain_their_source_text() -> None:
    assert SummarySettings().short_tokens == 200


def test_nodes_are_split_beyond_20_000_tokens_and_10_pages() -> None:
    assert (SPLIT_TOKENS, SPLIT_PAGES) == (20_000, 10)
