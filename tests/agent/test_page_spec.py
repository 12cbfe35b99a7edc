"""C20: the page argument in every shape a model may produce, on a paper of 20 pages."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.agent.arguments import GetPageContent
from vectree.agent.page_spec import MAX_PAGES_PER_CALL, select_pages
from vectree.errors import InvalidArguments


def chosen(spec: object) -> tuple[int, ...]:
    return select_pages(
        GetPageContent.model_validate({"doc_id": "a", "pages": spec}).pages, total_pages=20
    ).pages


@pytest.mark.parametrize(
    ("spec", "pages"),
    [
        ("3", (3,)),
        (3, (3,)),
        (3.0, (3,)),
        ("3-7,9", (3, 4, 5, 6, 7, 9)),
        ("3-4", (3, 4)),
        ([3, 4], (3, 4)),
        ("[3,4]", (3, 4)),
        (["3", "4"], (3, 4)),
        (["3-4"], (3, 4)),
        ("5,5,6", (5, 6)),
        ("2–4", (2, 3, 4)),
        ("2 — 4", (2, 3, 4)),
        ("2 to 4", (2, 3, 4)),
        ("p. 4", (4,)),
        ("pp. 4-5", (4, 5)),
        ("p.4-p.5", (4, 5)),
        ("page 4 and page 6", (4, 6)),
        ("pages 4, 6", (4, 6)),
        ("9, 3", (9, 3)),
        (" 7 ", (7,)),
    ],
)
def test_C20_is_understood(spec: object, pages: tuple[int, ...]) -> None:
    assert chosen(spec) == pages


@pytest.mark.parametrize(
    "spec", ["7-5", "0", "0-3", "-3", "4.5", "12-", "x", "all", "3--5", ",", "[]", "21", "25-30", "iv"]
)
def test_C20_is_refused_with_a_reason_and_the_format(spec: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        chosen(spec)
    assert caught.value.message
    assert '"3-7"' in str(caught.value)


def test_C20_beyond_the_end_says_how_many_pages_there_are() -> None:
    with pytest.raises(InvalidArguments, match="20 pages"):
        chosen("21-22")


def test_C20_more_than_ten_pages_are_served_as_the_first_ten_with_a_note() -> None:
    selection = select_pages("3-40", total_pages=20)
    assert selection.pages == tuple(range(3, 13))
    notes = " ".join(selection.notes)
    assert "13-20" in notes
    assert "21-40" in notes
    assert "20 pages" in notes


def test_C20_a_huge_range_costs_neither_memory_nor_time() -> None:
    tracemalloc.start()
    began = time.process_time()
    selection = select_pages("1-1000000000", total_pages=20)
    seconds = time.process_time() - began
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert selection.pages == tuple(range(1, 11))
    assert peak < 5 << 20
    assert seconds < 0.05


def test_some_pages_exist_and_some_do_not() -> None:
    selection = select_pages("19, 99, 20", total_pages=20)
    assert selection.pages == (19, 20)
    assert "99" in selection.notes[0]


def test_a_number_beyond_the_end_is_taken_as_a_printed_label_where_one_page_has_it() -> None:
    labels = {"1003": 3, "1004": 4, "iv": 2}
    selection = select_pages("1003-1004, iv", total_pages=20, page_of_label=labels.get)
    assert selection.pages == (3, 4, 2)
    assert "printed" in selection.notes[0]


def test_a_physical_page_wins_over_a_printed_label_without_asking_for_labels() -> None:
    def forbidden(_: str) -> int | None:
        raise AssertionError("labels were read")

    assert select_pages("4", total_pages=20, page_of_label=forbidden).pages == (4,)


@pytest.mark.parametrize("spec", ["1," * 1500, ",".join(["1"] * 300), "9" * 3000])
def test_absurdly_long_specifications_are_refused(spec: str) -> None:
    with pytest.raises(InvalidArguments):
        select_pages(spec, total_pages=20)


@settings(deadline=None)
@given(st.text(max_size=60), st.integers(1, 40))
def test_any_text_gives_existing_pages_or_a_refusal(spec: str, total: int) -> None:
    try:
        selection = select_pages(spec, total_pages=total)
    except InvalidArguments:
        return
    assert 1 <= len(selection.pages) <= MAX_PAGES_PER_CALL
    assert len(set(selection.pages)) == len(selection.pages)
    assert all(1 <= page <= total for page in selection.pages)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 50), st.integers(0, 30)), min_size=1, max_size=8), st.integers(1, 60)
)
def test_ranges_are_served_in_order_and_nothing_is_dropped_in_silence(
    spans: list[tuple[int, int]], total: int
) -> None:
    wanted = [page for first, more in spans for page in range(first, first + more + 1)]
    existing = [page for page in dict.fromkeys(wanted) if page <= total]
    spec = ",".join(f"{first}-{first + more}" for first, more in spans)
    if not existing:
        with pytest.raises(InvalidArguments):
            select_pages(spec, total_pages=total)
        return
    selection = select_pages(spec, total_pages=total)
    assert list(selection.pages) == existing[:MAX_PAGES_PER_CALL]
    dropped = len(existing) > MAX_PAGES_PER_CALL or any(page > total for page in wanted)
    assert bool(selection.notes) == dropped
