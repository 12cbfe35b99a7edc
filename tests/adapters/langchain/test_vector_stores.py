"""LangChain's vector stores as the dense half of an index: the contract, and a corpus that uses them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from langchain_chroma import Chroma
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore

from langchain_vectree import LangChainEmbedder, LangChainVectorStore
from vectree import Corpus, HashEmbedder
from vectree.errors import IndexMismatch, VectorStoreError
from vectree.index.entry_keys import entry_key, new_space
from vectree.index.vector_store import StoredEntry
from vectree.testing.vector_store_contract import VectorStoreContract

COSINE = {"hnsw": {"space": "cosine"}}
numbers = itertools.count()


class HashedWords(Embeddings):
    """The core's hashing embedder as LangChain embeddings, so that both sides embed alike."""

    def __init__(self) -> None:
        self.inner = HashEmbedder(64)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self.inner.embed_documents(texts).tolist()

    def embed_query(self, text: str) -> list[float]:
        return self.inner.embed_query(text).tolist()


class Told(Embeddings):
    """Embeddings that are told beforehand which vector a text has."""

    def __init__(self) -> None:
        self.known: dict[str, list[float]] = {}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.known[text] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.known[text]


class Telling(LangChainVectorStore):
    """Tells the embeddings the contract's vectors, which are not those of its texts."""

    def __init__(self, store: VectorStore, told: Told) -> None:
        super().__init__(store)
        self.told = told

    def space(self, name: str, dimension: int):
        space, put = super().space(name, dimension), None

        def telling(entries: Sequence[StoredEntry]) -> None:
            self.told.known.update((entry.text, entry.vector.tolist()) for entry in entries)
            put(entries)

        put, space.put = space.put, telling
        return space


class TestInMemoryVectorStore(VectorStoreContract):
    def make_store(self) -> Telling:
        told = Told()
        return Telling(InMemoryVectorStore(told), told)


@pytest.fixture(scope="class")
def chroma_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("chroma")


class TestChroma(VectorStoreContract):
    @pytest.fixture(autouse=True)
    def folder(self, chroma_folder: Path) -> None:
        self.place = chroma_folder

    def make_store(self) -> Telling:
        told = Told()
        return Telling(chroma(self.place, told), told)


def chroma(folder: Path, embeddings: Embeddings) -> Chroma:
    name = f"entries-{next(numbers)}"
    return Chroma(name, embeddings, persist_directory=str(folder), collection_configuration=COSINE)


def entry(text: str) -> StoredEntry:
    vector = HashEmbedder(64).embed_documents([text])[0]
    key = entry_key(new_space(), "doc", 0, bytes(16))
    return StoredEntry(key=key, vector=vector, text=text, doc_id="doc", whole=True)


@pytest.mark.parametrize("kind", ["memory", "chroma"])
def test_a_corpus_on_a_store_answers_as_one_without(tmp_path: Path, example_papers: Path, kind: str) -> None:
    embeddings = HashedWords()
    store = InMemoryVectorStore(embeddings) if kind == "memory" else chroma(tmp_path / "chroma", embeddings)
    store.add_texts(["a document of the application's own"], [{"mine": True}], ids=["mine"])
    embedder = LangChainEmbedder(embeddings, name="hashed")
    papers = sorted(example_papers.glob("*.pdf"))[:3]
    built_in = Corpus.open(tmp_path / "a", embedder=embedder)
    with_store = Corpus.open(tmp_path / "b", embedder=embedder, index=LangChainVectorStore(store))
    for corpus in (built_in, with_store):
        corpus.add(*papers)
    for query in ("garnet electrolyte", "hot pressing density", "polymer composite"):
        assert with_store.search(query).hits == built_in.search(query).hits
    gone = with_store.list()[0].doc_id
    with_store.remove(gone)
    built_in.remove(gone)
    assert with_store.search("garnet electrolyte").hits == built_in.search("garnet electrolyte").hits
    assert store.get_by_ids(["mine"])


def test_a_store_that_embeds_otherwise_is_refused_before_anything_is_written() -> None:
    class Other(HashedWords):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return np.roll(self.inner.embed_documents(texts), 1, axis=1).tolist()

    store = InMemoryVectorStore(Other())
    with pytest.raises(IndexMismatch, match="another model"):
        LangChainVectorStore(store).space("a-space-name", 64).put([entry("garnet")])
    assert not store.store


def test_a_failure_of_the_store_is_told_in_one_line() -> None:
    class Broken(InMemoryVectorStore):
        def similarity_search_by_vector(self, *_: object, **__: object) -> list:
            raise ConnectionError("no route\nto host")

    space = LangChainVectorStore(Broken(HashedWords())).space("a-space-name", 64)
    with pytest.raises(VectorStoreError, match="ConnectionError"):
        space.nearest(np.ones(64, dtype=np.float32) / 8, 3)


def test_a_store_that_cannot_look_up_ids_is_asked_to_delete_them_all() -> None:
    class Blind(InMemoryVectorStore):
        def get_by_ids(self, ids: Sequence[str], /) -> list:
            raise NotImplementedError

    store = Blind(HashedWords())
    space = LangChainVectorStore(store).space("a-space-name", 64)
    put = entry("garnet")
    space.put([put])
    space.delete([put.key, "unknown"])
    assert not store.store


def test_the_word_tells_stores_apart() -> None:
    store = InMemoryVectorStore(HashedWords())
    assert LangChainVectorStore(store).word == "langchain:InMemoryVectorStore"
    assert LangChainVectorStore(store, name="papers-2026").word == "langchain:papers-2026"
