"""search, tree, read, figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

SEARCH_KEYS = {
    "doc_id",
    "title",
    "authors",
    "journal",
    "year",
    "total_pages",
    "description",
    "related_documents",
    "rrf",
    "similarity",
    "bm25",
    "sections",
}


def test_search_has_the_agreed_shape(built: CommandLine) -> None:
    found = built.json("search", "hot-pressed garnet electrolyte density")
    assert found["query"] == "hot-pressed garnet electrolyte density"
    assert found["results"][0]["doc_id"] == built.doc_id("hot-pressed")
    assert all(set(result) >= SEARCH_KEYS for result in found["results"])
    for section in found["results"][0]["sections"]:
        assert set(section) >= {"node_id", "title", "pages"}
        assert 1 <= section["pages"][0] <= section["pages"][1] <= 4


def test_search_filters_before_ranking(built: CommandLine) -> None:
    found = built.json("search", "ionic conductivity", "--year-min", "2021", "--year-max", "2021")
    assert {result["year"] for result in found["results"]} == {2021}
    by_author = built.json("search", "*", "--author", "krizova")
    assert [result["year"] for result in by_author["results"]] == [2022]


def test_a_star_lists_everything(built: CommandLine) -> None:
    first = built.json("search", "*", "--top-k", "3")
    second = built.json("search", "*", "--top-k", "3", "--offset", "3")
    seen = [result["doc_id"] for result in first["results"] + second["results"]]
    assert first["total_matches"] == 5
    assert len(set(seen)) == 5


def test_search_for_nothing_known_is_a_fact_not_an_error(built: CommandLine) -> None:
    result = built.run("search", "zzqq")
    assert result.exit_code == 0
    assert "0 of 0 matches" in result.stderr


def test_tree_has_the_agreed_shape(built: CommandLine) -> None:
    doc_id = built.doc_id("hot-pressed")
    tree = built.json("tree", doc_id)
    assert (tree["doc_id"], tree["total_pages"]) == (doc_id, 4)
    assert all(set(node) >= {"id", "title", "pages", "summary", "children"} for node in tree["nodes"])
    covered = {page for node in tree["nodes"] for page in range(node["pages"][0], node["pages"][1] + 1)}
    assert covered == {1, 2, 3, 4}


def test_one_branch_of_a_tree(built: CommandLine) -> None:
    doc_id = built.doc_id("hot-pressed")
    parent = next(node for node in built.json("tree", doc_id)["nodes"] if node["children"])
    assert built.json("tree", doc_id, "--node", parent["id"])["nodes"] == [parent]
    unknown = built.run("tree", doc_id, "--node", "9999")
    assert unknown.exit_code == 1
    assert "9999" in unknown.stderr


def test_read_has_the_agreed_shape(built: CommandLine) -> None:
    read = built.json("read", built.doc_id("hot-pressed"), "2-3")
    assert [page["page"] for page in read["pages"]] == [2, 3]
    assert all(set(page) >= {"page", "label", "text", "text_status", "figures"} for page in read["pages"])
    assert "activation energy" in read["pages"][0]["text"]


@pytest.mark.parametrize("pages", ["0", "9", "3-2", "abc", ""])
def test_pages_that_do_not_exist_are_refused_with_what_does(built: CommandLine, pages: str) -> None:
    result = built.run("read", built.doc_id("hot-pressed"), pages)
    assert result.exit_code in (1, 2)
    assert "4" in result.stderr


def test_an_unknown_document_is_refused(built: CommandLine) -> None:
    result = built.run("read", "../../etc", "1")
    assert result.exit_code == 1
    assert "vectree list" in result.stderr or "search" in result.stderr


def test_figures_are_listed_and_saved(built: CommandLine, tmp_path: Path) -> None:
    doc_id = built.doc_id("hot-pressed")
    figures = built.json("figures", doc_id)["figures"]
    assert figures
    assert any((figure["caption"] or "").startswith("Fig") for figure in figures)
    target = tmp_path / "figure.png"
    assert built.run("figures", doc_id, figures[0]["name"], "--out", target).exit_code == 0
    assert target.read_bytes().startswith(b"\x89PNG")
    assert built.run("figures", doc_id, "../corpus.json", "--out", target).exit_code == 1
