"""add, list, remove, report, reindex."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

LIST_KEYS = {
    "doc_id",
    "title",
    "authors",
    "journal",
    "year",
    "volume",
    "article_pages",
    "doi",
    "total_pages",
    "source",
    "sha256",
    "status",
}


def test_list_has_the_agreed_shape(built: CommandLine) -> None:
    documents = built.json("list")["documents"]
    assert len(documents) == 5
    assert all(set(document) >= LIST_KEYS for document in documents)
    assert sorted(document["year"] for document in documents) == [2019, 2021, 2021, 2022, 2024]
    assert {document["status"] for document in documents} == {"ok"}
    assert not any(Path(document["source"]).is_absolute() for document in documents)


def test_list_for_people_names_every_paper(built: CommandLine) -> None:
    output = built.run("list").stdout
    assert "Lindqvist" in output
    assert output.count("2021") >= 2


def test_adding_again_does_no_work_and_says_so(changeable: CommandLine, example_papers: Path) -> None:
    report = changeable.json("add", example_papers)
    assert (report["added"], report["failed"]) == ([], [])
    assert len(report["unchanged"]) == 5
    assert "nothing to do" in changeable.run("add", example_papers).stdout


def test_a_copy_under_another_name_is_one_document(
    changeable: CommandLine, example_papers: Path, tmp_path: Path
) -> None:
    copy = shutil.copy(example_papers / "2019-lindqvist-garnet.pdf", tmp_path / "copy.pdf")
    report = changeable.json("add", copy)
    assert [item["doc_id"] for item in report["unchanged"]] == [changeable.doc_id("hot-pressed")]
    assert len(changeable.json("list")["documents"]) == 5


def test_a_bad_file_is_named_and_costs_only_itself(
    changeable: CommandLine, example_papers: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "broken.pdf").write_bytes(b"no pdf at all")
    (folder / "empty.pdf").write_bytes(b"")
    shutil.copy(example_papers / "2019-lindqvist-garnet.pdf", folder / "good.pdf")
    report = changeable.json("add", folder, code=1)
    assert sorted(Path(item["source"]).name for item in report["failed"]) == ["broken.pdf", "empty.pdf"]
    assert all(item["reason"] for item in report["failed"])
    assert len(report["unchanged"]) == 1


def test_a_missing_path_is_wrong_usage(changeable: CommandLine) -> None:
    result = changeable.run("add", "/no/such/folder")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1


def test_remove_takes_a_paper_out_of_every_place(changeable: CommandLine) -> None:
    doc_id = changeable.doc_id("hot-pressed")
    assert changeable.json("remove", doc_id) == {"removed": [doc_id]}
    assert doc_id not in json.dumps(changeable.json("list"))
    assert doc_id not in json.dumps(changeable.json("search", "hot-pressed tantalum-doped garnet"))
    assert changeable.run("tree", doc_id).exit_code == 1


def test_remove_of_an_unknown_document_removes_nothing(changeable: CommandLine) -> None:
    result = changeable.run("remove", changeable.doc_id("hot-pressed"), "nobody1999-abcd")
    assert result.exit_code == 1
    assert "nobody1999-abcd" in result.stderr
    assert len(changeable.json("list")["documents"]) == 5


def test_report_shows_how_a_paper_was_read(built: CommandLine) -> None:
    doc_id = built.doc_id("hot-pressed")
    assert "seconds" in json.dumps(built.json("report", doc_id))
    assert "headings" in built.run("report", doc_id).stdout


def test_reindex_keeps_every_paper(changeable: CommandLine) -> None:
    before = changeable.json("search", "ionic conductivity")
    assert changeable.json("reindex") == {"indexed": 5}
    assert changeable.json("search", "ionic conductivity") == before


def test_the_index_moves_to_chroma_and_back_by_one_word(changeable: CommandLine, tmp_path: Path) -> None:
    before = changeable.json("search", "ionic conductivity")
    word = f"chroma:{tmp_path / 'vectors'}"
    assert changeable.json("reindex", "--index", word) == {"indexed": 5}
    assert changeable.json("search", "ionic conductivity") == before
    assert changeable.json("search", "ionic conductivity", "--index", word) == before
    refused = changeable.run("search", "ionic conductivity", "--index", "exact")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "vectree reindex --index exact" in refused.stderr
    removed = changeable.doc_id("hot-pressed")
    assert changeable.json("remove", removed, "--index", word) == {"removed": [removed]}
    assert changeable.json("reindex", "--index", "exact") == {"indexed": 4}
    assert changeable.json("search", "ionic conductivity", "--index", "exact")["results"]


def test_an_unknown_word_for_an_index_is_wrong_usage(changeable: CommandLine) -> None:
    refused = changeable.run("reindex", "--index", "faiss")
    assert refused.exit_code == 2
    assert "'chroma:PATH'" in refused.stderr


def test_another_embedder_is_refused_with_the_command_that_rebuilds(
    changeable: CommandLine, example_papers: Path
) -> None:
    result = changeable.run("add", example_papers, "--embedder", "minilm")
    assert result.exit_code == 1
    assert "vectree reindex" in result.stderr


@pytest.mark.parametrize(
    "command", [["list"], ["search", "x"], ["tree", "x"], ["read", "x", "1"], ["ask", "x"]]
)
def test_reading_where_there_is_no_corpus_says_how_to_make_one(
    command: list[str], tmp_path: Path, built: CommandLine
) -> None:
    result = type(built)(tmp_path / "nothing").run(*command)
    assert result.exit_code == 1
    assert "vectree add" in result.stderr
    assert not (tmp_path / "nothing").exists()
