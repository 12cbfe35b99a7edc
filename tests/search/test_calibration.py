import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.errors import UsageError
from vectree.index.corpus_index import CorpusIndex
from vectree.index.embedder import Fingerprint, HashEmbedder, SimilarityGates, normalized
from vectree.search.calibration import BIN, STRONG_SHARE, calibrate
from vectree.search.probes import PROBES
from vectree.testing.entries import make_paper


class Shifted:
    """Texts of other fields have a cosine around ``floor``; a title has ``own`` with its own paper."""

    gates = SimilarityGates(relevant=0.35, strong=0.55)
    fingerprint = Fingerprint(name="shifted", revision="1", pooling="none", dimension=600)

    def __init__(self, floor, own, spread=0.02):
        self.floor, self.own, self.spread = floor, own, spread

    def embed_documents(self, texts):
        return np.stack([self._vector(text, 1.0) for text in texts])

    def embed_query(self, text):
        return self._vector(text, self.own if text.startswith("paper") else None)

    def _vector(self, text, own):
        # A common direction gives every pair its floor; a direction of its own tells titles apart.
        vector = np.zeros(600, dtype=np.float32)
        noise = np.random.default_rng(zlib.crc32(text[:12].encode())).standard_normal(300) * self.spread
        vector[300:] = noise / np.sqrt(300)
        vector[0] = np.sqrt(self.floor)
        if text.startswith("paper"):
            number = int(text.split()[1])
            vector[1 + number] = np.sqrt(max(0.0, (1.0 if own == 1.0 else own) - self.floor))
        return normalized(vector)


def index_of(tmp_path, embedder, papers):
    index = CorpusIndex(tmp_path / "index", embedder)
    index.add_all(make_paper(f"p{n}", title=f"paper {n} of many", sections={}) for n in range(papers))
    return index


def test_c18_gates_follow_an_embedder_that_finds_everything_similar(tmp_path):
    loud = Shifted(floor=0.85, own=0.97)
    found = calibrate(index_of(tmp_path, loud, 30).snapshot(), loud, loud.gates)
    assert found.passing == 1.0
    assert "100% of unrelated pairs pass the relevant gate in use (0.35)" in " ".join(found.warnings)
    assert found.suggested.relevant >= found.unrelated_median > 0.8
    assert found.suggested.relevant <= found.suggested.strong < 1


def test_an_embedder_that_tells_fields_apart_raises_no_warning(tmp_path):
    plain = HashEmbedder(512)
    found = calibrate(
        index_of(tmp_path, plain, 25).snapshot(), plain, SimilarityGates(relevant=0.6, strong=0.7)
    )
    assert found.warnings == ()
    assert (found.papers, found.pairs, found.titles) == (25, 25 * len(PROBES), 25)
    assert 0 <= found.suggested.relevant < found.suggested.strong < found.own_median


def test_the_strong_gate_lies_between_unrelated_and_own(tmp_path):
    plain = HashEmbedder(512)
    found = calibrate(index_of(tmp_path, plain, 25).snapshot(), plain, plain.gates)
    relevant, own = found.suggested.relevant, found.own_median
    assert found.suggested.strong == pytest.approx(relevant + STRONG_SHARE * (own - relevant), abs=0.02)


@settings(max_examples=15, deadline=None)
@given(papers=st.integers(1, 12), dimension=st.integers(2, 64))
def test_the_histogram_counts_every_pair_once(tmp_path_factory, papers, dimension):
    embedder = HashEmbedder(dimension)
    index = index_of(tmp_path_factory.mktemp("calibrate"), embedder, papers)
    found = calibrate(index.snapshot(), embedder, embedder.gates)
    assert sum(bar.unrelated for bar in found.histogram) == found.pairs
    assert sum(bar.own for bar in found.histogram) == found.titles
    starts = [bar.start for bar in found.histogram]
    assert np.allclose(np.diff(starts), BIN)
    assert -1 <= starts[0] <= starts[-1] < 1


def test_few_papers_are_said_to_be_few(tmp_path):
    plain = HashEmbedder(64)
    found = calibrate(index_of(tmp_path, plain, 3).snapshot(), plain, plain.gates)
    assert "3 papers are few" in found.warnings[0]


def test_a_removed_paper_is_not_measured(tmp_path):
    plain = HashEmbedder(64)
    index = index_of(tmp_path, plain, 4)
    index.remove(["p2"])
    found = calibrate(index.snapshot(), plain, plain.gates)
    assert (found.papers, found.pairs, found.titles) == (3, 3 * len(PROBES), 3)


def test_an_empty_library_cannot_be_measured(tmp_path):
    plain = HashEmbedder(64)
    with pytest.raises(UsageError, match="no paper to measure"):
        calibrate(CorpusIndex(tmp_path / "index", plain).snapshot(), plain, plain.gates)


def test_probes_are_forty_different_questions():
    assert len(set(PROBES)) == len(PROBES) == 40
    assert all(probe.endswith("?") for probe in PROBES)
