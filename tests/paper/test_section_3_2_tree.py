"""§3.2 of the paper, tree and summaries: its constants, each stated once."""

from __future__ import annotations

from vectree.ingest.summarize import SummarySettings
from vectree.tree.split import SplitBounds


def test_a_node_is_split_only_above_20_000_tokens_and_10_pages():
    assert (SplitBounds().tokens, SplitBounds().pages) == (20_000, 10)


def test_sections_shorter_than_200_tokens_keep_their_source_text():
    assert SummarySettings().short_tokens == 200
