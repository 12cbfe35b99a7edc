"""Vectors that were looked up lately. What a key names never changes, so nothing here is ever out of date."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from vectree.index.embedder import Vectors

KEPT_VECTORS = 4_096
"""Vectors kept, the longest unused leave first: 12 MB at 768 dimensions."""


class VectorCache:
    """Saves asking a store twice for the same vectors. Safe to use from several threads.

    Args:
        kept: Most vectors to keep.
    """

    def __init__(self, kept: int = KEPT_VECTORS) -> None:
        self._kept = kept
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def get(
        self, keys: Sequence[str], ask: Callable[[Sequence[str]], Mapping[str, Vectors]]
    ) -> dict[str, Vectors]:
        """Look vectors up.

        Args:
            keys: Any number.
            ask: Gives those that are not kept.

        Returns:
            Key → vector, without those that the store has not.
        """
        with self._lock:
            found = {key: self._vectors[key] for key in keys if key in self._vectors}
            for key in found:
                self._vectors.move_to_end(key)
        missing = [key for key in keys if key not in found]
        if missing:
            asked = ask(missing)
            found.update(asked)
            with self._lock:
                self._vectors.update(asked)
                while len(self._vectors) > self._kept:
                    self._vectors.popitem(last=False)
        return found

    def forget(self, keys: Sequence[str]) -> None:
        """Drop vectors that were deleted.

        Args:
            keys: Any number.
        """
        with self._lock:
            for key in keys:
                self._vectors.pop(key, None)
