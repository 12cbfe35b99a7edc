"""Any LlamaIndex vector store as the place where VecTree looks for near entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import BasePydanticVectorStore, VectorStoreQuery

from vectree.errors import UsageError, VectorStoreError, VecTreeError
from vectree.index.embedder import Vectors
from vectree.index.vector_store import Neighbours, StoredEntry

_BATCH = 1_000
"""Entries handed over at once; Chroma takes no more than 5,461."""


class LlamaIndexVectorStore:
    """A vector store that an application runs already: ``Corpus.open(path, index=LlamaIndexVectorStore(store))``.

    The store proposes; VecTree keeps the vectors too and computes every cosine itself, so that the gates of §3.4
    decide as they do without the store. Entries of a corpus carry keys of their own, and those of several
    corpora, and an application's other nodes, may share the store; a store of its own is searched faster, since
    foreign nodes use up places in what it proposes.

    The store must rank by cosine, inner product or Euclidean distance (vectors have norm 1), and hold vectors of the
    corpus's embedder only.

    Args:
        store: The store.
        name: Told apart from other stores by this; by default the store's class.
    """

    def __init__(self, store: BasePydanticVectorStore, *, name: str | None = None) -> None:
        if not isinstance(store, BasePydanticVectorStore):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UsageError(f"{type(store).__name__!r} is no vector store of LlamaIndex.")
        self._store = store
        self._name = name or type(store).__name__

    @property
    def word(self) -> str:
        """What a corpus remembers of it."""
        return f"llama-index:{self._name}"

    def space(self, name: str, dimension: int) -> _Space:
        """Name a space.

        Args:
            name: Keys begin with it.
            dimension: Length of a vector; the store finds out by itself.

        Returns:
            The space: the store, seen through keys of this name.
        """
        del dimension
        return _Space(self._store, self._name, name)


class _Space:
    """The entries of one build of an index, as nodes whose id is the key."""

    def __init__(self, store: BasePydanticVectorStore, store_name: str, name: str) -> None:
        self._store = store
        self._store_name = store_name
        self._prefix = name

    @property
    def gives_vectors(self) -> bool:
        """False: few stores give back what was put, bit for bit."""
        return False

    def put(self, entries: Sequence[StoredEntry]) -> None:
        """Add entries.

        Args:
            entries: Any number.
        """
        filled = [entry for entry in entries if entry.vector.any()]  # a vector of zeros has no direction
        try:
            for start in range(0, len(filled), _BATCH):
                batch = filled[start : start + _BATCH]
                self._discard([entry.key for entry in batch])  # several stores would keep it twice
                self._store.add([_node(entry) for entry in batch])
        except Exception as error:
            raise self._failure(error) from error

    def delete(self, keys: Sequence[str]) -> None:
        """Delete entries.

        Args:
            keys: Any number.
        """
        try:
            self._discard(keys)
        except Exception as error:
            raise self._failure(error) from error

    def nearest(self, query: Vectors, depth: int) -> Neighbours:
        """Propose entries.

        Args:
            query: Shape (dimension,), float32, norm 1.
            depth: Most entries to propose.

        Returns:
            Their keys, best first.
        """
        asked = VectorStoreQuery(query_embedding=query.tolist(), similarity_top_k=depth)
        try:
            result = self._store.query(asked)
        except Exception as error:
            raise self._failure(error) from error
        found = [node.node_id for node in result.nodes] if result.nodes else list(result.ids or ())
        return Neighbours(keys=tuple(dict.fromkeys(found)))

    def vectors(self, keys: Sequence[str]) -> Mapping[str, Vectors]:
        """Nothing; see `gives_vectors`.

        Args:
            keys: Any number.

        Returns:
            An empty mapping.
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
        """Unknown: LlamaIndex's stores cannot list what they hold.

        Returns:
            ``None``.
        """
        return None

    def notice(self, keys: Sequence[str]) -> None:
        """Nothing to do.

        Args:
            keys: Of entries another process put.
        """

    def drop(self) -> None:
        """Nothing: the store may hold more than this, and entries are deleted by key."""

    def _discard(self, keys: Sequence[str]) -> None:
        try:
            for start in range(0, len(keys), _BATCH):
                self._store.delete_nodes(node_ids=list(keys[start : start + _BATCH]))
        except NotImplementedError:  # every store has the other way, which takes one key at a time
            for key in keys:
                self._store.delete(key)

    def _failure(self, error: Exception) -> VecTreeError:
        if isinstance(error, VecTreeError):
            return error
        return VectorStoreError(
            f"{self._store_name}: {type(error).__name__}: {str(error)[:500]}",
            hint="Check that the store runs and that its vectors are of the corpus's embedder.",
        )


def _node(entry: StoredEntry) -> TextNode:
    """A node that is its own source, so that ``delete(ref_doc_id)`` deletes it alone."""
    return TextNode(
        id_=entry.key,
        text=entry.text or entry.key,
        embedding=entry.vector.tolist(),
        metadata={"doc_id": entry.doc_id, "whole": entry.whole},
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=entry.key)},
    )
