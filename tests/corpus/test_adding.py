from __future__ import annotations

import errno
import os
import shutil
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from vectree.corpus import AddEvent, AddReport, Corpus, Outcome
from vectree.errors import CorpusLocked, CorpusNotFound, EmbedderError, StoreError, UsageError
from vectree.index.embedder import HashEmbedder
from vectree.store.lock import write_lock


def outcome(report: AddReport) -> dict[str, list[str]]:
    """Sources by what became of them."""
    kinds = ("added", "replaced", "unchanged", "failed")
    return {kind: [item.source for item in getattr(report, kind)] for kind in kinds if getattr(report, kind)}


def titles(corpus: Corpus) -> dict[str, str]:
    return {record.doc_id: record.metadata.title for record in corpus.list()}


def test_a_folder_becomes_a_corpus_that_can_be_searched_and_read(corpus: Corpus, desk: Any) -> None:
    desk.write("a.pdf", "Garnet electrolytes conduct lithium", author="Ida Gößling", year=2024)
    desk.write("sub/b.pdf", "Perovskite solar cells degrade", author="B. Ito", year=2020)
    report = corpus.add(desk.folder)
    assert outcome(report) == {"added": ["papers/a.pdf", "papers/sub/b.pdf"]}
    garnet, perovskite = (item.doc_id for item in report.added)
    assert (garnet[:13], perovskite[:8]) == ("gossling2024-", "ito2020-")
    assert [hit.doc_id for hit in corpus.search("perovskite solar cells").hits] == [perovskite]
    assert corpus.record(garnet).source == "papers/a.pdf"
    assert corpus.tree(garnet).total_pages == 3
    assert corpus.figure(garnet, "p001-1.png") == b"Garnet electrolytes conduct lithium"
    assert corpus.report(garnet)["parser"] == "pretend"
    assert corpus.report(garnet)["index"]["entries"] == 2


def test_c12_the_same_folder_again_does_no_work(corpus: Corpus, desk: Any, root: Path) -> None:
    desk.write("a.pdf", "One")
    desk.write("b.pdf", "Two")
    corpus.add(desk.folder)
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()}
    desk.read.clear()
    report = Corpus.open(root, embedder=Counting()).add(desk.folder)
    assert outcome(report) == {"unchanged": ["papers/a.pdf", "papers/b.pdf"]}
    assert desk.read == []
    assert Counting.calls == 0
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()} == before


class Counting(HashEmbedder):
    calls = 0

    def embed_documents(self, texts: Any) -> Any:
        Counting.calls += 1
        return super().embed_documents(texts)

    def embed_query(self, text: str) -> Any:
        Counting.calls += 1
        return super().embed_query(text)


def test_c12_a_copy_under_another_name_is_one_document_with_two_sources(corpus: Corpus, desk: Any) -> None:
    first = desk.write("a.pdf", "One")
    shutil.copy(first, desk.folder / "b.pdf")
    report = corpus.add(desk.folder)
    assert outcome(report) == {"added": ["papers/a.pdf"], "unchanged": ["papers/b.pdf"]}
    assert report.added[0].doc_id == report.unchanged[0].doc_id
    shutil.copy(first, desk.folder / "c.pdf")
    assert outcome(corpus.add(desk.folder / "c.pdf")) == {"unchanged": ["papers/c.pdf"]}
    (record,) = corpus.list()
    assert record.sources == ("papers/a.pdf", "papers/b.pdf", "papers/c.pdf")
    assert desk.read == ["a.pdf"]


def test_c12_files_of_one_name_in_two_folders_are_two_documents(corpus: Corpus, desk: Any) -> None:
    desk.write("x/paper.pdf", "Same title", year=2001)
    desk.write("y/paper.pdf", "Same title", year=2002)
    report = corpus.add(desk.folder / "x", desk.folder / "y")
    assert outcome(report) == {"added": ["x/paper.pdf", "y/paper.pdf"]}
    assert len({item.doc_id for item in report.added}) == 2


def test_c12_new_bytes_behind_a_source_replace_the_document_and_keep_its_name(
    corpus: Corpus, desk: Any
) -> None:
    desk.write("a.pdf", "Garnet electrolytes conduct lithium")
    desk.write("b.pdf", "Perovskite solar cells degrade")
    doc_id = corpus.add(desk.folder).added[0].doc_id
    desk.write("a.pdf", "Batteries of sodium and sulfur", author="Z. Other", year=2030)
    report = corpus.add(desk.folder)
    assert outcome(report) == {"replaced": ["papers/a.pdf"], "unchanged": ["papers/b.pdf"]}
    assert report.replaced[0].doc_id == doc_id
    assert titles(corpus)[doc_id] == "Batteries of sodium and sulfur"
    assert len(corpus.list()) == 2
    assert [hit.doc_id for hit in corpus.search("sodium sulfur batteries").hits] == [doc_id]
    assert corpus.search("garnet electrolytes").hits == ()
    assert corpus.figure(doc_id, "p001-1.png") == b"Batteries of sodium and sulfur"


def test_new_bytes_that_cannot_be_read_leave_the_old_document(corpus: Corpus, desk: Any) -> None:
    path = desk.write("a.pdf", "One")
    corpus.add(path)
    path.write_text("garbage")
    assert outcome(corpus.add(path)) == {"failed": ["papers/a.pdf"]}
    assert list(titles(corpus).values()) == ["One"]
    desk.write("a.pdf", "One")
    assert outcome(corpus.add(path)) == {"unchanged": ["papers/a.pdf"]}


def test_new_bytes_behind_one_of_two_sources_are_a_new_document(corpus: Corpus, desk: Any) -> None:
    first = desk.write("a.pdf", "One")
    shutil.copy(first, desk.folder / "b.pdf")
    old = corpus.add(desk.folder).added[0].doc_id
    desk.write("a.pdf", "Two")
    report = corpus.add(desk.folder)
    assert outcome(report) == {"added": ["papers/a.pdf"], "unchanged": ["papers/b.pdf"]}
    assert corpus.record(old).sources == ("papers/b.pdf",)
    assert corpus.record(report.added[0].doc_id).sources == ("papers/a.pdf",)


def test_files_that_swap_names_stay_the_documents_they_are(corpus: Corpus, desk: Any) -> None:
    desk.write("a.pdf", "One")
    desk.write("b.pdf", "Two")
    before = titles(corpus) if corpus.add(desk.folder) else {}
    desk.write("a.pdf", "Two")
    desk.write("b.pdf", "One")
    assert outcome(corpus.add(desk.folder)) == {"unchanged": ["papers/a.pdf", "papers/b.pdf"]}
    assert titles(corpus) == before
    assert {record.metadata.title: record.sources for record in corpus.list()} == {
        "One": ("papers/b.pdf",),
        "Two": ("papers/a.pdf",),
    }
    assert len(desk.read) == 2


def test_a_renamed_file_with_a_new_one_in_its_place_keeps_both(corpus: Corpus, desk: Any) -> None:
    desk.write("a.pdf", "One")
    corpus.add(desk.folder)
    desk.write("b.pdf", "One")
    desk.write("a.pdf", "Two")
    assert outcome(corpus.add(desk.folder)) == {"added": ["papers/a.pdf"], "unchanged": ["papers/b.pdf"]}
    assert {record.metadata.title: record.sources for record in corpus.list()} == {
        "One": ("papers/b.pdf",),
        "Two": ("papers/a.pdf",),
    }


def test_a_document_overwritten_by_a_copy_of_another_is_removed_and_said_so(
    corpus: Corpus, desk: Any
) -> None:
    desk.write("a.pdf", "Garnet electrolytes")
    desk.write("b.pdf", "Perovskite solar cells")
    gone = corpus.add(desk.folder).added[1].doc_id
    shutil.copy(desk.folder / "a.pdf", desk.folder / "b.pdf")
    report = corpus.add(desk.folder)
    assert outcome(report) == {"unchanged": ["papers/a.pdf", "papers/b.pdf"]}
    assert report.warnings == (
        f"{gone} was removed: papers/b.pdf now holds the bytes of another document of the corpus.",
    )
    assert list(titles(corpus).values()) == ["Garnet electrolytes"]
    assert corpus.search("perovskite solar cells").hits == ()


def test_two_documents_overwritten_by_the_same_new_bytes_become_one(corpus: Corpus, desk: Any) -> None:
    desk.write("a.pdf", "One")
    desk.write("b.pdf", "Two")
    first = corpus.add(desk.folder).added[0].doc_id
    desk.write("a.pdf", "Three")
    desk.write("b.pdf", "Three")
    report = corpus.add(desk.folder)
    assert outcome(report) == {"replaced": ["papers/a.pdf"], "unchanged": ["papers/b.pdf"]}
    assert titles(corpus) == {first: "Three"}
    assert corpus.record(first).sources == ("papers/a.pdf", "papers/b.pdf")


def test_c33_a_bad_file_costs_only_itself_and_is_tried_again(corpus: Corpus, desk: Any) -> None:
    desk.write("good.pdf", "One")
    desk.write("sub/good too.pdf", "Two")
    (desk.folder / "bad.pdf").write_text("%PDX")
    (desk.folder / "empty.pdf").write_text("")
    report = corpus.add(desk.folder)
    assert outcome(report) == {
        "added": ["papers/good.pdf", "papers/sub/good too.pdf"],
        "failed": ["papers/bad.pdf", "papers/empty.pdf"],
    }
    assert report.failed[0].reason == "These bytes are not a PDF. Open it in a viewer."
    desk.write("bad.pdf", "Mended")
    assert outcome(corpus.add(desk.folder))["added"] == ["papers/bad.pdf"]


def test_an_unexpected_error_costs_only_its_file(
    corpus: Corpus, desk: Any, caplog: pytest.LogCaptureFixture
) -> None:
    desk.write("a.pdf", "One")
    desk.write("b.pdf", "Two")

    def fail(path: Path) -> None:
        if path.name == "a.pdf":
            raise ZeroDivisionError("by zero")

    desk.before_reading = fail
    report = corpus.add(desk.folder)
    assert outcome(report) == {"added": ["papers/b.pdf"], "failed": ["papers/a.pdf"]}
    assert "ZeroDivisionError" in report.failed[0].reason
    assert "failed unexpectedly" in caplog.text


def test_a_file_that_changes_while_it_is_read_is_not_stored_under_a_wrong_hash(
    corpus: Corpus, desk: Any
) -> None:
    path = desk.write("a.pdf", "One")
    desk.before_reading = lambda path: os.truncate(path, 0) or desk.write("a.pdf", "Something longer")
    report = corpus.add(path)
    assert "changed while it was read" in report.failed[0].reason
    assert corpus.list() == ()


def test_copies_of_a_bad_file_fail_with_it(corpus: Corpus, desk: Any) -> None:
    for name in ("a.pdf", "b.pdf"):
        (desk.folder / name).write_text("same garbage")
    assert outcome(corpus.add(desk.folder)) == {"failed": ["papers/a.pdf", "papers/b.pdf"]}
    assert desk.read == ["a.pdf"]


def test_nothing_in_the_making_is_left_behind(corpus: Corpus, desk: Any, root: Path) -> None:
    desk.write("a.pdf", "One")
    (desk.folder / "bad.pdf").write_text("garbage")
    corpus.add(desk.folder)
    assert list((root / "staging").iterdir()) == []


def test_papers_are_committed_in_order_however_long_each_takes(corpus: Corpus, desk: Any) -> None:
    for n in range(8):
        desk.write(f"{n}.pdf", f"Paper number {n}")
    desk.before_reading = lambda path: time.sleep(0.15 if path.name == "0.pdf" else 0)
    events: list[AddEvent] = []
    report = corpus.add(desk.folder, jobs=4, on_progress=events.append)
    expected = [f"papers/{n}.pdf" for n in range(8)]
    assert [item.source for item in report.added] == expected
    assert [event.source for event in events if event.stage == "done"] == expected
    assert len(desk.read) == 8


def test_progress_names_stages_and_counts_up(corpus: Corpus, desk: Any) -> None:
    desk.write("a.pdf", "One")
    (desk.folder / "bad.pdf").write_text("garbage")
    events: list[AddEvent] = []
    corpus.add(desk.folder, on_progress=events.append)
    stages = [event.stage for event in events if event.source == "papers/a.pdf"]
    assert stages == ["hash", "parse", "index", "done"]
    assert {event.total for event in events} == {2}
    assert [event.done for event in events] == sorted(event.done for event in events)
    assert (events[-1].outcome, events[-1].done) == (Outcome.FAILED, 2)
    assert "not a PDF" in events[-1].reason


def test_a_callback_that_raises_ends_the_run_and_keeps_what_is_finished(
    corpus: Corpus, desk: Any, root: Path
) -> None:
    for n in range(6):
        desk.write(f"{n}.pdf", f"Paper number {n}")

    def stop(event: AddEvent) -> None:
        if event.stage == "done" and event.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        corpus.add(desk.folder, on_progress=stop)
    assert len(corpus.list()) == 2
    assert list((root / "staging").iterdir()) == []
    assert len(corpus.add(desk.folder).added) == 4


def test_warnings_name_their_source(corpus: Corpus, desk: Any) -> None:
    desk.write("scan.pdf", "Old scan", status="needs_ocr", warnings=["All 3 pages are scans."])
    report = corpus.add(desk.folder)
    assert report.warnings == ("papers/scan.pdf: All 3 pages are scans.",)
    assert corpus.list()[0].status == "needs_ocr"


@pytest.mark.parametrize("order", [("paper.pdf", "paper_supp.pdf"), ("paper_supp.pdf", "paper.pdf")])
def test_c11_supplements_are_linked_both_ways_in_either_order(
    corpus: Corpus, desk: Any, order: tuple[str, str]
) -> None:
    desk.write("other.pdf", "Another paper about something else", author="B. Ito", doi="10.1/zzz")
    desk.write("paper.pdf", "Garnet electrolytes conduct lithium", doi="10.1/abc")
    desk.write(
        "paper_supp.pdf",
        "Supplementary material: Garnet electrolytes conduct lithium",
        doi="10.1/abc",
        supplement=True,
    )
    corpus.add(desk.folder / "other.pdf")
    ids = {}
    for name in order:
        ids[name] = corpus.add(desk.folder / name).added[0].doc_id
    assert corpus.record(ids["paper.pdf"]).related == (ids["paper_supp.pdf"],)
    assert corpus.record(ids["paper_supp.pdf"]).related == (ids["paper.pdf"],)
    shown = {hit.doc_id: hit.related_documents for hit in corpus.search("*").hits}
    assert shown[ids["paper.pdf"]] == (ids["paper_supp.pdf"],)
    assert shown[ids["paper_supp.pdf"]] == (ids["paper.pdf"],)
    corpus.remove(ids["paper_supp.pdf"])
    assert corpus.record(ids["paper.pdf"]).related == ()
    assert {hit.related_documents for hit in corpus.search("*").hits} == {()}


def test_a_missing_path_is_wrong_usage_and_makes_no_corpus(corpus: Corpus, desk: Any, root: Path) -> None:
    desk.write("a.pdf", "One")
    with pytest.raises(UsageError, match="no file or folder"):
        corpus.add(desk.folder, desk.folder / "nowhere")
    assert not root.exists()


def test_a_folder_without_papers_makes_no_corpus(corpus: Corpus, desk: Any, root: Path) -> None:
    (desk.folder / "figure.png").write_text("x")
    report = corpus.add(desk.folder)
    assert report == AddReport(warnings=report.warnings)
    assert "Nothing was found that can be added: PDF" in report.warnings[0]
    assert outcome(corpus.add(desk.folder / "figure.png")) == {"failed": ["papers/figure.png"]}
    assert not root.exists()


def test_files_that_cannot_be_added_do_not_hold_up_the_others(corpus: Corpus, desk: Any) -> None:
    (desk.folder / "notes.txt").write_text("x")
    report = corpus.add(desk.folder / "notes.txt", desk.write("a.pdf", "One"))
    assert outcome(report) == {"added": ["papers/a.pdf"], "failed": ["papers/notes.txt"]}


@pytest.mark.parametrize("jobs", [0, -1])
def test_jobs_below_one_are_wrong_usage(corpus: Corpus, desk: Any, jobs: int) -> None:
    with pytest.raises(UsageError, match="jobs"):
        corpus.add(desk.write("a.pdf", "One"), jobs=jobs)


def test_a_folder_with_other_files_is_not_made_a_corpus(desk: Any) -> None:
    desk.write("a.pdf", "One")
    corpus = Corpus.open(desk.folder, embedder="hash")
    with pytest.raises(UsageError, match="other files"):
        corpus.add(desk.folder / "a.pdf")
    with pytest.raises(CorpusNotFound):
        corpus.list()
    assert [path.name for path in desk.folder.iterdir()] == ["a.pdf"]


def test_c37_a_name_that_looks_like_a_path_writes_nothing_outside(
    corpus: Corpus, desk: Any, root: Path
) -> None:
    desk.write("..%2fevil.pdf", "One", author="../../etc/passwd")
    desk.write("..\\evil.pdf", "Two", author="..")
    report = corpus.add(desk.folder)
    assert len(report.added) == 2
    assert sorted(path.name for path in root.parent.iterdir()) == ["corpus", "papers"]
    assert {path.parent for path in (root / "papers").iterdir()} == {root / "papers"}


def test_another_writer_is_waited_for_and_then_reported(
    corpus: Corpus, desk: Any, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.add(desk.write("a.pdf", "One"))
    monkeypatch.setattr("vectree.corpus.session.write_lock", partial(write_lock, timeout=0.05))
    with write_lock(root), pytest.raises(CorpusLocked):
        corpus.add(desk.write("b.pdf", "Two"))
    assert len(corpus.list()) == 1


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_takes_nothing_more_is_an_error_with_advice_and_loses_nothing(
    corpus: Corpus, desk: Any, number: int
) -> None:
    corpus.add(desk.write("a.pdf", "One"))

    def full(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vectree.store.durable.os.rename", full)
        with pytest.raises(StoreError, match=r"cannot be written to.*space on the disk"):
            corpus.add(desk.write("b.pdf", "Two"))
    assert list(titles(corpus).values()) == ["One"]
    assert len(corpus.add(desk.folder).added) == 1


def test_a_model_that_cannot_be_loaded_is_found_out_before_anything_is_stored(root: Path, desk: Any) -> None:
    class Broken(HashEmbedder):
        def embed_query(self, text: str) -> Any:
            raise EmbedderError("no model")

    desk.write("a.pdf", "One")
    with pytest.raises(EmbedderError):
        Corpus.open(root, embedder=Broken()).add(desk.folder)
    assert list((root / "papers").iterdir()) == []
    assert list((root / "staging").iterdir()) == []
    assert len(Corpus.open(root, embedder="hash").add(desk.folder).added) == 1
