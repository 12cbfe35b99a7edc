from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from vectree.corpus import Corpus
from vectree.errors import IndexMismatch
from vectree.index.embedder import HashEmbedder


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
