"""Any LangChain vector store as the dense half of a VecTree index."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from langchain_core.vectorstores import VectorStore

from vectree.errors import IndexMismatch, VectorStoreError
from vectree.index.embedder import Vectors, normalized
from vectree.index.vector_store import Neighbours, StoredEntry

T = TypeVar("T")

_BATCH = 256
_SAME = 0.999
"""Cosine from which on two vectors of one text come from the same model."""


class LangChainVectorStore:
    """A vector store that your application already runs: ``Corpus.open(path, index=LangChainVectorStore(store))``.

    The store proposes entries; VecTree keeps the vectors too, computes their cosines itself and applies its gates, so
    results are those of the built-in index as far as the store's search is exact. The store must compare by
    cosine, and embed with the same model as the corpus: LangChain's stores embed what they are given
    themselves, once more (`CacheBackedEmbeddings` spares that). Ids begin with the corpus's own prefix, so
    that other documents may lie in the same store; they cost time, because they are proposed and passed over.

    Args:
        store: The store. It must keep the ids it is given.
        name: Told apart from other stores by this; by default the store's class.
    """

    def __init__(self, store: VectorStore, *, name: str | None = None) -> None:
        self._store = store
        self._name = name or type(store).__name__

    @property
    def word(self) -> str:
        """What the corpus records; it is opened again with an object of the same word."""
        return f"langchain:{self._name}"

    def space(self, name: str, dimension: int) -> LangChainSpace:
        """The part of the store that one index uses; its keys begin with ``name``.

        Args:
            name: Prefix of its keys.
            dimension: Length of a vector.

        Returns:
            The space.
        """
        return LangChainSpace(self._store, name, dimension)


class LangChainSpace:
    """The entries of one index in a LangChain store.

    Args:
        store: The store.
        name: Prefix of the keys.
        dimension: Length of a vector.
    """

    def __init__(self, store: VectorStore, name: str, dimension: int) -> None:
        self._store = store
        self._name = name
        self._dimension = dimension
        self._compared = False

    @property
    def gives_vectors(self) -> bool:
        """LangChain's stores do not give vectors back; the index keeps them."""
        return False

    def put(self, entries: Sequence[StoredEntry]) -> None:
        """Add entries; a vector of zeros has no direction and is left out.

        Args:
            entries: Any number, at least one.
        """
        filled = [entry for entry in entries if entry.vector.any()]
        for start in range(0, len(filled), _BATCH):
            batch = filled[start : start + _BATCH]
            self._compare(batch[0])
            metadatas = [{"vectree_space": self._name, "doc_id": entry.doc_id} for entry in batch]
            texts, keys = [entry.text for entry in batch], [entry.key for entry in batch]
            self._call(lambda t=texts, m=metadatas, k=keys: self._store.add_texts(t, m, ids=k))

    def delete(self, keys: Sequence[str]) -> None:
        """Delete entries; keys that are not there are ignored.

        Args:
            keys: Any number, at least one.
        """
        if found := self._there(keys):
            self._call(lambda: self._store.delete(found))

    def nearest(self, query: Vectors, depth: int) -> Neighbours:
        """Propose the nearest entries.

        Args:
            query: Shape (dimension,), norm 1.
            depth: Most entries.

        Returns:
            Their keys, best first.
        """
        found = self._call(lambda: self._store.similarity_search_by_vector(query.tolist(), k=depth))
        keys = [document.id for document in found if document.id is not None]
        return Neighbours(keys=tuple(dict.fromkeys(keys)))

    def vectors(self, keys: Sequence[str]) -> Mapping[str, Vectors]:
        """Nothing: see `gives_vectors`.

        Args:
            keys: Ignored.

        Returns:
            Nothing.
        """
        del keys
        return {}

    def count(self) -> int | None:
        """Unknown: the store may hold more than this.

        Returns:
            ``None``.
        """
        return None

    def keys(self) -> Sequence[str] | None:
        """LangChain's stores cannot list their ids.

        Returns:
            ``None``.
        """
        return None

    def notice(self, keys: Sequence[str]) -> None:
        """Nothing to do: what a store shows of other processes' writing is its own matter.

        Args:
            keys: Ignored.
        """

    def drop(self) -> None:
        """Nothing to do: the index deletes its keys one by one."""

    def _compare(self, entry: StoredEntry) -> None:
        """Refuse a store that embeds with another model, once and before anything is written."""
        embeddings = self._store.embeddings
        if self._compared or embeddings is None:
            return
        theirs = np.asarray(self._call(lambda: embeddings.embed_documents([entry.text]))[0], dtype=np.float32)
        if theirs.shape != (self._dimension,) or float(normalized(theirs) @ entry.vector) < _SAME:
            raise IndexMismatch(
                "The vector store embeds with another model than the corpus.",
                hint="Open the corpus with embedder=LangChainEmbedder(store.embeddings).",
            )
        self._compared = True

    def _there(self, keys: Sequence[str]) -> list[str]:
        """Those of the keys that the store has: some stores refuse to delete others."""
        try:
            documents = self._store.get_by_ids(keys)
        except NotImplementedError:
            return list(keys)
        return [document.id for document in documents if document.id is not None]

    def _call(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except Exception as error:
            raise VectorStoreError(
                f"{type(self._store).__name__}: {type(error).__name__}: {str(error)[:500]}",
                hint="See that the store can be reached and that its dimension is the embedder's.",
            ) from error
