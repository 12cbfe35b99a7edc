from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.document import Box, Figure, Node, Page, PageRange, Record, SectionTree, TextStatus
from vectree.errors import CorpusDamaged, StoreError
from vectree.store.json_files import decode, encode, encode_checked


def test_values_come_back_as_they_were(make: SimpleNamespace) -> None:
    record, tree, figures = make.record(), make.tree(), (make.figure(),)
    assert decode(Record, encode(Record, record), name="x") == record
    assert decode(SectionTree, encode(SectionTree, tree), name="x") == tree
    assert decode(tuple[Figure, ...], encode(tuple[Figure, ...], figures), name="x") == figures


@given(text=st.text())
def test_any_text_survives_on_one_line(text: str) -> None:
    page = Page(number=1, raw=text, text=text, status=TextStatus.TEXT)
    data = encode(Page, page)
    assert b"\n" not in data
    assert decode(Page, data, name="x") == page


def test_half_a_surrogate_pair_costs_one_character_not_the_paper() -> None:
    page = Page(number=1, raw="a\ud800b β", text="t", status=TextStatus.TEXT)
    assert decode(Page, encode(Page, page), name="x").raw == "a?b β"


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"total_pages":"many","nodes":[]}', b"\x80\x04\x95pickle"]
)
def test_bytes_that_are_no_such_value_are_damage_with_a_name(data: bytes) -> None:
    with pytest.raises(CorpusDamaged, match=r"corpus/tree\.json.*damaged.*do this"):
        decode(SectionTree, data, name="corpus/tree.json", hint="do this")


def test_an_invariant_of_the_value_is_checked_on_reading() -> None:
    with pytest.raises(CorpusDamaged, match="1 <= first <= last"):
        decode(PageRange, b'{"first":3,"last":2}', name="x")


def test_what_would_not_read_back_is_refused_before_it_is_stored() -> None:
    box = Box(x0=float("nan"), y0=0, x1=1, y1=1)
    figure = Figure(name="a.png", page=1, box=box, kind="image", width=1, height=1)
    with pytest.raises(StoreError, match="cannot be stored"):
        encode_checked(tuple[Figure, ...], (figure,))


@pytest.mark.parametrize("depth", [150, 400])
def test_a_tree_nested_beyond_any_paper_is_refused(depth: int) -> None:
    node = Node(id="0", number="", title="", pages=PageRange(first=1, last=1))
    for _ in range(depth):
        node = Node(id="0", number="", title="", pages=PageRange(first=1, last=1), children=(node,))
    with pytest.raises(StoreError, match="cannot be stored"):
        encode_checked(SectionTree, SectionTree(total_pages=1, nodes=(node,)))
