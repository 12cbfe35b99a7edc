"""The vectors of one build of an index in Chroma."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, TypeVar

import numpy as np

from vectree.errors import VectorStoreError, VectorStoreUnavailable, VecTreeError
from vectree.index.chroma_answers import in_our_words
from vectree.index.embedder import Vectors
from vectree.index.entry_keys import is_whole
from vectree.index.rows import REINDEX
from vectree.index.vector_cache import VectorCache
from vectree.index.vector_store import Neighbours, StoredEntry

Client = Any
Collection = Any
"""Chroma's own types are not complete enough to check against."""

T = TypeVar("T")

_CONFIGURATION = {"hnsw": {"space": "cosine", "ef_search": 200, "max_neighbors": 32}}
"""Twice the default's neighbours: among texts that are nearly alike the graph otherwise loses a third."""

_PAGE = 5_000
"""Entries in one call; Chroma takes 5,461 at most."""

_KINDS = ("documents", "sections")


class ChromaClients(Protocol):
    """Where a space gets its client from."""

    @property
    def place(self) -> str:
        """What errors call it."""
        ...

    def exists(self) -> bool:
        """Whether there is anything to read."""
        ...

    def turn(self) -> AbstractContextManager[object]:
        """Held while the client is used."""
        ...

    def client(self) -> Client:
        """The open client."""
        ...

    def renew(self) -> None:
        """Have the next client see what other processes have written."""
        ...


class ChromaSpace:
    """One build of an index in Chroma: a collection of document entries and one of section entries.

    Args:
        owner: Where it lies.
        name: Name of the space.
    """

    gives_vectors = True

    def __init__(self, owner: ChromaClients, name: str) -> None:
        self._owner = owner
        self._name = name
        self._outdated = False
        self._cache = VectorCache()
        self._opened: dict[str, tuple[Client, Collection]] = {}

    def put(self, entries: Sequence[StoredEntry]) -> None:
        """Add entries.

        Args:
            entries: At least one.
        """
        with self._asked():
            for kind, whole in zip(_KINDS, (True, False), strict=True):
                chosen = [entry for entry in entries if entry.whole == whole]
                if not chosen:
                    continue
                collection = self._collection(kind) or self._create(kind)
                for page in _pages(chosen):
                    collection.upsert(
                        ids=[entry.key for entry in page],
                        embeddings=np.stack([entry.vector for entry in page]),
                    )

    def delete(self, keys: Sequence[str]) -> None:
        """Delete entries.

        Args:
            keys: At least one.
        """
        self._cache.forget(keys)
        with self._asked():
            for collection, chosen in self._split(keys):
                for page in _pages(chosen):
                    collection.delete(ids=list(page))

    def nearest(self, query: Vectors, depth: int) -> Neighbours:
        """Propose entries from both collections.

        Args:
            query: Shape (dimension,), norm 1.
            depth: Most entries to propose.

        Returns:
            The nearest by Chroma's graph.
        """
        keys: list[str] = []
        distances: list[float] = []
        partial = False
        with self._asked():
            for collection in self._collections():
                found = collection.query(query_embeddings=query[None], n_results=depth, include=["distances"])
                near: list[str] = found["ids"][0]
                keys += near
                distances += (found["distances"] or [[]])[0]
                partial |= len(near) < depth and len(near) < collection.count()
        similarities = 1 - np.array(distances, dtype=np.float32)
        best = np.argsort(-similarities, kind="stable")[:depth]
        return Neighbours(
            keys=[keys[int(place)] for place in best], similarities=similarities[best], partial=partial
        )

    def vectors(self, keys: Sequence[str]) -> Mapping[str, Vectors]:
        """Give vectors back.

        Args:
            keys: Any number.

        Returns:
            Those that are there.
        """
        return self._cache.get(keys, self._look_up)

    def _look_up(self, keys: Sequence[str]) -> dict[str, Vectors]:
        try:
            return self._get(keys)
        except VectorStoreUnavailable:
            raise
        except VectorStoreError:
            # An embedded client knows the id of what another process wrote, but not yet its vector.
            self._outdated = True
            return self._get(keys)

    def count(self) -> int:
        """Count the entries.

        Returns:
            Of both collections.
        """
        with self._asked():
            return sum(collection.count() for collection in self._collections())

    def keys(self) -> Sequence[str]:
        """List the entries.

        Returns:
            Their keys.
        """
        found: list[str] = []
        with self._asked():
            for collection in self._collections():
                for offset in range(0, collection.count(), _PAGE):
                    found += collection.get(limit=_PAGE, offset=offset, include=[])["ids"]
        return found

    def notice(self, keys: Sequence[str]) -> None:
        """Open an embedded client anew before it is used again.

        Args:
            keys: Not needed.
        """
        del keys
        self._outdated = True

    def drop(self) -> None:
        """Delete both collections."""
        with self._asked():
            for collection in self._collections():
                self._owner.client().delete_collection(collection.name)
            self._opened.clear()

    def _get(self, keys: Sequence[str]) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        with self._asked():
            for collection, chosen in self._split(keys):
                for page in _pages(chosen):
                    got = collection.get(ids=list(page), include=["embeddings"])
                    vectors = np.asarray(got["embeddings"], dtype=np.float32)
                    found.update(zip(got["ids"], vectors, strict=True))
        return found

    def _split(self, keys: Sequence[str]) -> Iterator[tuple[Collection, list[str]]]:
        for kind, whole in zip(_KINDS, (True, False), strict=True):
            chosen = [key for key in keys if is_whole(key) == whole]
            if chosen and (collection := self._collection(kind)) is not None:
                yield collection, chosen

    def _collections(self) -> list[Collection]:
        found = [self._collection(kind) for kind in _KINDS]
        return [collection for collection in found if collection is not None]

    def _collection(self, kind: str) -> Collection | None:
        """One of the two collections; looked up once for each client."""
        if not self._owner.exists():
            return None
        from chromadb.errors import NotFoundError

        client = self._owner.client()
        opened_by, collection = self._opened.get(kind, (None, None))
        if opened_by is not client or collection is None:
            try:
                collection = client.get_collection(f"{self._name}-{kind}", embedding_function=None)
            except NotFoundError:
                return None
            _check_measure(collection)
            self._opened[kind] = client, collection
        return collection

    def _create(self, kind: str) -> Collection:
        return self._owner.client().get_or_create_collection(
            f"{self._name}-{kind}", configuration=_CONFIGURATION, embedding_function=None
        )

    @contextmanager
    def _asked(self) -> Generator[None]:
        """One exchange with Chroma, its errors in our words."""
        with self._owner.turn():
            if self._outdated:
                self._owner.renew()
                self._outdated = False
            try:
                yield
            except VecTreeError:
                raise
            except Exception as error:
                raise in_our_words(error, self._owner.place) from error


def _check_measure(collection: Collection) -> None:
    """Chroma's default is the Euclidean distance; gates on that would mean nothing."""
    graph: Any = collection.configuration_json.get("hnsw")
    measure = graph["space"] if graph else "something else"
    if measure != "cosine":
        raise VectorStoreError(
            f"The Chroma collection {collection.name!r} measures by {measure!r}, not by cosine.", hint=REINDEX
        )


def _pages(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for begin in range(0, len(items), _PAGE):
        yield items[begin : begin + _PAGE]
