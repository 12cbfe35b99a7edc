from __future__ import annotations

import os
from pathlib import Path

import pytest

from vectree.store import durable


def test_a_file_is_replaced_whole_and_the_copy_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"old")
    durable.replace_file(path, b"new", scratch=tmp_path / "scratch")
    assert path.read_bytes() == b"new"
    assert list((tmp_path / "scratch").iterdir()) == []


def test_bytes_are_flushed_before_the_rename_that_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(durable.os, "fsync", lambda handle: (order.append("flush"), fsync(handle))[1])
    monkeypatch.setattr(durable.os, "replace", lambda a, b: (order.append("rename"), replace(a, b))[1])
    durable.replace_file(tmp_path / "x", b"new", scratch=tmp_path)
    assert order[:2] == ["flush", "rename"]


def test_a_new_file_never_overwrites(tmp_path: Path) -> None:
    durable.write_new(tmp_path / "x", b"1")
    with pytest.raises(FileExistsError):
        durable.write_new(tmp_path / "x", b"2")


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_discarding_a_link_leaves_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kept").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    durable.discard(tmp_path / "link")
    durable.discard(tmp_path / "absent")
    assert not (tmp_path / "link").exists()
    assert (tmp_path / "folder" / "kept").exists()
    durable.discard(tmp_path / "folder")
    assert not (tmp_path / "folder").exists()
