from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from vectree.errors import StoreError, UnknownDocument
from vectree.store import durable
from vectree.store.files import PaperStore
from vectree.store.writer import PaperWriter

ID = "meyer2021-00ab"


class Killed(BaseException):
    """Stands for a process that ends between two system calls."""


class Countdown:
    """Makes the n-th durable step fail, before or after it has happened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fail_at: int, *, after: bool) -> None:
        self.steps = 0
        for name in ("fsync", "rename", "replace"):
            monkeypatch.setattr(durable.os, name, self._guard(getattr(os, name), fail_at, after))
        monkeypatch.setattr(durable, "discard", self._guard(durable.discard, fail_at, after))
        monkeypatch.setattr("vectree.store.writer.discard", durable.discard)

    def _guard(self, real: Callable[..., object], fail_at: int, after: bool) -> Callable[..., object]:
        def step(*arguments: object, **named: object) -> object:
            self.steps += 1
            mine = self.steps == fail_at
            if mine and not after:
                raise Killed
            result = real(*arguments, **named)
            if mine:
                raise Killed
            return result

        return step


def state(root: Path) -> dict[str, tuple[str, str, bytes]]:
    """What a reader sees: for each paper its hash, the word its pages carry, its figure."""
    store = PaperStore(root)
    seen = {}
    for doc_id in store.doc_ids():
        words = {page.raw.split()[0] for page in store.pages(doc_id)} | {store.report(doc_id)["word"]}
        assert len(words) == 1
        figures = [store.figure_bytes(doc_id, figure.name) for figure in store.figures(doc_id)]
        assert len(store.tree(doc_id).nodes) == 1
        seen[doc_id] = (store.record(doc_id).sha256[:4], words.pop(), b"".join(figures))
    return seen


FIRST = ("00ab", "first", b"png")
SECOND = ("cdcd", "second", b"other")


def add_new(root: Path, make: SimpleNamespace) -> None:
    make.put(root, make.record())


def replace(root: Path, make: SimpleNamespace) -> None:
    make.put(root, make.record(sha256="cd" * 32), word="second", figures={"b.png": b"other"})


def remove(root: Path, make: SimpleNamespace) -> None:
    PaperWriter(root).recover()
    PaperWriter(root).remove(ID)


def rewrite(root: Path, make: SimpleNamespace) -> None:
    PaperWriter(root).recover()
    PaperWriter(root).rewrite(make.record(sha256="cd" * 32))


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(
    ("change", "begin", "end"),
    [
        (add_new, {}, {ID: FIRST}),
        (replace, {ID: FIRST}, {ID: SECOND}),
        (remove, {ID: FIRST}, {}),
        (rewrite, {ID: FIRST}, {ID: ("cdcd", "first", b"png")}),
    ],
    ids=["add", "replace", "remove", "rewrite"],
)
def test_c13_a_death_at_any_step_leaves_the_old_state_or_the_new_and_a_rerun_completes(
    tmp_path: Path,
    make: SimpleNamespace,
    change: Callable[[Path, SimpleNamespace], None],
    begin: dict[str, object],
    end: dict[str, object],
    after: bool,
) -> None:
    died = 0
    for step in range(1, 60):
        root = tmp_path / f"corpus-{step}"
        if begin:
            add_new(root, make)
        with pytest.MonkeyPatch.context() as patch:
            Countdown(patch, step, after=after)
            try:
                change(root, make)
            except Killed:
                died += 1
            else:
                break
        assert state(root) in (begin, end)
        PaperWriter(root).recover()
        assert state(root) in (begin, end)
        assert list((root / "staging").iterdir()) == []
        change(root, make)
        assert state(root) == end
    assert died >= 2


KILL_LOOP = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
import conftest
turn = 0
while True:
    turn += 1
    word = ("first", "second")[turn % 2]
    conftest.put(Path(sys.argv[1]), conftest.a_record(sha256=f"{turn:064x}"), word=word)
    print(turn, flush=True)
"""


@pytest.mark.parametrize("turns", [1, 4, 9])
def test_c13_a_killed_process_leaves_a_whole_paper(tmp_path: Path, turns: int) -> None:
    here = str(Path(__file__).parent)
    command = [sys.executable, "-c", KILL_LOOP, str(tmp_path / "corpus"), here]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(turns)]
        process.kill()
    assert all(lines)
    seen = state(tmp_path / "corpus")
    assert list(seen) == [ID]
    PaperWriter(tmp_path / "corpus").recover()
    assert state(tmp_path / "corpus") == seen
    assert list((tmp_path / "corpus" / "staging").iterdir()) == []


def test_a_paper_in_the_making_is_invisible_and_discarding_it_leaves_nothing(tmp_path: Path) -> None:
    writer = PaperWriter(tmp_path)
    writer.recover()
    staged = writer.stage()
    (staged.figures / "a.png").write_bytes(b"x")
    assert PaperStore(tmp_path).doc_ids() == ()
    staged.discard()
    staged.discard()
    assert list((tmp_path / "staging").iterdir()) == []


def test_figures_nobody_recorded_are_not_kept(tmp_path: Path, make: SimpleNamespace) -> None:
    writer = PaperWriter(tmp_path)
    writer.recover()
    staged = writer.stage()
    (staged.figures / "a.png").write_bytes(b"x")
    (staged.figures / "stray.png").write_bytes(b"x")
    (staged.figures / "folder").mkdir()
    staged.fill(pages=make.pages(), tree=make.tree(), figures=(make.figure("a.png"),), report={})
    assert [path.name for path in staged.figures.iterdir()] == ["a.png"]


@pytest.mark.parametrize("name", ["../x.png", "a/b.png", ".hidden", "", "é.png", "x" * 101, "a\n.png"])
def test_c37_a_parser_cannot_record_a_figure_under_a_name_that_is_a_path(
    tmp_path: Path, make: SimpleNamespace, name: str
) -> None:
    staged = PaperWriter(tmp_path).stage()
    with pytest.raises(StoreError, match="cannot be stored under the name"):
        staged.fill(pages=make.pages(), tree=make.tree(), figures=(make.figure(name),), report={})


def test_a_recorded_figure_without_its_file_is_refused(tmp_path: Path, make: SimpleNamespace) -> None:
    staged = PaperWriter(tmp_path).stage()
    with pytest.raises(StoreError, match=r"a\.png"):
        staged.fill(pages=make.pages(), tree=make.tree(), figures=(make.figure("a.png"),), report={})


def test_a_gap_in_the_pages_is_refused(tmp_path: Path, make: SimpleNamespace) -> None:
    staged = PaperWriter(tmp_path).stage()
    with pytest.raises(StoreError, match="page 2 came where 1 was due"):
        staged.fill(pages=make.pages()[1:], tree=make.tree(), figures=(), report={})


@pytest.mark.parametrize("doc_id", ["../evil", "", "Meyer-00ab", "nowhere2020-0000"])
def test_nothing_is_written_under_a_name_that_is_no_doc_id(
    tmp_path: Path, make: SimpleNamespace, doc_id: str
) -> None:
    make.put(tmp_path, make.record())
    writer = PaperWriter(tmp_path)
    with pytest.raises(UnknownDocument):
        writer.rewrite(make.record(doc_id))
    writer.remove(doc_id)
    assert PaperStore(tmp_path).doc_ids() == (ID,)


def test_publishing_needs_a_doc_id(tmp_path: Path, make: SimpleNamespace) -> None:
    staged = PaperWriter(tmp_path).stage()
    with pytest.raises(StoreError, match="no doc_id"):
        PaperWriter(tmp_path).publish(staged, make.record("../evil"))


def test_a_damaged_paper_can_be_removed(tmp_path: Path, make: SimpleNamespace) -> None:
    make.put(tmp_path, make.record())
    (tmp_path / "papers" / ID / "record.json").write_bytes(b"\x00")
    PaperWriter(tmp_path).remove(ID)
    assert PaperStore(tmp_path).doc_ids() == ()
