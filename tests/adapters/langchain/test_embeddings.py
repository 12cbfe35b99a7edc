from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings

from langchain_vectree import LangChainEmbedder, measure_gates
from vectree import Corpus
from vectree.errors import EmbedderError, IndexMismatch
from vectree.index.embedder import Embedder, HashEmbedder, SimilarityGates
from vectree.testing.embedder_contract import EmbedderContract


class TestContract(EmbedderContract):
    def make_embedder(self) -> Embedder:
        return LangChainEmbedder(DeterministicFakeEmbedding(size=48))


class Hashed(Embeddings):
    """Hashed words, not normalised; refuses empty texts as services do."""

    model_name = "hashed-words"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        assert all(text.strip() for text in texts)
        return (HashEmbedder(64).embed_documents(texts) * 3).tolist()

    def embed_query(self, text: str) -> list[float]:
        return (HashEmbedder(64).embed_query(text) * 3).tolist()


def test_empty_texts_are_not_sent(tmp_path: Path) -> None:
    vectors = LangChainEmbedder(Hashed()).embed_documents(["anode", " ", "cathode"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 1])


def test_the_fingerprint_names_the_model() -> None:
    fingerprint = LangChainEmbedder(Hashed(), revision="7").fingerprint
    assert (fingerprint.name, fingerprint.revision, fingerprint.dimension) == (
        "langchain:hashed-words",
        "7",
        64,
    )


def test_a_corpus_built_with_it_finds_papers_and_refuses_another(
    tmp_path: Path, example_papers: Path
) -> None:
    embedder = LangChainEmbedder(Hashed(), gates=SimilarityGates(relevant=0.15, strong=0.35))
    corpus = Corpus.open(tmp_path / "corpus", embedder=embedder)
    corpus.add(sorted(example_papers.glob("*.pdf"))[0], jobs=1)
    title = corpus.list()[0].metadata.title
    assert [hit.title for hit in corpus.search(title).hits] == [title]
    with pytest.raises(IndexMismatch):
        Corpus.open(tmp_path / "corpus", embedder=LangChainEmbedder(Hashed(), name="another")).search(title)


def test_failures_and_wrong_shapes_are_the_core_s_errors() -> None:
    class Broken(Hashed):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise ConnectionError("refused")

    with pytest.raises(EmbedderError, match="refused"):
        LangChainEmbedder(Broken()).embed_documents(["x"])
    with pytest.raises(EmbedderError, match="shape"):
        LangChainEmbedder(Hashed(), dimension=63).embed_documents(["x"])


def test_gates_lie_between_unrelated_and_related_pairs() -> None:
    related = [(f"anode {n} conductivity", f"the conductivity of anode {n}") for n in range(20)]
    unrelated = [(f"anode {n} conductivity", f"bees eat pollen number{n}") for n in range(20)]
    gates = measure_gates(Hashed(), related, unrelated)
    assert 0.1 < gates.relevant < gates.strong <= 1
