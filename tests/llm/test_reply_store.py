"""Replies on disk: whole or not there."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from vectree.errors import StoreError
from vectree.llm.chat import Reply, ToolCall, Usage
from vectree.llm.reply_store import ReplyStore

KEY = "ab" + "0" * 62
REPLY = Reply(
    text="Schrödinger \u2028 β\x00",
    tool_calls=(ToolCall(id="c1", name="look_up", arguments='{"wor'),),
    usage=Usage(prompt_tokens=3, completion_tokens=2, cached_tokens=1, cost=None),
)


def test_a_reply_comes_back_as_it_was(tmp_path: Path) -> None:
    store = ReplyStore(tmp_path / "cache")
    assert store.get(KEY) is None
    store.put(KEY, REPLY)
    assert store.get(KEY) == REPLY
    assert ReplyStore(tmp_path / "cache").get(KEY) == REPLY
    assert len(store) == 1


def test_a_dropped_reply_is_gone_and_may_be_dropped_twice(tmp_path: Path) -> None:
    store = ReplyStore(tmp_path)
    store.put(KEY, REPLY)
    store.drop(KEY)
    store.drop(KEY)
    assert store.get(KEY) is None


@pytest.mark.parametrize(
    "content", [b"", b'{"reply": {"text', b"[]", b"{}", b'{"reply": {"text": 3}}', b"\xff", b"[" * 9999]
)
def test_a_damaged_file_counts_as_missing_and_is_replaced(tmp_path: Path, content: bytes) -> None:
    store = ReplyStore(tmp_path)
    store.put(KEY, REPLY)
    next(tmp_path.glob("*/*.json")).write_bytes(content)
    assert store.get(KEY) is None
    store.put(KEY, REPLY)
    assert store.get(KEY) == REPLY


def test_nothing_but_whole_files_is_left(tmp_path: Path) -> None:
    store = ReplyStore(tmp_path)
    threads = [threading.Thread(target=store.put, args=(KEY, REPLY)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.get(KEY) == REPLY
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [f"{KEY}.json"]


def test_a_folder_that_cannot_be_written_to_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="Cannot keep a model's reply in"):
        ReplyStore(tmp_path / "file").put(KEY, REPLY)
