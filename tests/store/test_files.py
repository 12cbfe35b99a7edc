from __future__ import annotations

import json
import os
import pickle
import shutil
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from vectree.document import Record
from vectree.errors import CorpusDamaged, InvalidArguments, UnknownDocument, UnknownFigure
from vectree.store import files
from vectree.store.files import PaperStore

ID = "meyer2021-00ab"
NAME = "page-0001-figure-1.png"

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture
def root(tmp_path: Path, make: SimpleNamespace) -> Path:
    make.put(tmp_path / "corpus", make.record())
    return tmp_path / "corpus"


def test_everything_comes_back(root: Path, make: SimpleNamespace) -> None:
    store = PaperStore(root)
    assert store.doc_ids() == (ID,)
    assert store.record(ID) == make.record()
    assert store.records() == (make.record(),)
    assert store.tree(ID) == make.tree()
    assert store.pages(ID) == make.pages()
    assert store.figures(ID) == (make.figure(),)
    assert store.figure_bytes(ID, NAME) == b"png"
    assert store.report(ID) == {"word": "first"}


def test_an_absent_corpus_is_an_empty_one(tmp_path: Path) -> None:
    store = PaperStore(tmp_path / "nowhere")
    assert store.doc_ids() == ()
    with pytest.raises(UnknownDocument):
        store.tree(ID)


def test_one_page_of_a_long_document_is_read_without_parsing_the_others(
    tmp_path: Path, make: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    make.put(tmp_path, make.record(pages=619))
    parsed: list[int] = []
    real = files.decode

    def spy(kind: type, data: bytes, **rest: str) -> object:
        value = real(kind, data, **rest)
        if kind is files.Page:
            parsed.append(value.number)
        return value

    monkeypatch.setattr(files, "decode", spy)
    pages = PaperStore(tmp_path).pages(ID, [618, 3, 3])
    assert [page.number for page in pages] == parsed == [3, 618]


@pytest.mark.parametrize("numbers", [[0], [4], [-1], [1, 99]])
def test_a_page_that_does_not_exist_is_refused_with_the_range(root: Path, numbers: list[int]) -> None:
    with pytest.raises(InvalidArguments, match="pages 1 to 3"):
        PaperStore(root).pages(ID, numbers)


def test_no_pages_asked_for_are_no_pages(root: Path) -> None:
    assert PaperStore(root).pages(ID, []) == ()


@pytest.mark.parametrize(
    "doc_id", ["../other", "", ".", "papers", "x" * 500, "meyer2021-00ac", f"{ID}/figures", f"{ID}\x00"]
)
def test_c37_an_unknown_doc_id_is_always_the_same_error(root: Path, doc_id: str) -> None:
    store = PaperStore(root)
    for read in (store.record, store.tree, store.pages, store.figures, store.report):
        with pytest.raises(UnknownDocument, match="no document"):
            read(doc_id)
    with pytest.raises(UnknownDocument):
        store.figure_bytes(doc_id, NAME)


@pytest.mark.parametrize(
    "name",
    [
        "../../../../etc/passwd",
        "/etc/passwd",
        "..\\..\\x.png",
        "%2e%2e/x",
        "a/../../x",
        f"{NAME}\x00",
        "",
        ".",
        "stray.png",
    ],
)
def test_c37_a_figure_is_found_by_recorded_name_only(root: Path, name: str) -> None:
    (root / "papers" / ID / "figures" / "stray.png").write_bytes(b"secret")
    with pytest.raises(UnknownFigure, match="has no such figure"):
        PaperStore(root).figure_bytes(ID, name)


def test_c37_no_file_outside_the_corpus_is_opened(root: Path) -> None:
    opened: list[str] = []
    watching = True

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if watching and event == "open" and isinstance(arguments[0], str | Path):
            opened.append(str(arguments[0]))

    sys.addaudithook(hook)
    store = PaperStore(root)
    store.figure_bytes(ID, NAME)
    for name in ("../../../secret", "/etc/passwd"):
        with pytest.raises(UnknownFigure):
            store.figure_bytes(ID, name)
        with pytest.raises(UnknownDocument):
            store.record(name)
    watching = False
    assert opened
    assert [path for path in opened if not path.startswith(str(root))] == []


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
@pytest.mark.parametrize("target", ["figure", "folder", "paper"])
def test_c37_a_link_planted_in_the_corpus_is_not_followed(root: Path, tmp_path: Path, target: str) -> None:
    outside = tmp_path / "outside"
    home = root / "papers" / ID
    if target == "figure":
        outside.write_bytes(b"secret")
        (home / "figures" / NAME).unlink()
        (home / "figures" / NAME).symlink_to(outside)
    elif target == "folder":
        shutil.move(home / "figures", outside)
        (home / "figures").symlink_to(outside)
    else:
        shutil.move(home, outside)
        home.symlink_to(outside)
    with pytest.raises((CorpusDamaged, UnknownDocument)):
        PaperStore(root).figure_bytes(ID, NAME)


def test_c37_a_recorded_name_that_leads_away_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    path = root / "papers" / ID / "figures.json"
    path.write_text(path.read_text().replace(NAME, "../../../../secret.png"))
    with pytest.raises(CorpusDamaged, match=r"figures\.json"):
        PaperStore(root).figure_bytes(ID, "../../../../secret.png")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_a_pipe_in_place_of_a_figure_does_not_hang_the_reader(root: Path) -> None:
    path = root / "papers" / ID / "figures" / NAME
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(CorpusDamaged, match="plain file"):
        PaperStore(root).figure_bytes(ID, NAME)


def test_an_oversized_figure_is_refused_unread(root: Path) -> None:
    with (root / "papers" / ID / "figures" / NAME).open("r+b") as file:
        file.truncate(files.MAX_FIGURE_BYTES + 1)
    with pytest.raises(CorpusDamaged, match="too large"):
        PaperStore(root).figure_bytes(ID, NAME)


class Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (os.system, ("touch exploded",))


FILES = {
    "record.json": "record",
    "tree.json": "tree",
    "pages.jsonl": "pages",
    "figures.json": "figures",
    "report.json": "report",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["pickle", "cut", "empty", "missing"])
def test_c38_a_damaged_file_is_named_and_runs_no_code(
    root: Path, name: str, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    path = root / "papers" / ID / name
    data = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(
            {"pickle": pickle.dumps(Bomb()), "cut": data[: len(data) // 2], "empty": b""}[damage]
        )
    with pytest.raises(CorpusDamaged, match=rf"corpus/papers/{ID}/{name}.*damaged.*vectree remove {ID}"):
        getattr(PaperStore(root), FILES[name])(ID)
    assert not (root / "exploded").exists()


def test_pages_out_of_order_are_damage(root: Path) -> None:
    path = root / "papers" / ID / "pages.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[1], lines[0], lines[2]]))
    with pytest.raises(CorpusDamaged, match="stands in line 1"):
        PaperStore(root).pages(ID, [1])


def test_a_folder_under_another_name_is_damage(root: Path) -> None:
    (root / "papers" / ID).rename(root / "papers" / "other2021-00ab")
    with pytest.raises(CorpusDamaged, match=ID):
        PaperStore(root).record("other2021-00ab")


def test_c12_the_folder_can_be_moved_and_names_no_place(root: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere" / "library"
    moved.parent.mkdir()
    root.rename(moved)
    assert PaperStore(moved).figure_bytes(ID, NAME) == b"png"
    for path in moved.rglob("*"):
        if path.is_file():
            assert str(tmp_path).encode() not in path.read_bytes()


def test_a_record_rewritten_by_another_process_is_seen(root: Path) -> None:
    store = PaperStore(root)
    before = store.record(ID)
    path = root / "papers" / ID / "record.json"
    changed = json.loads(path.read_text())
    changed["metadata"]["year"] = 1999
    copy = path.with_name("copy")
    copy.write_text(json.dumps(changed))
    os.utime(copy, ns=(path.stat().st_mtime_ns, path.stat().st_mtime_ns))
    os.replace(copy, path)
    assert (before.metadata.year, store.record(ID).metadata.year) == (2021, 1999)


def test_a_paper_being_replaced_is_read_from_where_it_was_set_aside(
    root: Path, make: SimpleNamespace
) -> None:
    (root / "papers" / ID).rename(root / "staging" / f"old-{ID}")
    store = PaperStore(root)
    assert store.doc_ids() == (ID,)
    assert store.pages(ID) == make.pages()


def test_readers_never_miss_a_paper_that_is_being_replaced(root: Path, make: SimpleNamespace) -> None:
    stop, problems, seen = threading.Event(), [], set()

    def read() -> None:
        store = PaperStore(root)

        def words(record: Record) -> tuple[str, str]:
            return store.pages(ID, [1])[0].raw.split()[0], store.report(ID)["word"]

        while not stop.is_set():
            try:
                if store.doc_ids() != (ID,):
                    problems.append("not listed")
                text, report = store.consistent(ID, words)
                seen.add(text)
                if text != report:
                    problems.append(f"pages say {text}, report says {report}")
            except Exception as error:
                problems.append(repr(error))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for turn in range(40):
        make.put(root, make.record(sha256=f"{turn:064x}"), word=("first", "second")[turn % 2])
    stop.set()
    for reader in readers:
        reader.join()
    assert problems == []
    assert seen == {"first", "second"}


def test_eight_threads_read_what_one_reads(root: Path) -> None:
    store = PaperStore(root)

    def once() -> object:
        return (store.records(), store.tree(ID), store.pages(ID, [2]), store.figure_bytes(ID, NAME))

    expected, different = once(), []
    threads = [
        threading.Thread(target=lambda: different.extend(1 for _ in range(50) if once() != expected))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert different == []
