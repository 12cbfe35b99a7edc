from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from vectree.errors import CorpusDamaged, CorpusNotFound, FormatMismatch, UsageError
from vectree.store.layout import has_papers
from vectree.store.manifest import (
    FORMAT,
    EmbedderMark,
    FolderMark,
    Manifest,
    check_usable,
    read_manifest,
    write_manifest,
)

MARK = EmbedderMark(name="hash", revision="1", pooling="sum", dimension=256)
MANIFEST = Manifest(
    embedder=MARK, template="title-first", folders={"papers": FolderMark(absolute="01", relative="23")}
)


def test_it_comes_back_as_written_and_leaves_nothing_in_the_making(tmp_path: Path) -> None:
    write_manifest(tmp_path, MANIFEST)
    assert read_manifest(tmp_path) == MANIFEST
    assert list((tmp_path / "staging").iterdir()) == []


@pytest.mark.parametrize("where", ["missing", "missing/deeper", "file", "file/below"])
def test_where_nothing_is_the_hint_says_how_to_make_a_corpus(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CorpusNotFound, match="vectree add"):
        read_manifest(tmp_path / where)


@pytest.mark.parametrize(("version", "advice"), [(FORMAT + 1, "Upgrade"), (FORMAT - 1, "anew")])
def test_c38_another_format_is_refused_with_advice_even_if_its_fields_differ(
    tmp_path: Path, version: int, advice: str
) -> None:
    (tmp_path / "corpus.json").write_text(f'{{"format": {version}, "something": "else"}}')
    with pytest.raises(FormatMismatch, match=advice):
        read_manifest(tmp_path)


@pytest.mark.parametrize("data", [b"", b"{}", b'{"format": 1}', b"\x80\x04pickle"])
def test_c38_a_damaged_manifest_is_named(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "corpus.json").write_bytes(data)
    with pytest.raises(CorpusDamaged, match=r"corpus\.json"):
        read_manifest(tmp_path)


def test_papers_without_a_manifest_are_a_damaged_corpus_not_a_missing_one(
    tmp_path: Path, make: SimpleNamespace
) -> None:
    make.put(tmp_path, make.record())
    assert has_papers(tmp_path)
    for check in (read_manifest, check_usable):
        with pytest.raises(CorpusDamaged, match="missing"):
            check(tmp_path)


def test_a_new_or_empty_folder_and_what_a_killed_first_add_left_can_become_a_corpus(tmp_path: Path) -> None:
    check_usable(tmp_path / "new")
    check_usable(tmp_path)
    (tmp_path / "staging" / "new-1").mkdir(parents=True)
    (tmp_path / "papers").mkdir()
    (tmp_path / "writer.lock").write_text("")
    check_usable(tmp_path)


@pytest.mark.parametrize("name", ["a.pdf", "papers/a.pdf", "thesis/x.txt"])
def test_a_folder_with_other_files_is_not_taken_over(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    with pytest.raises(UsageError, match="other files"):
        check_usable(tmp_path)
    with pytest.raises(UsageError, match="is a file"):
        check_usable(path)
