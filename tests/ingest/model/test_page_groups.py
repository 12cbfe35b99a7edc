from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.document import Page, TextStatus
from vectree.ingest.model.page_groups import group_pages
from vectree.tokens import count_tokens


def pages(*tokens: int, first: int = 1) -> list[Page]:
    """Pages of so many tokens, each of its own letter."""
    return [
        Page(number=first + n, raw="", text=chr(97 + n % 26) * 4 * size, status=TextStatus.TEXT)
        for n, size in enumerate(tokens)
    ]


def numbers(groups: list) -> list[tuple[int, ...]]:
    return [group.numbers for group in groups]


def test_neighbouring_groups_share_one_page() -> None:
    groups = group_pages(pages(4, 4, 4, 4, 4), tokens=10)
    assert numbers(groups) == [(1, 2), (2, 3), (3, 4), (4, 5)]
    assert [group.overlap for group in groups] == [0, 1, 1, 1]


def test_a_document_within_the_bound_is_one_group() -> None:
    assert numbers(group_pages(pages(4, 4), tokens=8)) == [(1, 2)]


def test_one_oversized_page_is_its_own_group_whole() -> None:
    groups = group_pages(pages(4, 50, 4, 4), tokens=10)
    assert numbers(groups) == [(1,), (2,), (3, 4)]
    assert groups[1].tokens == 50


def test_a_page_that_the_model_cannot_take_is_cut_and_nothing_of_it_lost() -> None:
    source = pages(4, 50, 4)
    groups = group_pages(source, tokens=10, hard=10)
    assert [group.tokens <= 10 for group in groups] == [True] * len(groups)
    second = [text for group in groups for number, text in group.pages if number == 2]
    assert "".join(second) == source[1].text


def test_pages_without_text_are_left_out_and_do_not_part_a_group() -> None:
    assert numbers(group_pages(pages(4, 0, 4), tokens=10)) == [(1, 3)]


def test_pages_that_do_not_follow_each_other_are_not_read_as_one_text() -> None:
    apart = [*pages(2, 2), *pages(2, 2, first=7)]
    groups = group_pages(apart, tokens=100)
    assert numbers(groups) == [(1, 2), (7, 8)]
    assert groups[1].overlap == 0


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 40), max_size=30),
    st.integers(5, 30),
    st.one_of(st.none(), st.integers(5, 30)),
)
def test_every_page_is_read_and_every_bound_is_kept(sizes: list[int], tokens: int, hard: int | None) -> None:
    bound = tokens if hard is None else min(tokens, hard)
    groups = group_pages(pages(*sizes), tokens=bound, hard=hard)
    read: dict[int, str] = {}
    for group in groups:
        assert len(group.pages) == 1 or group.tokens <= bound
        assert hard is None or group.tokens <= hard
        for number, text in group.pages[group.overlap :]:
            read[number] = read.get(number, "") + text
    assert read == {page.number: page.text for page in pages(*sizes) if page.text}
    assert all(count_tokens(text) for group in groups for _, text in group.pages)


def test_pages_that_are_no_running_text_share_groups_and_no_pages() -> None:
    apart = [*pages(4, 4), *pages(4, 4, first=7)]
    assert numbers(group_pages(apart, tokens=12, running=False)) == [(1, 2, 7), (8,)]
