"""The numbers of §3.4, each asserted once."""

import inspect

import numpy as np

from vectree.index.bm25 import K1, B
from vectree.index.corpus_index import CorpusIndex
from vectree.index.embedder import PAPER_GATES, HashEmbedder
from vectree.search.fusion import K, fuse
from vectree.search.gates import GateThresholds
from vectree.search.hybrid import HybridSearch
from vectree.testing.entries import make_paper
from vectree.words import words

THRESHOLDS = GateThresholds(relevant_similarity=PAPER_GATES.relevant, strong_similarity=PAPER_GATES.strong)


def test_pre_fusion_gate_is_035_or_10():
    assert (THRESHOLDS.relevant_similarity, THRESHOLDS.relevant_bm25) == (0.35, 1.0)


def test_strong_matches_are_055_and_40():
    assert (THRESHOLDS.strong_similarity, THRESHOLDS.strong_bm25) == (0.55, 4.0)


def test_large_libraries_have_more_than_50_papers_and_cut_below_40_percent():
    assert (THRESHOLDS.small_library, THRESHOLDS.leader_share) == (50, 0.40)


def test_equation_4_with_k_60():
    assert K == 60
    assert fuse(np.array([3]), np.array([7])).tolist() == [1 / 63 + 1 / 67]


def test_bm25_is_rank_bm25s_okapi():
    assert (K1, B) == (1.5, 0.75)


def test_tokens_are_lower_case_alphanumeric_words():
    assert words("Li7La3Zr2O12: a Garnet (LLZO), 80 C.") == ["li7la3zr2o12", "a", "garnet", "llzo", "80", "c"]


def test_the_index_holds_n_times_one_plus_s_vectors(tmp_path):
    index = CorpusIndex(tmp_path / "index", HashEmbedder(8))
    for name in "abc":
        index.add(
            *make_paper(name, sections=dict.fromkeys(["Introduction", "Methods", "Results", "Outlook"], ""))
        )
    assert index.size.entries == 3 * (1 + 4)


def test_a_search_returns_ten_results_unless_told():
    assert inspect.signature(HybridSearch.search).parameters["top_k"].default == 10
