"""What every vector store must do. Subclass, return yours from ``make_store``, and let pytest collect it.

No test framework is imported here; the checks are plain assertions.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from vectree.index.embedder import Vectors, normalized
from vectree.index.entry_keys import entry_key, new_space
from vectree.index.vector_store import STORED_COSINE_ERROR, StoredEntry, VectorSpace, VectorStore

_DIMENSION = 16


class VectorStoreContract:
    """The contract of `vectree.index.vector_store.VectorStore`.

    Subclasses override `make_store`. Each check uses a fresh space of it; the store may be shared by returning
    the same object every time.
    """

    def make_store(self) -> VectorStore:
        """Return the store under test.

        Returns:
            A store.

        Raises:
            NotImplementedError: Unless overridden.
        """
        raise NotImplementedError("return the store under test")

    def test_follows_the_protocols(self) -> None:
        """Store and space have the members of their protocols, and the word is one line."""
        store = self.make_store()
        assert isinstance(store, VectorStore)
        assert isinstance(self._space()[1], VectorSpace)
        assert store.word == store.word.strip()
        assert len(store.word.splitlines()) == 1

    def test_an_empty_space_proposes_nothing(self) -> None:
        """Asking and deleting before anything was put is no mistake."""
        name, space = self._space()
        assert list(space.nearest(_vectors(1)[0], 5).keys) == []
        assert not space.vectors([_key(name, 0)])
        assert space.count() in (0, None)
        space.delete([_key(name, 0)])
        space.drop()

    def test_the_nearest_come_first(self) -> None:
        """Order and cosines are those of a brute force search."""
        name, space = self._space()
        vectors = _vectors(60)
        space.put(_entries(name, vectors))
        query = _vectors(61)[-1]
        cosines = vectors @ query
        found = space.nearest(query, 20)
        wanted = [_key(name, int(place)) for place in np.argsort(-cosines)[:20]]
        assert list(found.keys) == wanted
        if found.similarities is not None:
            assert np.abs(found.similarities - np.sort(cosines)[::-1][:20]).max() < STORED_COSINE_ERROR

    def test_fewer_than_asked_for_means_that_there_are_no_more(self) -> None:
        """A depth beyond the size gives everything, each once."""
        name, space = self._space()
        vectors = _vectors(30)
        space.put(_entries(name, vectors))
        found = list(space.nearest(vectors[0], 500).keys)
        assert sorted(found) == sorted(_key(name, place) for place in range(30))
        assert len(space.nearest(vectors[0], 7).keys) == 7

    def test_vectors_come_back_bit_for_bit(self) -> None:
        """What gives vectors gives those that were put, and leaves out what it has not."""
        name, space = self._space()
        vectors = np.concatenate([_vectors(5), np.zeros((1, _DIMENSION), dtype=np.float32)])
        space.put(_entries(name, vectors))
        if not space.gives_vectors:
            return
        keys = [_key(name, place) for place in (4, 1, 5)]
        found = space.vectors([*keys, _key(name, 99)])
        assert set(found) == set(keys)
        for key, place in zip(keys, (4, 1, 5), strict=True):
            assert found[key].dtype == np.float32
            assert (found[key] == vectors[place]).all()

    def test_opposite_and_orthogonal_are_told_apart(self) -> None:
        """1, 0 and -1 are cosines, not distances."""
        name, space = self._space()
        vectors = np.zeros((3, _DIMENSION), dtype=np.float32)
        vectors[0, 0], vectors[1, 1], vectors[2, 0] = 1, 1, -1
        space.put(_entries(name, vectors))
        found = space.nearest(vectors[0], 3)
        assert list(found.keys) == [_key(name, place) for place in range(3)]
        if found.similarities is not None:
            assert np.abs(found.similarities - [1, 0, -1]).max() < STORED_COSINE_ERROR

    def test_putting_twice_is_putting_once(self) -> None:
        """The same key again, as after a crash, changes nothing."""
        name, space = self._space()
        entries = _entries(name, _vectors(4))
        space.put(entries)
        space.put(entries)
        assert sorted(space.nearest(entries[0].vector, 10).keys) == sorted(entry.key for entry in entries)
        assert space.count() in (4, None)
        listed = space.keys()
        assert listed is None or sorted(listed) == sorted(entry.key for entry in entries)

    def test_what_was_deleted_is_not_proposed(self) -> None:
        """Deletion is immediate; unknown keys are ignored."""
        name, space = self._space()
        vectors = _vectors(10)
        space.put(_entries(name, vectors))
        space.delete([_key(name, 3), _key(name, 77)])
        found = list(space.nearest(vectors[3], 10).keys)
        assert len(found) == 9
        assert _key(name, 3) not in found

    def test_thousands_at_once(self) -> None:
        """One call may bring more than a store takes in one of its own."""
        name, space = self._space()
        vectors = _vectors(6_300)
        space.put(_entries(name, vectors))
        assert space.count() in (6_300, None)
        assert next(iter(space.nearest(vectors[6_000], 1).keys)) == _key(name, 6_000)

    def test_two_spaces_do_not_mix(self) -> None:
        """What is put into one space is not an entry of another; a store without spaces may propose it."""
        (first_name, first), (_, second) = self._space(), self._space()
        vectors = _vectors(3)
        first.put(_entries(first_name, vectors))
        second.drop()
        proposed = list(first.nearest(vectors[0], 3).keys)
        assert proposed[0] == _key(first_name, 0)

    def test_threads_may_ask_at_the_same_time(self) -> None:
        """Answers do not depend on who else asks."""
        name, space = self._space()
        vectors = _vectors(40)
        space.put(_entries(name, vectors))

        def ask(place: int) -> bool:
            return next(iter(space.nearest(vectors[place], 3).keys)) == _key(name, place)

        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(ask, range(40)))

    def _space(self) -> tuple[str, VectorSpace]:
        name = new_space()
        return name, self.make_store().space(name, _DIMENSION)


def _vectors(count: int) -> Vectors:
    return normalized(np.random.default_rng(7).standard_normal((count, _DIMENSION)).astype(np.float32))


def _key(name: str, place: int) -> str:
    """Every third one is the entry of a document, the two that follow are its sections."""
    return entry_key(name, f"doc{place // 3}", place % 3, place.to_bytes(16, "big"))


def _entries(name: str, vectors: Vectors) -> Sequence[StoredEntry]:
    return [
        StoredEntry(
            key=_key(name, place),
            vector=vector,
            text=f"text {place}",
            doc_id=f"doc{place // 3}",
            whole=place % 3 == 0,
        )
        for place, vector in zip(itertools.count(), vectors, strict=False)
    ]
