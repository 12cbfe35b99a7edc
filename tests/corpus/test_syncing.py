from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from vectree.corpus import Corpus, SyncReport
from vectree.errors import UsageError

if TYPE_CHECKING:
    from tests.corpus.conftest import Desk


def names(items: tuple[Any, ...]) -> list[str]:
    return [item.source for item in items]


def state(report: SyncReport) -> dict[str, list[str]]:
    fields = ("added", "replaced", "unchanged", "failed", "removed")
    return {field: names(getattr(report, field)) for field in fields if getattr(report, field)}


def test_what_is_new_changed_and_gone_is_brought_in_line(corpus: Corpus, desk: Desk) -> None:
    for name in ("a.pdf", "b.pdf", "c.pdf"):
        desk.write(name, f"The paper {name}")
    first = corpus.sync(desk.folder)
    assert state(first) == {"added": ["papers/a.pdf", "papers/b.pdf", "papers/c.pdf"]}
    kept = {record.source: record.doc_id for record in corpus.list()}
    desk.write("b.pdf", "Another text behind b")
    desk.write("sub/d.pdf", "The fourth")
    (desk.folder / "c.pdf").unlink()
    report = corpus.sync(desk.folder)
    assert state(report) == {
        "added": ["papers/sub/d.pdf"],
        "replaced": ["papers/b.pdf"],
        "unchanged": ["papers/a.pdf"],
        "removed": ["papers/c.pdf"],
    }
    assert report.removed[0].doc_id == kept["papers/c.pdf"]
    assert report.replaced[0].doc_id == kept["papers/b.pdf"]
    assert sorted(record.source for record in corpus.list()) == [
        "papers/a.pdf",
        "papers/b.pdf",
        "papers/sub/d.pdf",
    ]
    assert corpus.search("The paper c.pdf").total_documents == 3
    assert state(corpus.sync(desk.folder)) == {
        "unchanged": ["papers/a.pdf", "papers/b.pdf", "papers/sub/d.pdf"]
    }


def test_a_dry_run_tells_the_same_and_changes_nothing(corpus: Corpus, desk: Desk, root: Path) -> None:
    for name in ("a.pdf", "b.pdf", "c.pdf", "e.pdf"):
        desk.write(name, f"The paper {name}")
    first = corpus.sync(desk.folder, dry_run=True)
    assert (first.dry_run, len(first.added), root.exists()) == (True, 4, False)
    corpus.sync(desk.folder)
    read = len(desk.read)
    desk.write("b.pdf", "New")
    desk.write("d.pdf", "More")
    (desk.folder / "c.pdf").unlink()
    (desk.folder / "e.pdf").rename(desk.folder / "moved.pdf")
    before = corpus.list()
    foreseen = corpus.sync(desk.folder, dry_run=True)
    assert corpus.list() == before
    assert len(desk.read) == read
    assert {item.doc_id for item in foreseen.added} == {""}
    done = corpus.sync(desk.folder)
    assert state(foreseen) == state(done)


def test_c12_a_file_that_was_moved_stays_the_document_it_is(corpus: Corpus, desk: Desk) -> None:
    desk.write("a.pdf")
    corpus.sync(desk.folder)
    [before] = corpus.list()
    (desk.folder / "sub").mkdir()
    (desk.folder / "a.pdf").rename(desk.folder / "sub" / "b.pdf")
    report = corpus.sync(desk.folder)
    assert state(report) == {"unchanged": ["papers/sub/b.pdf"]}
    [after] = corpus.list()
    assert (after.doc_id, after.sources) == (before.doc_id, ("papers/sub/b.pdf",))
    assert len(desk.read) == 1


def test_a_document_leaves_with_its_last_source_only(corpus: Corpus, desk: Desk, tmp_path: Path) -> None:
    path = desk.write("a.pdf")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "copy.pdf").write_bytes(path.read_bytes())
    desk.write("b.pdf", "Second")
    corpus.add(desk.folder, tmp_path / "other")
    path.unlink()
    assert state(corpus.sync(desk.folder)) == {"unchanged": ["papers/b.pdf"]}
    assert {record.sources for record in corpus.list()} == {("other/copy.pdf",), ("papers/b.pdf",)}


def test_documents_from_elsewhere_are_left_alone(corpus: Corpus, desk: Desk, tmp_path: Path) -> None:
    desk.write("a.pdf", "One")
    desk.write("sub/b.pdf", "Two")
    desk.write("sub/c.pdf", "Three")
    elsewhere = desk.write("../elsewhere/x.pdf", "Four")
    corpus.add(desk.folder, elsewhere)
    elsewhere.unlink()
    (desk.folder / "a.pdf").unlink()
    (desk.folder / "sub" / "c.pdf").unlink()
    assert names(corpus.sync(desk.folder / "sub").removed) == ["papers/sub/c.pdf"]
    assert names(corpus.sync(desk.folder).removed) == ["papers/a.pdf"]
    assert sorted(record.source for record in corpus.list()) == ["elsewhere/x.pdf", "papers/sub/b.pdf"]


def test_a_folder_above_a_labelled_one_covers_its_documents(corpus: Corpus, desk: Desk) -> None:
    desk.write("sub/b.pdf", "Two")
    gone = desk.write("sub/c.pdf", "Three")
    corpus.add(desk.folder / "sub")
    gone.unlink()
    assert names(corpus.sync(desk.folder).removed) == ["sub/c.pdf"]


def test_an_empty_folder_empties_nothing_unless_asked(corpus: Corpus, desk: Desk) -> None:
    path = desk.write("a.pdf")
    corpus.sync(desk.folder)
    path.unlink()
    for dry_run in (True, False):
        with pytest.raises(UsageError, match="nothing was removed"):
            corpus.sync(desk.folder, dry_run=dry_run)
    assert len(corpus.list()) == 1
    assert names(corpus.sync(desk.folder, allow_empty=True).removed) == ["papers/a.pdf"]
    assert corpus.list() == ()


def test_what_cannot_be_read_now_keeps_its_document(corpus: Corpus, desk: Desk) -> None:
    desk.write("a.pdf", "One")
    broken = desk.write("b.pdf", "Two")
    corpus.sync(desk.folder)
    broken.write_text("no paper any more")
    report = corpus.sync(desk.folder)
    assert state(report) == {"unchanged": ["papers/a.pdf"], "failed": ["papers/b.pdf"]}
    broken.rename(desk.folder / "b.pdf.part")
    (desk.folder / "c.pdf").write_text("x")
    assert names(corpus.sync(desk.folder).removed) == ["papers/b.pdf"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user whom permissions bind")
def test_a_folder_that_cannot_be_opened_keeps_its_documents(corpus: Corpus, desk: Desk) -> None:
    desk.write("a.pdf", "One")
    desk.write("sub/b.pdf", "Two")
    corpus.sync(desk.folder)
    (desk.folder / "sub").chmod(0)
    try:
        report = corpus.sync(desk.folder)
    finally:
        (desk.folder / "sub").chmod(0o755)
    assert report.removed == ()
    assert names(report.failed) == ["papers/sub"]


def test_files_named_explicitly_under_odd_names_stay_while_they_exist(corpus: Corpus, desk: Desk) -> None:
    odd = desk.write("download", "One")
    desk.write("a.pdf", "Two")
    corpus.add(odd, desk.folder)
    assert corpus.sync(desk.folder).removed == ()
    odd.unlink()
    assert names(corpus.sync(desk.folder).removed) == ["papers/download"]


def test_papers_of_a_qasper_file_come_and_go_with_it(root: Path, tmp_path: Path) -> None:
    def write(*keys: str) -> None:
        section = {"section_name": "Introduction", "paragraphs": ["Words about it."]}
        papers = {key: {"title": f"The paper {key}", "abstract": "", "full_text": [section]} for key in keys}
        (folder / "dev#1.json").write_text(json.dumps(papers))

    folder = tmp_path / "q"
    folder.mkdir()
    (folder / "note.md").write_text("# A note\n\nwords")
    corpus = Corpus.open(root, embedder="hash")
    write("a", "b#1", "c")
    assert len(corpus.sync(folder).added) == 4
    write("a", "b#1")
    assert names(corpus.sync(folder).removed) == ["q/dev#1.json#c"]
    (folder / "dev#1.json").write_text('{"a": {"full_text": [{"section_name"')
    report = corpus.sync(folder)
    assert (names(report.failed), report.removed) == (["q/dev#1.json"], ())
    (folder / "dev#1.json").unlink()
    assert len(corpus.sync(folder).removed) == 2


def test_a_file_or_nothing_is_wrong_usage(corpus: Corpus, desk: Desk) -> None:
    with pytest.raises(UsageError, match="is a file"):
        corpus.sync(desk.write("a.pdf"))
    with pytest.raises(UsageError, match="no file or folder"):
        corpus.sync(desk.folder / "nowhere")
