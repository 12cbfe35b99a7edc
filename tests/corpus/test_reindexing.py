from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from vectree.corpus import Corpus
from vectree.errors import IndexMismatch
from vectree.index.embedder import HashEmbedder
from vectree.testing.vector_stores import MemoryStore


class Mine(HashEmbedder):
    """Another embedder than the one called ``hash``."""

    def __init__(self) -> None:
        super().__init__(dimension=96)


@pytest.fixture
def filled(corpus: Corpus, desk: Any) -> Corpus:
    desk.write("a.pdf", "Garnet electrolytes conduct lithium")
    desk.write("b.pdf", "Perovskite solar cells degrade")
    corpus.add(desk.folder)
    return corpus


def test_the_index_is_rebuilt_from_the_papers_without_reading_them_again(filled: Corpus, desk: Any) -> None:
    desk.read.clear()
    before = filled.search("perovskite solar cells")
    seen: list[tuple[str, int, int]] = []
    assert filled.reindex(on_paper=lambda *event: seen.append(event)) == 2
    assert [event[1:] for event in seen] == [(1, 2), (2, 2)]
    assert filled.search("perovskite solar cells") == before
    assert desk.read == []


def test_another_embedder_takes_over_for_everyone(filled: Corpus, root: Path, desk: Any) -> None:
    reader = Corpus.open(root)
    stubborn = Corpus.open(root, embedder="hash")
    assert reader.search("perovskite solar cells").hits
    filled.reindex(embedder=Mine())
    assert filled.search("perovskite solar cells").hits
    with pytest.raises(IndexMismatch):
        stubborn.search("perovskite solar cells")
    with pytest.raises(IndexMismatch, match="hash"):
        reader.search("perovskite solar cells")
    desk.write("c.pdf", "Sodium sulfur batteries")
    assert len(Corpus.open(root, embedder=Mine()).add(desk.folder).added) == 1
    Corpus.open(root, embedder=Mine()).reindex(embedder="hash")
    assert len(reader.search("*").hits) == 3


def test_a_rebuild_that_dies_leaves_the_old_index_and_the_next_writer_sweeps(
    filled: Corpus, root: Path, desk: Any
) -> None:
    class Dying(Mine):
        def embed_documents(self, texts: Any) -> Any:
            raise KeyboardInterrupt

    before = filled.search("garnet electrolytes")
    with pytest.raises(KeyboardInterrupt):
        filled.reindex(embedder=Dying())
    assert filled.search("garnet electrolytes") == before
    assert Corpus.open(root).search("garnet electrolytes") == before
    (root / "index" / "7").mkdir()
    filled.add(desk.folder)
    assert sorted(path.name for path in (root / "index").iterdir() if path.name.isdecimal()) == ["1"]


def test_an_empty_corpus_can_be_rebuilt(tmp_path: Path) -> None:
    corpus = Corpus.open(tmp_path / "corpus", embedder="hash", create=True)
    assert corpus.reindex(embedder=Mine()) == 0
    assert corpus.search("x").hits == ()


KILLED_REBUILD = """
import sys, time
from vectree.corpus import Corpus
from vectree.index import corpus_index
from vectree.index.embedder import HashEmbedder

corpus_index.COMMIT_SECONDS = 0.0
real = HashEmbedder.embed_documents
HashEmbedder.embed_documents = lambda self, texts: (time.sleep(0.02), real(self, texts))[1]
Corpus.open(sys.argv[1]).reindex(on_paper=lambda doc_id, n, of: print(n, doc_id, flush=True))
"""


def test_a_rebuild_that_is_killed_goes_on_where_it_was(
    corpus: Corpus, desk: Any, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(12):
        desk.write(f"{number:02}.pdf", f"Garnet electrolytes number {number}")
    corpus.add(desk.folder)
    before = corpus.search("garnet electrolytes number")
    command = [sys.executable, "-c", KILLED_REBUILD, str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        begun = [process.stdout.readline().split()[1] for _ in range(6)]
        process.kill()
    assert corpus.search("garnet electrolytes number") == before
    embedded: list[str] = []
    real = HashEmbedder.embed_documents

    def counting(self: HashEmbedder, texts: Any) -> Any:
        embedded.extend(texts)
        return real(self, texts)

    monkeypatch.setattr(HashEmbedder, "embed_documents", counting)
    seen: list[str] = []
    assert Corpus.open(root).reindex(on_paper=lambda doc_id, *_: seen.append(doc_id)) == 12
    assert len(seen) == 12
    done = {Corpus.open(root).record(doc_id).metadata.title for doc_id in begun[:5]}
    again = {text.splitlines()[0] for text in embedded if text.startswith("Garnet")}
    assert not done & again
    assert 0 < len(again) <= 7
    assert corpus.search("garnet electrolytes number") == before
    assert not (root / "index" / "rebuild").exists()


def test_papers_that_changed_or_left_since_an_interrupted_rebuild_are_seen_to(
    corpus: Corpus, desk: Any, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, title in (
        ("a", "Garnet electrolytes"),
        ("b", "Perovskite solar cells"),
        ("c", "Sodium sulfur"),
    ):
        desk.write(f"{name}.pdf", title)
    corpus.add(desk.folder)
    monkeypatch.setattr("vectree.index.corpus_index.COMMIT_SECONDS", 0.0)

    def stop(doc_id: str, ordinal: int, total: int) -> None:
        if ordinal == total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        corpus.reindex(on_paper=stop)
    assert (root / "index" / "rebuild").exists()
    desk.write("b.pdf", "Tungsten filaments glow")
    corpus.remove(next(r.doc_id for r in corpus.list() if r.metadata.title == "Garnet electrolytes"))
    corpus.add(desk.folder / "b.pdf")
    assert corpus.reindex() == 2
    assert {hit.title for hit in corpus.search("*").hits} == {"Tungsten filaments glow", "Sodium sulfur"}
    assert [hit.title for hit in corpus.search("tungsten filaments").hits] == ["Tungsten filaments glow"]


def test_an_interrupted_rebuild_for_another_embedder_is_given_up(
    filled: Corpus, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vectree.index.corpus_index.COMMIT_SECONDS", 0.0)

    def stop(doc_id: str, ordinal: int, total: int) -> None:
        if ordinal == total:
            raise KeyboardInterrupt

    store = MemoryStore()
    with pytest.raises(KeyboardInterrupt):
        filled.reindex(index=store, on_paper=stop)
    assert filled.reindex(embedder=Mine()) == 2
    assert filled.search("perovskite solar cells").hits
    assert not (root / "index" / "rebuild").exists()
