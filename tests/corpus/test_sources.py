from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from vectree.corpus.labels import Labels
from vectree.corpus.sources import check_paths, find_sources
from vectree.errors import UsageError

PDF = b"%PDF-1.7\n"


def make(folder: Path, *names: str, data: bytes = PDF) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def sources(*paths: Path, corpus: Path, labels: Labels | None = None) -> list[str]:
    found = find_sources(paths, labels=labels or Labels(corpus, {}), corpus=corpus)
    assert found.failed == ()
    return [file.source for file in found.files]


def test_folders_are_searched_at_any_depth_in_a_stable_order(tmp_path: Path) -> None:
    make(tmp_path / "papers", "b.pdf", "A.PDF", "sub/deeper/c.Pdf", "figure.png", "sub/table.csv")
    assert sources(tmp_path / "papers", corpus=tmp_path / "corpus") == [
        "papers/A.PDF",
        "papers/b.pdf",
        "papers/sub/deeper/c.Pdf",
    ]


def test_hidden_files_and_folders_are_passed_over(tmp_path: Path) -> None:
    make(tmp_path / "papers", "a.pdf", "._a.pdf", ".git/b.pdf")
    assert sources(tmp_path / "papers", corpus=tmp_path / "corpus") == ["papers/a.pdf"]


def test_the_corpus_itself_is_passed_over(tmp_path: Path) -> None:
    make(tmp_path / "papers", "a.pdf", "corpus/papers/x/b.pdf")
    assert sources(tmp_path / "papers", corpus=tmp_path / "papers" / "corpus") == ["papers/a.pdf"]


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_links_are_followed_once_and_loops_end(tmp_path: Path) -> None:
    make(tmp_path / "papers", "a.pdf", "sub/b.pdf")
    (tmp_path / "papers" / "sub" / "loop").symlink_to(tmp_path / "papers")
    (tmp_path / "papers" / "z-again").symlink_to(tmp_path / "papers" / "sub")
    (tmp_path / "papers" / "dangling.pdf").symlink_to(tmp_path / "nowhere.pdf")
    make(tmp_path / "elsewhere", "c.pdf")
    (tmp_path / "papers" / "linked").symlink_to(tmp_path / "elsewhere")
    assert sources(tmp_path / "papers", corpus=tmp_path / "corpus") == [
        "papers/a.pdf",
        "papers/linked/c.pdf",
        "papers/sub/b.pdf",
    ]


def test_a_file_named_twice_is_one(tmp_path: Path) -> None:
    papers = make(tmp_path / "papers", "a.pdf", "b.pdf")
    assert sources(papers / "b.pdf", papers, papers / "a.pdf", corpus=tmp_path / "c") == [
        "papers/b.pdf",
        "papers/a.pdf",
    ]


def test_folders_give_every_kind_of_paper(tmp_path: Path) -> None:
    make(tmp_path / "papers", "a.md", "b.MARKDOWN", "c.txt", "notes.rst", "data.json", "~$open.docx")
    assert sources(tmp_path / "papers", corpus=tmp_path / "c") == [
        "papers/a.md",
        "papers/b.MARKDOWN",
        "papers/c.txt",
    ]


def test_without_converters_html_and_docx_in_folders_are_passed_over_with_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path / "papers", "a.html", "b.docx", "c.md")
    monkeypatch.setattr("vectree.corpus.sources.converters_missing", lambda: ("bs4",))
    found = find_sources([tmp_path / "papers"], labels=Labels(tmp_path, {}), corpus=tmp_path / "c")
    assert [file.source for file in found.files] == ["papers/c.md"]
    assert found.failed == ()
    assert "2 HTML and DOCX files" in found.warnings[0]
    assert "vectree-core[docs]" in found.warnings[0]
    named = find_sources([tmp_path / "papers" / "a.html"], labels=Labels(tmp_path, {}), corpus=tmp_path / "c")
    assert [file.source for file in named.files] == ["papers/a.html"]


def test_a_file_named_explicitly_counts_under_any_name_if_it_begins_like_a_pdf(tmp_path: Path) -> None:
    papers = make(tmp_path / "papers", "download")
    make(papers, "figure.png", "empty", "table.json", data=b"")
    found = find_sources(
        [papers / "download", papers / "figure.png", papers / "empty", papers / "table.json"],
        labels=Labels(tmp_path, {}),
        corpus=tmp_path / "c",
    )
    assert [file.source for file in found.files] == ["papers/download"]
    assert [(failed.source, "no kind that can be read" in failed.reason) for failed in found.failed] == [
        ("papers/figure.png", True),
        ("papers/empty", True),
        ("papers/table.json", True),
    ]


def test_a_qasper_file_gives_a_source_for_each_paper(tmp_path: Path) -> None:
    section = {"section_name": "Introduction", "paragraphs": ["Text."]}
    paper = {"title": "One", "abstract": "", "full_text": [section], "qas": [{"question": "Why?"}]}
    file = {"1909.00001": paper, "x": {**paper, "title": "Two"}, "empty": {**paper, "full_text": []}}
    make(tmp_path / "papers", "dev.json", data=json.dumps(file).encode())
    make(tmp_path / "papers", "other.json", data=b'{"full_text": 1}')
    found = find_sources([tmp_path / "papers"], labels=Labels(tmp_path, {}), corpus=tmp_path / "c")
    assert [file.source for file in found.files] == ["papers/dev.json#1909.00001", "papers/dev.json#x"]
    assert len({file.part.sha256 for file in found.files if file.part}) == 2
    assert [failure.source for failure in found.failed] == ["papers/dev.json#empty"]


def test_a_qasper_file_cut_short_is_one_failure(tmp_path: Path) -> None:
    make(tmp_path / "papers", "dev.json", data=b'{"a": {"full_text": [{"section_name": "I"')
    found = find_sources([tmp_path / "papers"], labels=Labels(tmp_path, {}), corpus=tmp_path / "c")
    assert found.files == ()
    assert [failure.source for failure in found.failed] == ["papers/dev.json"]
    assert "not valid JSON" in found.failed[0].reason


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    os.mkfifo(tmp_path / "papers" / "x.pdf")
    labels = Labels(tmp_path, {})
    assert find_sources([tmp_path / "papers"], labels=labels, corpus=tmp_path / "c").files == ()
    found = find_sources([tmp_path / "papers" / "x.pdf"], labels=labels, corpus=tmp_path / "c")
    assert "neither a file nor a folder" in found.failed[0].reason


@pytest.mark.parametrize("path", ["nowhere", "nowhere.pdf", "a\x00b"])
def test_a_missing_path_is_wrong_usage(tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageError, match="no file or folder"):
        check_paths([tmp_path, tmp_path / path])


def test_nothing_to_add_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="nothing to add"):
        check_paths([])


def test_two_folders_of_the_same_name_have_two_labels(tmp_path: Path) -> None:
    make(tmp_path / "x" / "papers", "a.pdf")
    make(tmp_path / "y" / "papers", "a.pdf")
    labels = Labels(tmp_path / "corpus", {})
    found = sources(
        tmp_path / "x" / "papers", tmp_path / "y" / "papers", corpus=tmp_path / "corpus", labels=labels
    )
    assert found == ["papers/a.pdf", "papers-2/a.pdf"]
    again = Labels(tmp_path / "corpus", labels.marks)
    assert sources(tmp_path / "y" / "papers", corpus=tmp_path / "corpus", labels=again) == ["papers-2/a.pdf"]


def test_a_file_has_one_source_however_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    papers = make(tmp_path / "papers", "sub/a.pdf")
    labels = Labels(tmp_path / "corpus", {})
    monkeypatch.chdir(tmp_path)
    for path in (
        papers,
        papers / "sub",
        papers / "sub" / "a.pdf",
        Path("papers/sub/../sub/a.pdf"),
        Path("papers"),
    ):
        assert sources(path, corpus=tmp_path / "corpus", labels=labels) == ["papers/sub/a.pdf"]
    assert list(labels.marks) == ["papers"]


def test_a_folder_above_a_labelled_one_leaves_its_sources_as_they_were(tmp_path: Path) -> None:
    make(tmp_path / "papers", "sub/a.pdf", "b.pdf")
    labels = Labels(tmp_path / "corpus", {})
    assert sources(tmp_path / "papers" / "sub", corpus=tmp_path / "corpus", labels=labels) == ["sub/a.pdf"]
    assert sources(tmp_path / "papers", corpus=tmp_path / "corpus", labels=labels) == [
        "papers/b.pdf",
        "sub/a.pdf",
    ]


def test_c12_labels_are_found_again_after_the_corpus_moved_alone_or_with_its_papers(tmp_path: Path) -> None:
    make(tmp_path / "one" / "papers", "a.pdf")
    labels = Labels(tmp_path / "one" / "corpus", {})
    sources(tmp_path / "one" / "papers", corpus=tmp_path / "one" / "corpus", labels=labels)
    alone = Labels(tmp_path / "far" / "away", labels.marks)
    assert sources(tmp_path / "one" / "papers", corpus=tmp_path / "far" / "away", labels=alone) == [
        "papers/a.pdf"
    ]
    (tmp_path / "one").rename(tmp_path / "two")
    together = Labels(tmp_path / "two" / "corpus", labels.marks)
    assert sources(tmp_path / "two" / "papers", corpus=tmp_path / "two" / "corpus", labels=together) == [
        "papers/a.pdf"
    ]


def test_no_path_is_kept(tmp_path: Path) -> None:
    make(tmp_path / "papers", "a.pdf")
    labels = Labels(tmp_path / "corpus", {})
    sources(tmp_path / "papers", corpus=tmp_path / "corpus", labels=labels)
    assert tmp_path.name not in repr(labels.marks)


@pytest.mark.skipif(os.name == "nt" or os.uname().sysname == "Darwin", reason="such names cannot exist here")
def test_c33_names_that_are_no_utf_8_get_a_printable_source(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.pdf"))).write_bytes(PDF)
    found = sources(folder, corpus=tmp_path / "corpus")
    assert found == ["papers/caf\\xe9.pdf"]
    found[0].encode("utf-8")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_folder_that_cannot_be_opened_is_listed_as_failed(tmp_path: Path) -> None:
    make(tmp_path / "papers", "a.pdf", "closed/b.pdf")
    (tmp_path / "papers" / "closed").chmod(0)
    found = find_sources([tmp_path / "papers"], labels=Labels(tmp_path, {}), corpus=tmp_path / "c")
    (tmp_path / "papers" / "closed").chmod(0o700)
    assert [failed.source for failed in found.failed] == ["papers/closed"]
