from __future__ import annotations

from typing import Any

from vectree.agent.trajectory import (
    evidence,
    from_jsonl,
    layer_order,
    pages_read,
    to_jsonl,
    tokens_by_layer,
)
from vectree.evidence import Evidence, Step
from vectree.testing.library import MemoryLibrary


def step(tool: str, layer: int | None, doc_id: str = "a", **changes: Any) -> Step:
    given: dict[str, Any] = {"round": 1, "call": 1, "tokens": 10, "arguments": {"doc_id": doc_id}, **changes}
    return Step(tool=tool, layer=layer, **given)


SEARCH, TREE, READ = step("search_documents", 0), step("get_document_tree", 1), step("get_page_content", 2)


def test_a_page_read_twice_is_read_once() -> None:
    steps = [step("r", 2, sources=(("b", 2), ("a", 9))), step("r", 2, sources=(("a", 9), ("a", 1)))]
    assert pages_read(steps) == (("b", 2), ("a", 9), ("a", 1))


def test_evidence_names_the_section_and_is_ordered_by_page(library: MemoryLibrary) -> None:
    steps = [step("r", 2, sources=(("berg2021-a1b2", 3), ("raman2019-e5f6", 1), ("berg2021-a1b2", 2)))]
    assert evidence(steps, library) == (
        Evidence(doc_id="berg2021-a1b2", page=2, node_id="0003"),
        Evidence(doc_id="berg2021-a1b2", page=3, node_id="0004"),
        Evidence(doc_id="raman2019-e5f6", page=1, node_id="0001"),
    )


def test_tokens_are_summed_by_layer() -> None:
    assert tokens_by_layer([SEARCH, TREE, READ, READ, step("unknown", None)]) == {0: 10, 1: 10, 2: 20}


def test_the_order_of_the_layers() -> None:
    assert layer_order([SEARCH]) is None
    assert layer_order([SEARCH, TREE, READ]) == 1.0
    assert layer_order([SEARCH, READ]) == 0.0
    assert layer_order([TREE, READ]) == 0.5
    assert layer_order([SEARCH, TREE, step("get_page_content", 2, "b")]) == 0.5
    assert layer_order([step("search_documents", 0, error="no"), TREE]) == 0.0
    assert layer_order([SEARCH, TREE, step("x", None), step("get_page_content", 2, "b", error="no")]) == 1.0


def test_a_trajectory_survives_json_lines() -> None:
    steps = (
        step("search_documents", 0, arguments={"query": "β\u2028\n x"}),
        step("get_page_content", 2, sources=(("a", 3),), error="oh"),
        step("nope", None),
    )
    text = to_jsonl(steps)
    assert text.count("\n") == 3
    assert from_jsonl(text) == steps
    assert from_jsonl("") == ()


def test_pages_of_a_paper_that_was_removed_during_the_run_stay_evidence() -> None:
    step = Step(
        round=1,
        call=1,
        tool="get_page_content",
        layer=2,
        arguments={},
        tokens=1,
        sources=(("gone2020-aaaa", 3),),
    )
    assert evidence([step], MemoryLibrary([])) == (Evidence(doc_id="gone2020-aaaa", page=3, node_id=""),)
