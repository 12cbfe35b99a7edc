from __future__ import annotations

import json
import os
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from vectree.corpus import Corpus
from vectree.errors import (
    CorpusDamaged,
    CorpusNotFound,
    FormatMismatch,
    IndexMismatch,
    UnknownDocument,
    UsageError,
)
from vectree.index.embedder import HashEmbedder


def everything(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_opening_where_nothing_is_makes_nothing_and_every_read_says_how_to_begin(tmp_path: Path) -> None:
    corpus = Corpus.open(tmp_path / "corpus", embedder="hash")
    reads = [
        corpus.list,
        corpus.stats,
        lambda: corpus.search("x"),
        lambda: corpus.record("a-0000"),
        lambda: corpus.tree("a-0000"),
        lambda: corpus.pages("a-0000"),
        lambda: corpus.figures("a-0000"),
        lambda: corpus.figure("a-0000", "x"),
        lambda: corpus.report("a-0000"),
        lambda: corpus.within("a-0000", "x"),
        lambda: corpus.ask("what?"),
        lambda: corpus.search_documents("x"),
        lambda: corpus.remove("a-0000"),
        corpus.reindex,
    ]
    for read in reads:
        with pytest.raises(CorpusNotFound, match="vectree add"):
            read()
    assert list(tmp_path.iterdir()) == []


def test_create_makes_an_empty_corpus(tmp_path: Path) -> None:
    with Corpus.open(tmp_path / "deep" / "corpus", embedder="hash", create=True) as corpus:
        assert corpus.list() == ()
        assert corpus.stats().documents == 0
        assert corpus.search("anything").hits == ()
    assert (tmp_path / "deep" / "corpus" / "corpus.json").exists()
    Corpus.open(tmp_path / "deep" / "corpus", create=True)


def test_a_file_is_no_corpus(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(UsageError, match="is a file"):
        Corpus.open(tmp_path / "x")


def test_an_unknown_model_or_embedder_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="gpt-9"):
        Corpus.open(tmp_path, model="gpt-9")
    with pytest.raises(UsageError, match="word2vec"):
        Corpus.open(tmp_path, embedder="word2vec")


def test_the_corpus_keeps_its_embedder_and_refuses_another_before_anything_is_written(
    root: Path, corpus: Corpus, desk: Any
) -> None:
    corpus.add(desk.write("a.pdf", "Garnet electrolytes"))
    before = everything(root)
    for other in ("minilm", HashEmbedder(dimension=64)):
        with pytest.raises(IndexMismatch, match="vectree reindex --embedder"):
            Corpus.open(root, embedder=other)
    assert everything(root) == before
    own = Corpus.open(root)
    assert own.embedder.fingerprint.name == "hash"
    assert len(own.search("garnet electrolytes").hits) == 1


def test_a_corpus_without_papers_takes_whatever_embedder_comes(root: Path, desk: Any) -> None:
    Corpus.open(root, embedder="minilm", create=True)
    corpus = Corpus.open(root, embedder="hash")
    assert corpus.search("anything").hits == ()
    corpus.add(desk.write("a.pdf", "Garnet electrolytes"))
    assert Corpus.open(root).embedder.fingerprint.name == "hash"
    with pytest.raises(IndexMismatch):
        Corpus.open(root, embedder="minilm")


class Mine(HashEmbedder):
    @property
    def fingerprint(self) -> Any:
        from dataclasses import replace

        return replace(super().fingerprint, name="mine")


def test_an_embedder_of_the_users_own_has_to_be_passed_in_to_search_but_not_to_read(
    root: Path, desk: Any
) -> None:
    Corpus.open(root, embedder=Mine()).add(desk.write("a.pdf", "Garnet electrolytes"))
    bare = Corpus.open(root)
    (record,) = bare.list()
    assert bare.pages(record.doc_id, 1)
    with pytest.raises(IndexMismatch, match="Pass it in"):
        bare.search("garnet")
    assert Corpus.open(root, embedder=Mine()).search("garnet electrolytes").hits


def test_c38_another_format_is_refused_at_open(root: Path, corpus: Corpus, desk: Any) -> None:
    corpus.add(desk.write("a.pdf", "One"))
    path = root / "corpus.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))
    with pytest.raises(FormatMismatch, match="Upgrade"):
        Corpus.open(root, embedder="hash")
    with pytest.raises(FormatMismatch):
        corpus.search("one")


def test_c12_a_moved_corpus_works_and_names_no_place(
    root: Path, corpus: Corpus, desk: Any, tmp_path: Path
) -> None:
    doc_id = corpus.add(desk.write("a.pdf", "Garnet electrolytes")).added[0].doc_id
    moved = tmp_path / "moved" / "library"
    moved.parent.mkdir()
    root.rename(moved)
    for data in everything(moved).values():
        assert str(tmp_path).encode() not in data
    there = Corpus.open(moved)
    assert there.search("garnet electrolytes").hits[0].doc_id == doc_id
    for result in (
        there.search_documents("garnet electrolytes"),
        there.get_paper_metadata(doc_id),
        there.get_document_tree(doc_id),
        there.search_within_paper(doc_id, "garnet electrolytes"),
        there.get_page_content(doc_id, "1"),
        there.list_images(doc_id),
    ):
        assert not result.error, result.text
    desk.read.clear()
    assert [item.source for item in there.add(desk.folder).unchanged] == ["papers/a.pdf"]
    assert desk.read == []


def test_removing_names_all_unknown_documents_before_it_removes_any(corpus: Corpus, desk: Any) -> None:
    doc_id = corpus.add(desk.write("a.pdf", "One")).added[0].doc_id
    with pytest.raises(UnknownDocument, match="nothing was removed"):
        corpus.remove(doc_id, "nobody-0000")
    assert len(corpus.list()) == 1


def test_c13_a_removed_document_is_gone_from_every_store_before_and_after_opening_again(
    corpus: Corpus, desk: Any, root: Path
) -> None:
    desk.write("a.pdf", "Garnet electrolytes conduct lithium")
    desk.write("b.pdf", "Perovskite solar cells degrade")
    desk.write("c.pdf", "Sodium sulfur batteries")
    gone = corpus.add(desk.folder).added[1].doc_id
    assert corpus.remove(gone, gone) == (gone,)
    for reader in (corpus, Corpus.open(root)):
        assert reader.search("perovskite solar cells").hits == ()
        assert gone not in {hit.doc_id for hit in reader.search("*").hits}
        for read in (reader.tree, reader.pages, reader.figures, reader.record):
            with pytest.raises(UnknownDocument):
                read(gone)
        assert reader.get_document_tree(gone).error
    assert [item.source for item in corpus.add(desk.folder).added] == ["papers/b.pdf"]


def test_a_damaged_document_is_named_and_can_be_removed_and_added_again(
    corpus: Corpus, desk: Any, root: Path
) -> None:
    desk.write("a.pdf", "One")
    desk.write("b.pdf", "Two")
    doc_id = corpus.add(desk.folder).added[0].doc_id
    (root / "papers" / doc_id / "record.json").write_bytes(b"\x80\x04")
    for act in (corpus.list, lambda: corpus.add(desk.folder)):
        with pytest.raises(CorpusDamaged, match=f"vectree remove {doc_id}"):
            act()
    corpus.remove(doc_id)
    assert [item.doc_id for item in corpus.add(desk.folder).added] == [doc_id]


class Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (os.system, ("touch exploded",))


def test_c38_a_pickle_in_place_of_any_file_is_never_loaded(
    corpus: Corpus, desk: Any, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root.parent)
    doc_id = corpus.add(desk.write("a.pdf", "Garnet electrolytes")).added[0].doc_id
    harmless = {"writer.lock", "p001-1.png"}
    files = [path for path in root.rglob("*") if path.is_file() and path.name not in harmless]
    assert len(files) >= 8
    for path in files:
        data = path.read_bytes()
        path.write_bytes(pickle.dumps(Bomb()))

        def use() -> None:
            there = Corpus.open(root)
            there.list()
            there.search("garnet electrolytes")
            there.tree(doc_id)
            there.pages(doc_id)
            there.figure(doc_id, "p001-1.png")
            there.report(doc_id)

        with pytest.raises(CorpusDamaged, match=re.escape(path.name)):
            use()
        path.write_bytes(data)
    use()
    assert not (root.parent / "exploded").exists()


def test_a_damaged_index_is_rebuilt_from_the_papers(corpus: Corpus, desk: Any, root: Path) -> None:
    corpus.add(desk.write("a.pdf", "Garnet electrolytes"))
    for path in (root / "index").rglob("*"):
        if path.is_file():
            path.write_bytes(b"\x00" * 10)
    with pytest.raises(CorpusDamaged, match="vectree reindex"):
        Corpus.open(root).search("garnet electrolytes")
    assert Corpus.open(root).reindex() == 1
    assert Corpus.open(root).search("garnet electrolytes").hits
