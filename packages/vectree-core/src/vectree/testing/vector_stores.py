"""A vector store in memory, for tests and as the shortest example of the protocol."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import numpy as np

from vectree.index.embedder import Vectors
from vectree.index.vector_store import Neighbours, StoredEntry


class MemoryStore:
    """Keeps vectors in a dictionary and compares a query with all of them.

    Args:
        word: What ``corpus.json`` records.
        gives_vectors: Whether it gives vectors back, as Chroma does, or only proposes, as the stores of other
            frameworks do.
    """

    def __init__(self, word: str = "memory", *, gives_vectors: bool = True) -> None:
        self._word = word
        self._gives_vectors = gives_vectors
        self.spaces: dict[str, MemorySpace] = {}

    @property
    def word(self) -> str:
        """What ``corpus.json`` records."""
        return self._word

    def space(self, name: str, dimension: int) -> MemorySpace:
        """Name a space.

        Args:
            name: Its name.
            dimension: Length of its vectors.

        Returns:
            The same space for the same name.
        """
        del dimension
        return self.spaces.setdefault(name, MemorySpace(gives_vectors=self._gives_vectors))


class MemorySpace:
    """The vectors of one build of an index, in memory.

    Args:
        gives_vectors: As for the store.
    """

    def __init__(self, *, gives_vectors: bool) -> None:
        self._gives_vectors = gives_vectors
        self._lock = threading.Lock()
        self.held: dict[str, Vectors] = {}

    @property
    def gives_vectors(self) -> bool:
        """Whether `vectors` works."""
        return self._gives_vectors

    def put(self, entries: Sequence[StoredEntry]) -> None:
        """Add entries.

        Args:
            entries: At least one.
        """
        with self._lock:
            self.held = self.held | {entry.key: entry.vector.copy() for entry in entries}

    def delete(self, keys: Sequence[str]) -> None:
        """Delete entries.

        Args:
            keys: At least one.
        """
        gone = set(keys)
        with self._lock:
            self.held = {key: vector for key, vector in self.held.items() if key not in gone}

    def nearest(self, query: Vectors, depth: int) -> Neighbours:
        """Propose the entries nearest to a query.

        Args:
            query: Shape (dimension,), norm 1.
            depth: Most entries to propose.

        Returns:
            The nearest, without cosines.
        """
        held = self.held
        if not held:
            return Neighbours(keys=())
        keys = list(held)
        best = np.argsort(-(np.stack([held[key] for key in keys]) @ query), kind="stable")[:depth]
        return Neighbours(keys=[keys[int(place)] for place in best])

    def vectors(self, keys: Sequence[str]) -> Mapping[str, Vectors]:
        """Give vectors back.

        Args:
            keys: Any number.

        Returns:
            Those that are there; nothing if the store only proposes.
        """
        held = self.held if self._gives_vectors else {}
        return {key: held[key] for key in keys if key in held}

    def count(self) -> int:
        """Count the entries.

        Returns:
            How many there are.
        """
        return len(self.held)

    def keys(self) -> Sequence[str]:
        """List the entries.

        Returns:
            Their keys.
        """
        return list(self.held)

    def notice(self, keys: Sequence[str]) -> None:
        """Nothing to learn: every process has its own memory.

        Args:
            keys: Not needed.
        """

    def drop(self) -> None:
        """Forget everything."""
        with self._lock:
            self.held = {}
