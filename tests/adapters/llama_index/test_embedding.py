from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llama_index.core.base.embeddings.base import BaseEmbedding

from llama_index_vectree import LlamaIndexEmbedder
from vectree import Corpus
from vectree.errors import EmbedderError, IndexMismatch
from vectree.index.embedder import Embedder, HashEmbedder, SimilarityGates
from vectree.testing.embedder_contract import EmbedderContract


class Hashed(BaseEmbedding):
    """Hashed words, not normalised; refuses empty texts as services do."""

    model_name: str = "hashed-words"

    def _get_text_embedding(self, text: str) -> list[float]:
        assert text.strip()
        return (HashEmbedder(64).embed_query(text) * 3).tolist()

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class TestContract(EmbedderContract):
    def make_embedder(self) -> Embedder:
        return LlamaIndexEmbedder(Hashed())


def test_empty_texts_are_not_sent() -> None:
    vectors = LlamaIndexEmbedder(Hashed()).embed_documents(["anode", " ", "cathode"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 1])
    assert not LlamaIndexEmbedder(Hashed()).embed_query(" ").any()


def test_the_fingerprint_names_the_model() -> None:
    fingerprint = LlamaIndexEmbedder(Hashed(), revision="7").fingerprint
    assert (fingerprint.name, fingerprint.revision, fingerprint.dimension) == (
        "llama-index:hashed-words",
        "7",
        64,
    )
    unnamed = LlamaIndexEmbedder(Hashed(model_name="unknown"), dimension=64)
    assert unnamed.fingerprint.name == f"llama-index:{Hashed.class_name()}"


def test_a_corpus_built_with_it_finds_papers_and_refuses_another(tmp_path: Path, papers: Path) -> None:
    embedder = LlamaIndexEmbedder(Hashed(), gates=SimilarityGates(relevant=0.15, strong=0.35))
    corpus = Corpus.open(tmp_path / "corpus", embedder=embedder)
    corpus.add(papers, jobs=1)
    title = corpus.list()[0].metadata.title
    assert corpus.search(title).hits[0].title == title
    with pytest.raises(IndexMismatch):
        Corpus.open(tmp_path / "corpus", embedder=LlamaIndexEmbedder(Hashed(), name="another")).search(title)


def test_failures_and_wrong_shapes_are_the_core_s_errors() -> None:
    class Broken(Hashed):
        def _get_text_embeddings(self, texts: list[str]) -> Any:
            raise ConnectionError("refused")

    with pytest.raises(EmbedderError, match="refused"):
        LlamaIndexEmbedder(Broken()).embed_documents(["x"])
    with pytest.raises(EmbedderError, match="shape"):
        LlamaIndexEmbedder(Hashed(), dimension=63).embed_documents(["x"])
    with pytest.raises(EmbedderError, match="shape"):
        LlamaIndexEmbedder(Hashed(), dimension=63).embed_query("x")
