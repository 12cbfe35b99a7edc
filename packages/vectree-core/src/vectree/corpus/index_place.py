"""Where the vectors of a corpus lie: what ``corpus.json`` records, held against what a caller asks for."""

from __future__ import annotations

from pathlib import Path

from vectree.errors import IndexMismatch
from vectree.index.manifest import EXACT
from vectree.index.stores import CHROMA, is_recorded, recorded_store, resolve_store, word_of
from vectree.index.vector_store import VectorStore
from vectree.store.layout import has_papers
from vectree.store.manifest import Manifest


class IndexPlace:
    """Finds the vector store of a corpus, and keeps it, and with it its connection.

    A store of ``None`` stands for an index that keeps its vectors itself.

    Args:
        root: The corpus folder, absolute.
        index: A word or a store; ``None`` for what the corpus names.
    """

    def __init__(self, root: Path, index: str | VectorStore | None) -> None:
        self._root = root
        self._named = index is not None
        self._asked = None if index is None else resolve_store(index, root)
        self._kept: dict[str, VectorStore | None] = {}

    def check(self, manifest: Manifest) -> None:
        """Refuse a store that the index does not lie in; an index without papers fits every store.

        Args:
            manifest: ``corpus.json``.

        Raises:
            IndexMismatch: If another was asked for; the message says how to move the index.
        """
        if self._fits(manifest) or not has_papers(self._root):
            return
        word = word_of(self._asked)
        by_word = word == EXACT or word.startswith(CHROMA)
        raise IndexMismatch(
            f"The index of the corpus is {manifest.index!r}, not {word!r}.",
            hint="Open it without naming an index, or move it: "
            + (f"vectree reindex --index {word}." if by_word else "corpus.reindex(index=…)."),
        )

    def word(self, manifest: Manifest | None) -> str:
        """What ``corpus.json`` should record when a writer begins.

        Args:
            manifest: ``corpus.json`` as it is; ``None`` for a new corpus.

        Returns:
            The word it has; in a corpus without papers, the one that was asked for.
        """
        if manifest is None:
            return word_of(self._asked)
        self.check(manifest)
        return manifest.index if self._fits(manifest) else word_of(self._asked)

    def store(self, manifest: Manifest) -> VectorStore | None:
        """The store of the corpus.

        Args:
            manifest: ``corpus.json``.

        Returns:
            The store, the same object every time.
        """
        self.check(manifest)
        return self.recorded(manifest.index)

    def recorded(self, word: str) -> VectorStore | None:
        """The store of a recorded word.

        Args:
            word: From ``corpus.json``, or from the manifest of an index.

        Returns:
            The store, the same object every time.
        """
        if word not in self._kept:
            same = self._named and word_of(self._asked) == word
            self._kept[word] = self._asked if same else recorded_store(word, self._root)
        return self._kept[word]

    def find(self, index: str | VectorStore) -> VectorStore | None:
        """The store that a word or an object stands for.

        Args:
            index: A word or a store.

        Returns:
            The store; the one that is open already if the word is the same.
        """
        found = resolve_store(index, self._root)
        return self._kept.get(word_of(found), found) if isinstance(index, str) else found

    def use(self, store: VectorStore | None) -> None:
        """Go on with another store, after the index was moved there.

        Args:
            store: The store.
        """
        self._asked = store
        self._kept[word_of(store)] = store

    def _fits(self, manifest: Manifest) -> bool:
        return not self._named or is_recorded(self._asked, manifest.index, self._root)
