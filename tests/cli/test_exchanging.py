"""import pageindex, export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


def test_a_tree_goes_out_and_comes_back(
    changeable: CommandLine, example_papers: Path, tmp_path: Path
) -> None:
    doc_id = changeable.doc_id("hot-pressed")
    out = tmp_path / "x_structure.json"
    result = changeable.run("export", doc_id, "--format", "pageindex", "--out", out)
    assert (result.exit_code, result.stdout) == (0, "")
    shape = json.loads(out.read_text())
    assert shape == json.loads(changeable.run("export", doc_id).stdout)
    assert shape["structure"][0]["node_id"] == "0000"
    before = changeable.json("tree", doc_id)["nodes"]
    report = changeable.json("import", "pageindex", out, "--pdf", example_papers)
    assert [item["doc_id"] for item in report["replaced"]] == [doc_id]
    after = changeable.json("tree", doc_id)["nodes"]
    assert [(n["title"], n["pages"]) for n in after] == [(n["title"], n["pages"]) for n in before]


def test_what_is_no_tree_fails_with_its_reason(changeable: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("{}")
    result = changeable.run("import", "pageindex", path)
    assert result.exit_code == 1
    assert "holds no tree of PageIndex" in result.stderr


def test_other_formats_and_unwritable_places_are_wrong_usage(changeable: CommandLine, tmp_path: Path) -> None:
    doc_id = changeable.doc_id("hot-pressed")
    assert changeable.run("export", doc_id, "--format", "xml").exit_code == 2
    result = changeable.run("export", doc_id, "--out", tmp_path)
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr
