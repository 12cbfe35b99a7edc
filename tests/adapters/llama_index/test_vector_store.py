"""A store of LlamaIndex in place of VecTree's own index: LlamaIndex's in-memory store and its Chroma store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import SimpleVectorStore

from llama_index_vectree import LlamaIndexVectorStore, VecTreeRetriever
from vectree import Corpus, HashEmbedder
from vectree.errors import UsageError, VectorStoreError
from vectree.index.embedder import normalized
from vectree.index.vector_store import StoredEntry, VectorStore
from vectree.testing.vector_store_contract import VectorStoreContract

EMBEDDER = HashEmbedder(64)


def simple() -> Any:
    return SimpleVectorStore()


def chroma() -> Any:
    chromadb = pytest.importorskip("chromadb")
    module = pytest.importorskip("llama_index.vector_stores.chroma")
    settings = chromadb.config.Settings(anonymized_telemetry=False, is_persistent=False)
    client = chromadb.EphemeralClient(settings)
    name = f"entries-{next(_numbers)}"
    collection = client.create_collection(name, configuration={"hnsw": {"space": "cosine"}})
    return module.ChromaVectorStore(chroma_collection=collection)


_numbers = iter(range(1000))
STORES = pytest.mark.parametrize("make", [simple, chroma])


def entry(key: str, text: str) -> StoredEntry:
    return StoredEntry(key=key, vector=EMBEDDER.embed_query(text), text=text, doc_id="d", whole=True)


class OneAtATime(SimpleVectorStore):
    """A store with no more than what every store must have."""

    def delete_nodes(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError


class TestSimpleKeepsTheContract(VectorStoreContract):
    def make_store(self) -> VectorStore:
        return LlamaIndexVectorStore(simple())


class TestTheLeastOfStoresKeepsTheContract(VectorStoreContract):
    def make_store(self) -> VectorStore:
        return LlamaIndexVectorStore(OneAtATime())


class TestChromaKeepsTheContract(VectorStoreContract):
    def make_store(self) -> VectorStore:
        return LlamaIndexVectorStore(chroma())


def test_the_word_names_the_store() -> None:
    assert LlamaIndexVectorStore(simple()).word == "llama-index:SimpleVectorStore"
    assert LlamaIndexVectorStore(simple(), name="mine").word == "llama-index:mine"


@STORES
def test_the_nearest_come_first_and_the_deleted_not_at_all(make: Callable[[], Any]) -> None:
    space = LlamaIndexVectorStore(make()).space("abcdefgh", 64)
    space.put([entry("k-a", "anode anode"), entry("k-b", "anode cathode"), entry("k-c", "bees")])
    space.put([entry("k-a", "anode anode")])  # again: it is kept once
    query = EMBEDDER.embed_query("anode")
    assert list(space.nearest(query, 2).keys) == ["k-a", "k-b"]
    assert set(space.nearest(query, 9).keys) == {"k-a", "k-b", "k-c"}
    space.delete(["k-a", "never-there"])
    assert set(space.nearest(query, 9).keys) == {"k-b", "k-c"}
    assert (space.gives_vectors, space.keys(), space.count(), dict(space.vectors(["k-b"]))) == (
        False,
        None,
        None,
        {},
    )


@STORES
def test_nodes_of_the_application_may_share_the_store(make: Callable[[], Any]) -> None:
    store = make()
    store.add([TextNode(id_="theirs", text="anode", embedding=EMBEDDER.embed_query("anode").tolist())])
    space = LlamaIndexVectorStore(store).space("abcdefgh", 64)
    space.put([entry("k-a", "anode cathode")])
    space.delete(["k-a"])
    assert list(space.nearest(normalized(EMBEDDER.embed_query("anode")), 5).keys) == ["theirs"]


@STORES
def test_a_corpus_answers_as_with_its_own_index(
    tmp_path: Path, papers: Path, make: Callable[[], Any]
) -> None:
    own = Corpus.open(tmp_path / "own", embedder=EMBEDDER)
    own.add(papers, jobs=1)
    store = make()
    theirs = Corpus.open(tmp_path / "theirs", embedder=EMBEDDER, index=LlamaIndexVectorStore(store))
    theirs.add(papers, jobs=1)
    questions = [record.metadata.title for record in own.list()] + ["conductivity", "bees and pollen"]
    for question in questions:
        assert theirs.search(question) == own.search(question)
        assert VecTreeRetriever(theirs, 4).retrieve(question) == VecTreeRetriever(own, 4).retrieve(question)
    gone = own.list()[0].doc_id
    own.remove(gone)
    theirs.remove(gone)
    again = Corpus.open(tmp_path / "theirs", embedder=EMBEDDER, index=LlamaIndexVectorStore(store))
    for question in questions:
        assert again.search(question) == own.search(question)


def test_a_failing_store_is_an_error_that_names_it() -> None:
    class Down(SimpleVectorStore):
        def query(self, query: Any, **kwargs: Any) -> Any:
            raise ConnectionError("refused")

    space = LlamaIndexVectorStore(Down()).space("abcdefgh", 64)
    with pytest.raises(VectorStoreError, match=r"Down: ConnectionError: refused"):
        space.nearest(EMBEDDER.embed_query("anode"), 3)


def test_something_else_than_a_store_is_refused() -> None:
    with pytest.raises(UsageError, match="no vector store"):
        LlamaIndexVectorStore("chroma")  # type: ignore[arg-type]
