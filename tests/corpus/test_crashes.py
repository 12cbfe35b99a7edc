from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vectree.corpus import Corpus
from vectree.errors import UnknownDocument

GARNET, PEROVSKITE = "Garnet electrolytes conduct lithium", "Perovskite solar cells degrade"
QUERIES = {GARNET: "garnet electrolytes lithium", PEROVSKITE: "perovskite solar cells"}


class Killed(BaseException):
    """Stands for a process that ends between two system calls."""


def die_at(patch: pytest.MonkeyPatch, step: int, *, after: bool) -> None:
    """Make the n-th rename or deletion, in store or index, the last thing that happens."""
    taken = 0

    def guard(real: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*arguments: Any, **named: Any) -> Any:
            nonlocal taken
            taken += 1
            if taken == step and not after:
                raise Killed
            try:
                return real(*arguments, **named)
            finally:
                if taken == step:
                    raise Killed

        return guarded

    patch.setattr(os, "rename", guard(os.rename))
    patch.setattr(os, "replace", guard(os.replace))
    patch.setattr(os, "unlink", guard(os.unlink))
    patch.setattr(shutil, "rmtree", guard(shutil.rmtree))


def visible(corpus: Corpus) -> dict[str, str]:
    """Titles by ``doc_id``; every paper that search or the catalogue shows must be whole."""
    found = {record.doc_id: record.metadata.title for record in corpus.list()}
    for doc_id, title in found.items():
        assert [page.raw for page in corpus.pages(doc_id)] == [f"{title} page {n}" for n in (1, 2, 3)]
        assert corpus.figure(doc_id, "p001-1.png") == title.encode()
        assert corpus.tree(doc_id).nodes[0].summary == f"What was found about {title}."
    for hit in corpus.search("*").hits:
        assert hit.doc_id in found
        corpus.record(hit.doc_id)
    return found


def complete(corpus: Corpus, desk: Any, expected: list[str]) -> None:
    """A rerun brings store and index to the end state, and nothing is left over."""
    corpus.add(desk.folder)
    assert sorted(visible(corpus).values()) == sorted(expected)
    shown = corpus.search("*")
    assert sorted(hit.title for hit in shown.hits) == sorted(expected)
    for title, query in QUERIES.items():
        assert [hit.title for hit in corpus.search(query).hits] == [title] * expected.count(title)
    index = corpus._state.current().index
    assert index.size.entries == 2 * len(expected)  # N(1 + S)
    root = corpus.path
    assert list((root / "staging").iterdir()) == []
    stale = root / "index" / "stale"
    assert not stale.exists() or list(stale.iterdir()) == []


def add(corpus: Corpus, desk: Any) -> None:
    desk.write("b.pdf", PEROVSKITE)
    corpus.add(desk.folder)


def replace(corpus: Corpus, desk: Any) -> None:
    desk.write("a.pdf", PEROVSKITE)
    corpus.add(desk.folder)


def remove(corpus: Corpus, desk: Any) -> None:
    (desk.folder / "a.pdf").unlink(missing_ok=True)
    for record in corpus.list():
        corpus.remove(record.doc_id)


def link(corpus: Corpus, desk: Any) -> None:
    desk.write("a_supp.pdf", PEROVSKITE, supplement=True)
    corpus.add(desk.folder)


CHANGES = [
    (add, [GARNET], [GARNET, PEROVSKITE]),
    (replace, [GARNET], [PEROVSKITE]),
    (remove, [GARNET], []),
    (link, [GARNET], [GARNET, PEROVSKITE]),
]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("change", "begin", "end"), CHANGES, ids=["add", "replace", "remove", "link"])
def test_c13_a_death_at_any_step_shows_whole_papers_only_and_the_rerun_completes(
    desk: Any,
    tmp_path: Path,
    change: Callable[[Corpus, Any], None],
    begin: list[str],
    end: list[str],
    after: bool,
) -> None:
    template = tmp_path / "template"
    desk.write("a.pdf", GARNET)
    Corpus.open(template, embedder="hash").add(desk.folder)
    died = 0
    for step in range(1, 80):
        for path in desk.folder.iterdir():
            path.unlink()
        desk.write("a.pdf", GARNET)
        root = tmp_path / "corpus"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(template, root)
        with pytest.MonkeyPatch.context() as patch:
            die_at(patch, step, after=after)
            try:
                change(Corpus.open(root), desk)
            except Killed:
                died += 1
            else:
                break
        reader = Corpus.open(root)
        assert set(visible(reader).values()) <= {*begin, *end}
        if change is remove:
            remove(reader, desk)
            if not any(desk.folder.iterdir()):
                desk.write("z.pdf", GARNET)
                complete(reader, desk, [GARNET])
        else:
            complete(reader, desk, end)
    assert died >= 3


def test_c13_links_between_supplements_survive_a_death_between_the_two_records(
    corpus: Corpus, desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("a.pdf", GARNET)
    paper = corpus.add(desk.folder).added[0].doc_id
    desk.write("a_supp.pdf", PEROVSKITE, supplement=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vectree.corpus.session.WriteSession._relink", lambda _: (_ for _ in ()).throw(Killed))
        with pytest.raises(Killed):
            corpus.add(desk.folder)
        patch.undo()
    corpus.add(desk.folder)
    (supplement,) = corpus.record(paper).related
    assert corpus.record(supplement).related == (paper,)


KILLED_WRITER = """
import os, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[3])
import conftest
import vectree.corpus.preparing as preparing
from vectree.corpus import Corpus
desk = conftest.Desk(Path(sys.argv[2]))
desk.before_reading = lambda path: time.sleep(0.02)
preparing.ingest = desk.ingest
corpus = Corpus.open(sys.argv[1], embedder="hash")
corpus.add(sys.argv[2], on_progress=lambda e: e.stage == "done" and print(e.done, flush=True))
"""


@pytest.mark.parametrize("papers", [1, 5, 11])
def test_c13_a_killed_process_leaves_what_it_finished_and_the_rerun_reads_only_the_rest(
    corpus: Corpus, desk: Any, root: Path, papers: int
) -> None:
    for n in range(20):
        desk.write(f"{n:02}.pdf", f"Paper number {n}")
    here = str(Path(__file__).parent)
    command = [sys.executable, "-c", KILLED_WRITER, str(root), str(desk.folder), here]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(papers)]
        process.kill()
    assert all(lines)
    finished = visible(corpus)
    assert len(finished) >= papers
    report = corpus.add(desk.folder)
    assert {item.doc_id for item in report.unchanged} == set(finished)
    assert len(desk.read) == len(report.added) == 20 - len(finished)
    assert len(visible(corpus)) == corpus.search("*").total_matches == 20


def test_a_stored_paper_that_never_reached_the_index_is_indexed_by_the_next_writer(
    corpus: Corpus, desk: Any, root: Path
) -> None:
    desk.write("a.pdf", GARNET)
    corpus.add(desk.folder)
    shutil.rmtree(root / "index")
    fresh = Corpus.open(root)
    result = fresh.search(QUERIES[GARNET])
    assert (result.hits, "1 stored documents are not indexed" in result.note) == ((), True)
    desk.read.clear()
    fresh.add(desk.folder)
    assert desk.read == []
    assert [hit.title for hit in fresh.search(QUERIES[GARNET]).hits] == [GARNET]


def test_entries_without_a_paper_are_dropped_by_the_next_writer(
    corpus: Corpus, desk: Any, root: Path
) -> None:
    desk.write("a.pdf", GARNET)
    desk.write("b.pdf", PEROVSKITE)
    gone = corpus.add(desk.folder).added[0].doc_id
    shutil.rmtree(root / "papers" / gone)
    with pytest.raises(UnknownDocument):
        corpus.tree(gone)
    corpus.add(desk.folder / "b.pdf")
    assert [hit.title for hit in corpus.search("*").hits] == [PEROVSKITE]
