from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from vectree.index import codes as codes_module
from vectree.index.codes import ask, encode, make_codes, merge_codes, upper_bounds
from vectree.index.corpus_index import CorpusIndex
from vectree.index.dense import Matrix, cosines
from vectree.index.embedder import HashEmbedder, normalized
from vectree.search.hybrid import HybridSearch
from vectree.testing.entries import make_paper

DIMENSIONS = st.sampled_from((1, 3, 64, 384))


@st.composite
def matrices(draw):
    """Rows of norm 1 or 0: random ones, spikes, repetitions, numbers near the limits of float32."""
    dimension = draw(DIMENSIONS)
    count = draw(st.integers(1, 12))
    seed = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = seed.standard_normal((count, dimension)) ** draw(st.sampled_from((1, 3, 9)))
    spikes = draw(
        hnp.arrays(np.float64, dimension, elements=st.sampled_from((0.0, 1.0, -1.0, 1e-30, 1e-3, 0.5)))
    )
    rows[draw(st.integers(0, count - 1))] = spikes
    rows = np.concatenate([rows, rows[: draw(st.integers(0, count))]])
    return normalized(rows.astype(np.float32))


@given(rows=matrices(), pick=st.integers(0, 1000), noise=st.floats(0, 1))
@settings(max_examples=200, deadline=None)
def test_no_cosine_lies_above_its_bound(rows, pick, noise):
    other = np.random.default_rng(pick).standard_normal(rows.shape[1])
    query = normalized((rows[pick % len(rows)] + noise * other).astype(np.float32))
    bounds = upper_bounds(encode(rows), ask(query))
    assert bounds.dtype == np.float32
    assert (bounds >= cosines([rows], query)).all()
    assert (bounds.astype(np.float64) >= rows.astype(np.float64) @ query.astype(np.float64)).all()


def test_bounds_are_close_enough_to_be_of_use():
    rows = normalized(np.random.default_rng(0).standard_normal((3_000, 768)).astype(np.float32))
    gap = upper_bounds(encode(rows), ask(rows[0])) - cosines([rows], rows[0])
    assert gap.max() < 0.025


@given(
    rows=matrices(),
    border=st.integers(0, 1000),
    split=st.integers(0, 1000),
    below=st.sampled_from((0.0, 1e-9, -1e-9, 1e-3, -1e-3)),
)
@settings(max_examples=200, deadline=None)
def test_the_gate_decides_as_on_exact_cosines_and_what_passes_is_exact(rows, border, split, below):
    query, cut = rows[border % len(rows)], split % len(rows)
    exact = cosines([rows], query)
    gate = float(exact[(border * 7) % len(rows)]) + below
    parts = [(rows[:cut], None), (rows[cut:], encode(rows[cut:]))]
    scores = Matrix(parts).scores(query, gate)
    passes = exact.astype(np.float64) >= gate
    assert ((scores.values.astype(np.float64) >= gate) == passes).all()
    assert (scores.values[passes] == exact[passes]).all()
    everything = np.arange(len(rows))
    assert (scores.exact(everything) == exact).all()
    assert (Matrix(parts).scores(query, None).values == exact).all()
    assert (Matrix(parts).vectors(everything) == rows).all()


def test_small_segments_and_those_without_vectors_have_no_codes():
    rows = normalized(np.random.default_rng(0).standard_normal((3_000, 8)).astype(np.float32))
    assert make_codes(rows[:100]) is None
    assert make_codes(rows[:, :0]) is None
    assert make_codes(rows) is not None


def test_merging_copies_codes_and_makes_those_that_are_missing():
    rows = normalized(np.random.default_rng(0).standard_normal((5_000, 16)).astype(np.float32))
    stays = np.random.default_rng(1).random(5_000) < 0.9
    parts = [
        (rows[:2_500], encode(rows[:2_500]), stays[:2_500]),
        (rows[2_500:], None, stays[2_500:]),
    ]
    merged, fresh = merge_codes(parts), encode(rows[stays])
    assert merged is not None
    for name in ("values", "scales", "norms", "losses"):
        assert (getattr(merged, name) == getattr(fresh, name)).all()
    nobody = np.zeros(2_500, dtype=np.bool_)
    assert merge_codes([(rows[:2_500], None, nobody)]) is None


@pytest.mark.parametrize("template", ["title-first", "paper"])
def test_a_search_by_codes_is_a_search_by_brute_force(tmp_path, monkeypatch, template):
    embedder = HashEmbedder(32)
    words = [
        "ion",
        "garnet",
        "lithium",
        "perovskite",
        "solar",
        "cell",
        "anode",
        "cathode",
        "sulfur",
        "polymer",
        "membrane",
        "ionic",
    ]
    draw = np.random.default_rng(5)

    def papers():
        for number in range(120):
            text = [" ".join(draw.choice(words, 6)) for _ in range(4)]
            sections = {f"Part {place}": body for place, body in enumerate(text)}
            yield make_paper(f"p{number:03}", title=" ".join(draw.choice(words, 4)), sections=sections)

    plain = CorpusIndex(tmp_path / "plain", embedder, template)
    coded_papers = list(papers())
    plain.add_all(coded_papers)
    monkeypatch.setattr(codes_module, "MIN_ROWS", 1)
    coded = CorpusIndex(tmp_path / "coded", embedder, template)
    coded.add_all(coded_papers)
    assert plain.snapshot().segments[0].codes is None
    assert coded.snapshot().segments[0].codes is not None
    assert CorpusIndex(tmp_path / "coded", embedder, template).snapshot().segments[0].codes is not None
    first, second = HybridSearch(plain, embedder), HybridSearch(coded, embedder)
    for place in range(0, len(words) - 1):
        query = " ".join(words[place : place + 2])
        assert first.search(query, top_k=120) == second.search(query, top_k=120)
        assert first.search(query, gates=False) == second.search(query, gates=False)
        assert first.explain(query) == second.explain(query)
