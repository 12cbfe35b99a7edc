"""The seam to a vector store: where the vectors of a corpus may lie instead of in its own matrix (§3.4).

The index keeps deciding what exists: rows, words and the manifest stay its own, and the manifest is the one
commit point. A store is asked for one thing, the entries nearest to a query. The order of writing is: vectors
into the store, then the manifest, then deletion of what the manifest names no more. A crash between any two
steps leaves keys in the store that no manifest names; they are ignored wherever they turn up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from vectree.index.embedder import Vectors

STORED_COSINE_ERROR = 1e-4
"""How far a store's own cosine may lie from the exact one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StoredEntry:
    """One entry on its way into a store.

    Attributes:
        key: Names the entry for good: space, document, position and a digest of its text. Another text has
            another key, so the vector behind a key never changes. ASCII, no white space.
        vector: Shape (dimension,), float32, norm 1 (or 0 for an empty text).
        text: What was embedded, for stores that want one beside a vector; nothing ever reads it back.
        doc_id: The document.
        whole: Whether this is the entry of the document itself, not of a section.
    """

    key: str
    vector: Vectors
    text: str
    doc_id: str
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Neighbours:
    """What a store proposes for a query.

    Attributes:
        keys: Best first, each once; keys that were never put, or were deleted, do no harm.
        similarities: Their cosines as the store computes them, within `STORED_COSINE_ERROR`; shape
            (len(keys),). They save looking up vectors that decide nothing. ``None`` if the store gives none.
        partial: Whether the store knows that its search has passed entries over that should be among these.
    """

    keys: Sequence[str]
    similarities: Vectors | None = None
    partial: bool = False


@runtime_checkable
class VectorSpace(Protocol):
    """The vectors of one build of one index. Safe to use from several threads.

    Every method raises `VectorStoreUnavailable` if the store cannot be reached or does not answer within
    bounded time, and `VectorStoreError` if it answers with a mistake.
    """

    @property
    def gives_vectors(self) -> bool:
        """Whether `vectors` works.

        Then the index keeps no copy, and cosines are computed exactly from what the store gives back; otherwise
        the index keeps its matrix and the store only proposes.
        """
        ...

    def put(self, entries: Sequence[StoredEntry]) -> None:
        """Add entries, durably; one whose key is there already is left or replaced by the same vector.

        Args:
            entries: Any number, at least one.
        """
        ...

    def delete(self, keys: Sequence[str]) -> None:
        """Delete entries; keys that are not there are ignored.

        Args:
            keys: Any number, at least one.
        """
        ...

    def nearest(self, query: Vectors, depth: int) -> Neighbours:
        """Propose the entries nearest to a query by cosine.

        Approximate search is fine: the index computes the cosines of what is proposed itself, and asks
        deeper until the farthest lies below its gate.

        Args:
            query: Shape (dimension,), float32, norm 1.
            depth: Most entries to propose, at least 1. If fewer come, the index takes it that there are no more
                to be had, and looks up for itself what it misses.

        Returns:
            The nearest entries.
        """
        ...

    def vectors(self, keys: Sequence[str]) -> Mapping[str, Vectors]:
        """Give vectors back; called only if `gives_vectors` is true.

        Args:
            keys: Any number.

        Returns:
            Key → the float32 values that were put, bit for bit; shape (dimension,). Keys that are not there
            are left out.
        """
        ...

    def count(self) -> int | None:
        """Count the entries: fewer than the manifest names means damage, more means leftovers of a crash.

        Returns:
            How many there are, or ``None`` if the store cannot tell.
        """
        ...

    def keys(self) -> Sequence[str] | None:
        """List what the space holds, for sweeping leftovers.

        Returns:
            Every key, or ``None`` if the store cannot tell.
        """
        ...

    def notice(self, keys: Sequence[str]) -> None:
        """Learn that another process put these keys.

        A store whose search sees only what its own process wrote can look them up by key from now on; most
        have nothing to do.

        Args:
            keys: At least one.
        """
        ...

    def drop(self) -> None:
        """Delete the whole space, if the store has a way to; one that is not there is no mistake."""
        ...


@runtime_checkable
class VectorStore(Protocol):
    """Holds the vectors of any number of spaces; what a corpus is opened with."""

    @property
    def word(self) -> str:
        """What ``corpus.json`` records, and what another word at open is compared with.

        A word that `resolve_store` knows (``chroma:…``) is enough to open the corpus again; any other, such
        as ``llama-index:PineconeVectorStore``, asks for the object.
        """
        ...

    def space(self, name: str, dimension: int) -> VectorSpace:
        """Name a space; nothing is opened or created before the first call to one of its methods.

        Args:
            name: Letters, digits and hyphens, 8 to 40 characters, unique to one build of one index. Keys begin
                with it too, so a store without spaces of its own may put everything in one place.
            dimension: Length of its vectors.

        Returns:
            The space.
        """
        ...
