from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.errors import CorruptDocument, ParseLimit
from vectree.ingest.pageindex import reading
from vectree.ingest.pageindex.reading import PageIndexTree, find_trees, read_tree


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def read(tmp_path: Path, value: Any) -> PageIndexTree:
    return read_tree(write(tmp_path / "a_structure.json", value))


NODE = {"title": "1 Introduction", "node_id": "0000", "start_index": 1, "end_index": 2, "summary": "S."}


@pytest.mark.parametrize(
    "value",
    [
        {"doc_name": "a.pdf", "structure": [NODE]},
        {"result": [NODE]},
        {"tree": {"structure": [NODE]}},
        {"structure": NODE},
        [NODE],
        NODE,
        [{**NODE, "start_index": "1"}],
        [{**NODE, "start_index": None, "page_index": 1}],
        [{**NODE, "start_index": None, "physical_index": "<physical_index_1>"}],
        [{**NODE, "summary": None, "prefix_summary": "S."}],
        ["text", 3, NODE],
    ],
)
def test_every_form_in_use_is_read(tmp_path: Path, value: Any) -> None:
    [entry] = read(tmp_path, value).entries
    assert (entry.title, entry.page, entry.depth, entry.summary) == ("1 Introduction", 1, 1, "S.")


def test_entries_come_in_document_order_with_their_depth(tmp_path: Path) -> None:
    tree = [
        {"title": "A", "start_index": 1, "nodes": [{"title": "B", "start_index": 2, "nodes": []}]},
        {"title": "C", "start_index": 3},
    ]
    assert [(e.title, e.depth) for e in read(tmp_path, tree).entries] == [("A", 1), ("B", 2), ("C", 1)]


@pytest.mark.parametrize(
    ("node", "invented"),
    [
        ({"title": "Preface"}, True),
        ({"title": "Results (intro)"}, True),
        ({"title": "Page 7"}, True),
        ({"title": "Pages 7-9"}, True),
        ({"title": "4 Discussion; 5 Conclusion"}, True),
        ({"title": "Methods", "key_items": ["Setup"]}, True),
        ({"title": "Methods"}, False),
        ({"title": "Page layout"}, False),
    ],
)
def test_titles_that_pageindex_makes_up_are_known(
    tmp_path: Path, node: dict[str, Any], invented: bool
) -> None:
    [entry] = read(tmp_path, [{**node, "start_index": 1}]).entries
    assert entry.invented is invented


def test_a_store_gives_pages_and_description(tmp_path: Path) -> None:
    doc = tmp_path / ".pageindex" / "docs" / "pi-1"
    write(doc / "tree.json", {"doc_name": "x.pdf", "structure": [NODE]})
    write(doc / "doc.json", {"id": "pi-1", "name": "../../paper.pdf", "description": "About glass."})
    write(doc / "pages.json", [{"page_index": 3, "markdown": "three"}, {"page_index": 1, "text": "one"}, 7])
    assert find_trees(tmp_path / ".pageindex") == (doc / "tree.json",)
    assert find_trees(doc) == (doc / "tree.json",)
    tree = read_tree(doc / "tree.json")
    assert (tree.name, tree.description, tree.pages) == ("paper.pdf", "About glass.", ("one", "", "three"))
    assert find_trees(write(tmp_path / "empty" / "x.txt", 1).parent) == ()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "holds no tree"),
        ([], "holds no tree"),
        ("x", "holds no tree"),
        ([{"node_id": "1"}], "holds no tree"),
        ({"structure": [{"title": "A", "line_num": 3}], "line_count": 9}, "tree of a Markdown file"),
    ],
)
def test_what_is_no_tree_of_pages_is_refused(tmp_path: Path, value: Any, message: str) -> None:
    with pytest.raises(CorruptDocument, match=message):
        read(tmp_path, value)


def test_hostile_trees_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep: dict[str, Any] = {"title": "X", "start_index": 1}
    for _ in range(300):
        deep = {"title": "X", "start_index": 1, "nodes": [deep]}
    assert max(entry.depth for entry in read(tmp_path, [deep]).entries) == reading.DEEPEST
    (tmp_path / "b.json").write_text("[" * 200_000)
    with pytest.raises(CorruptDocument, match="not valid JSON"):
        read_tree(tmp_path / "b.json")
    monkeypatch.setattr(reading, "MAX_NODES", 10)
    with pytest.raises(ParseLimit):
        read(tmp_path, [NODE] * 11)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["title", "nodes", "structure", "start_index", "summary"]), inner, max_size=5
        )
    ),
    max_leaves=20,
)


@given(json_values)
def test_any_json_is_a_tree_or_refused(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    path = tmp_path_factory.mktemp("x") / "a.json"
    path.write_text(json.dumps(value))
    try:
        entries = read_tree(path).entries
    except CorruptDocument:
        return
    assert entries
    assert all(entry.title and (entry.page is None or entry.page >= 1) for entry in entries)
