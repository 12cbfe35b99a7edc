from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.ingest.model.budget import Budget, cut_parts
from vectree.tokens import count_tokens


def test_without_a_known_window_only_the_paper_bounds_a_prompt() -> None:
    assert Budget().quoted(20_000, reply=8_000) == 20_000
    assert Budget().hard(reply=8_000) is None
    assert Budget().reply(8_000) == 8_000


def test_a_small_window_bounds_prompt_and_reply_so_that_both_fit() -> None:
    budget = Budget(window=8_192)
    assert budget.reply(8_000) == 1_024
    assert 2_500 < budget.quoted(20_000, reply=8_000) == budget.hard(reply=8_000) < 8_192 - 1_024


def test_a_large_window_leaves_the_bound_of_the_paper() -> None:
    assert Budget(window=1_000_000).quoted(20_000, reply=8_000) == 20_000


@settings(deadline=None)
@given(st.text(alphabet="ab \n", max_size=400), st.integers(1, 30))
def test_parts_are_small_enough_and_together_the_text(text: str, tokens: int) -> None:
    parts = cut_parts(text, tokens)
    assert "".join(parts) == text
    assert all(0 < count_tokens(part) <= tokens for part in parts)


def test_a_text_is_cut_between_paragraphs_where_it_can_be() -> None:
    assert cut_parts("aaaa bbbb\n\ncccc dddd\neeee", 4) == ["aaaa bbbb\n\n", "cccc dddd\neeee"]
