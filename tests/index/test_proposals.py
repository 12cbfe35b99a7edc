"""Searching through a store that proposes: how deep it is asked, and what decides."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.errors import CorpusDamaged
from vectree.index import proposals
from vectree.index.dense import Matrix, cosines
from vectree.index.embedder import normalized
from vectree.index.proposals import StoreSearch
from vectree.index.vector_store import STORED_COSINE_ERROR, Neighbours, StoredEntry
from vectree.testing.vector_stores import MemorySpace

DIMENSION = 8


class Rough(MemorySpace):
    """Gives cosines of its own, a little wrong; counts what it is asked for."""

    def __init__(self, *, gives_vectors: bool = True, scored: bool = True) -> None:
        super().__init__(gives_vectors=gives_vectors)
        self.scored = scored
        self.depths: list[int] = []
        self.looked_up = 0

    def nearest(self, query, depth):
        self.depths.append(depth)
        found = super().nearest(query, depth)
        if not self.scored or not found.keys:
            return found
        exact = np.stack([self.held[key] for key in found.keys]) @ query
        wrong = np.random.default_rng(len(exact)).uniform(-1, 1, len(exact)) * 0.9 * STORED_COSINE_ERROR
        return Neighbours(keys=found.keys, similarities=(exact + wrong).astype(np.float32))

    def vectors(self, keys):
        self.looked_up += len(keys)
        return super().vectors(keys)


def searching(vectors, per_document, **kind):
    """A search over documents of some entries each."""
    space = Rough(**kind)
    keys = [f"s:d{place // per_document}:{place % per_document}:x{place}" for place in range(len(vectors))]
    space.put(
        [
            StoredEntry(key=key, vector=vector, text="", doc_id="", whole=False)
            for key, vector in zip(keys, vectors, strict=True)
        ]
    )
    documents = np.arange(len(vectors)) // per_document
    matrix = None if space.gives_vectors else Matrix([(vectors, None)])
    return StoreSearch(space, keys, documents, matrix), space


def random_rows(count, seed=0):
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSION))
    return normalized(rows.astype(np.float32))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**16),
    gate=st.sampled_from((-0.5, 0.0, 0.3, 0.6, 0.95)),
    kind=st.sampled_from(((True, True), (True, False), (False, True), (False, False))),
    first=st.sampled_from((1, 7, 512)),
)
def test_papers_pass_the_gate_with_the_best_of_all_their_exact_cosines(seed, gate, kind, first):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proposals, "FIRST_DEPTH", first)
        vectors, query = random_rows(90, seed), random_rows(1, seed + 1)[0]
        search, _ = searching(vectors, 3, gives_vectors=kind[0], scored=kind[1])
        scores = search.scores(query, gate)
    exact = np.maximum.reduceat(cosines([vectors], query), np.arange(0, 90, 3))
    found = np.maximum.reduceat(scores.values, np.arange(0, 90, 3))
    passes = exact.astype(np.float64) >= gate
    assert ((found.astype(np.float64) >= gate) == passes).all()
    assert (found[passes] == exact[passes]).all()
    assert scores.note == ""
    assert (scores.exact(np.arange(90)) == cosines([vectors], query)).all()


def test_it_asks_deeper_until_the_farthest_lies_below_the_gate_and_looks_few_vectors_up():
    vectors = random_rows(3_000)
    query = vectors[0]
    search, space = searching(vectors, 10)
    search.scores(query, 0.1)
    assert space.depths == [512, 2_048]
    assert space.looked_up < 400


def test_a_bound_that_is_reached_is_said(monkeypatch):
    monkeypatch.setattr(proposals, "MAX_DEPTH", 600)
    search, space = searching(random_rows(3_000), 10)
    scores = search.scores(random_rows(1)[0], -1.0)
    assert space.depths == [512, 600]
    assert scores.note == "Only the 600 nearest entries of the vector store were considered."


def test_a_query_without_any_word_of_the_model_is_near_nothing():
    search, space = searching(random_rows(5), 1)
    scores = search.scores(np.zeros(DIMENSION, dtype=np.float32), 0.3)
    assert scores.values.tolist() == [0.0] * 5
    assert space.depths == []


def test_entries_that_the_store_has_lost_are_damage_not_zeros():
    search, space = searching(random_rows(5), 1)
    space.delete(["s:d2:0:x2"])
    with pytest.raises(CorpusDamaged, match=r"lacks 1 entries.*vectree reindex"):
        search.vectors(np.arange(5))


def test_keys_that_nobody_names_are_passed_over():
    vectors = random_rows(20)
    search, space = searching(vectors, 1)
    stranger = StoredEntry(key="t:else:0:y", vector=vectors[3], text="", doc_id="", whole=True)
    space.put([stranger])
    scores = search.scores(vectors[3], 0.5)
    assert int(np.argmax(scores.values)) == 3


def test_a_store_that_knows_it_passed_entries_over_is_helped_out(monkeypatch):
    vectors, query = random_rows(3_000), random_rows(1, 3)[0]
    search, _ = searching(vectors, 3)
    real = Rough.nearest

    def forgetful(self, query, depth):
        found = real(self, query, depth + 1)
        return Neighbours(keys=found.keys[1:], similarities=found.similarities[1:], partial=True)

    monkeypatch.setattr(Rough, "nearest", forgetful)
    exact = cosines([vectors], query)
    assert search.scores(query, 0.9).values.max() == exact.max()


@pytest.mark.parametrize("gives_vectors", [True, False])
def test_what_a_store_holds_and_does_not_propose_is_looked_up(monkeypatch, gives_vectors):
    vectors, query = random_rows(60), random_rows(1, 3)[0]
    search, space = searching(vectors, 3, gives_vectors=gives_vectors)
    whole = search.scores(query, 0.2).values
    real = Rough.nearest

    def forgetful(self, query, depth):
        found = real(self, query, depth)
        return Neighbours(keys=found.keys[5:], similarities=found.similarities[5:])

    monkeypatch.setattr(Rough, "nearest", forgetful)
    exact = np.maximum.reduceat(cosines([vectors], query), np.arange(0, 60, 3))
    for found in (whole, search.scores(query, 0.2).values):
        best = np.maximum.reduceat(found, np.arange(0, 60, 3))
        assert (best[exact >= 0.2] == exact[exact >= 0.2]).all()
    assert space.depths == [512, 512]
