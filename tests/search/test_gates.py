from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.search.gates import Candidates, GateThresholds, Verdict, relevant_dense, relevant_sparse
from vectree.search.ranking import rank, rank_ungated

PAPER = GateThresholds(relevant_similarity=0.35, strong_similarity=0.55)


def candidates(*pairs, whole=()):
    """Pairs of similarity and BM25; positions in ``whole`` hold every word of the query."""
    flags = np.zeros(len(pairs), dtype=bool)
    flags[list(whole)] = True
    return Candidates(
        similarity=np.array([s for s, _ in pairs], dtype=float),
        bm25=np.array([b for _, b in pairs], dtype=float),
        whole=flags,
        order=np.arange(len(pairs)),
    )


def verdict(similarity, bm25, library, *, whole=False):
    found = rank(candidates((similarity, bm25), whole=[0] if whole else ()), PAPER, library=library)
    return Verdict(int(found.verdicts[0]))


@pytest.mark.parametrize(
    ("similarity", "bm25", "stays"), [(0.35, 0, True), (0.3499, 0, False), (0, 1.0, True), (0, 0.999, False)]
)
def test_c19_pre_fusion_gate_is_either_threshold_inclusive(similarity, bm25, stays):
    one = candidates((similarity, bm25))
    assert (relevant_dense(one, PAPER) | relevant_sparse(one, PAPER, 51)).item() == stays


@pytest.mark.parametrize(
    ("similarity", "bm25", "expected"),
    [
        (0.40, 1.2, Verdict.AGREEMENT),
        (0.549, 0, Verdict.WEAK),
        (0.55, 0, Verdict.STRONG_SIMILARITY),
        (0, 3.99, Verdict.WEAK),
        (0, 4.0, Verdict.STRONG_BM25),
        (0.349, 0.999, Verdict.IRRELEVANT),
    ],
)
def test_c19_a_library_of_fifty_needs_agreement_or_a_strong_match(similarity, bm25, expected):
    assert verdict(similarity, bm25, 50) is expected


def test_c19_fifty_one_papers_are_judged_by_the_leader():
    assert verdict(0.40, 0, 51) is Verdict.NEAR_LEADER
    assert verdict(0.40, 0, 50) is Verdict.WEAK


def test_c19_single_list_rank_16_stays_behind_the_best_leader_and_17_goes():
    leader = (0.9, 9.0)
    others = [(0.8 - i / 100, 0.0) for i in range(16)]
    found = rank(candidates(leader, *others), PAPER, library=51)
    assert found.dense_ranks.tolist() == list(range(1, 18))
    assert [Verdict(int(code)) for code in found.verdicts[-2:]] == [
        Verdict.NEAR_LEADER,
        Verdict.FAR_FROM_LEADER,
    ]


def test_c19_exactly_forty_percent_of_the_leader_stays():
    share = (1 / 62) / (1 / 61)
    tight = GateThresholds(relevant_similarity=0.35, strong_similarity=0.55, leader_share=share)
    found = rank(candidates((0.9, 0), (0.8, 0)), tight, library=51)
    assert found.kept.tolist() == [0, 1]


def test_a_document_below_the_dense_gate_has_no_dense_rank():
    found = rank(candidates((0.34, 2.0), (0.9, 0.0)), PAPER, library=60)
    assert found.dense_ranks.tolist() == [0, 1]
    assert found.sparse_ranks.tolist() == [1, 0]


def test_a_survivor_by_similarity_with_some_bm25_has_a_sparse_rank():
    found = rank(candidates((0.5, 0.3), (0.1, 0.3)), PAPER, library=60)
    assert found.sparse_ranks.tolist() == [1, 0], "the second did not survive"


def test_fact_1_documents_without_a_matching_word_do_not_defeat_the_large_gate():
    many = candidates((0.9, 9.0), *[(0.5 - i / 1000, 0.0) for i in range(80)])
    assert len(rank(many, PAPER, library=81).kept) == 16


@pytest.mark.parametrize(("library", "kept"), [(1, True), (50, True), (51, False)])
def test_c14_every_word_of_the_query_in_one_entry_is_enough_in_a_small_library(library, kept):
    assert verdict(0.0, 0.15, library, whole=True).kept == kept


def test_the_rule_for_whole_queries_can_be_switched_off():
    strict = GateThresholds(relevant_similarity=0.35, strong_similarity=0.55, whole_query=False)
    assert rank(candidates((0.0, 0.15), whole=[0]), strict, library=1).kept.tolist() == []


def test_without_gates_all_that_any_list_holds_are_ranked_by_fusion():
    found = rank_ungated(candidates((0.1, 0.0), (0.3, 0.2), (-0.2, 0.0), (0.0, 0.0)))
    assert found.kept.tolist() == [1, 0, 2]
    assert found.rrf[1] == 2 / 61


def test_every_verdict_has_a_reason_and_only_positive_ones_are_shown():
    for member in Verdict:
        assert member.reason
        assert member.kept == (member > 0)


scores = st.lists(st.tuples(st.floats(-1, 1), st.floats(0, 10), st.booleans()), min_size=1, max_size=25)
thresholds = st.builds(
    GateThresholds,
    relevant_similarity=st.floats(0, 1),
    strong_similarity=st.floats(0, 1),
    relevant_bm25=st.floats(0, 5),
    strong_bm25=st.floats(0, 10),
    leader_share=st.floats(0, 1),
)


def drawn(found):
    return candidates(*[(s, b) for s, b, _ in found], whole=[i for i, (_, _, w) in enumerate(found) if w])


def kept(found, gates, library):
    return set(rank(drawn(found), gates, library=library).kept.tolist())


FIELDS = ["relevant_similarity", "strong_similarity", "relevant_bm25", "strong_bm25", "leader_share"]


@given(found=scores, gates=thresholds, field=st.sampled_from(FIELDS), more=st.floats(0, 5))
def test_raising_a_gate_of_a_small_library_never_adds_a_hit(found, gates, field, more):
    stricter = replace(gates, **{field: getattr(gates, field) + more})
    assert kept(found, stricter, 50) <= kept(found, gates, 50)


@given(found=scores, gates=thresholds, more=st.floats(0, 1))
def test_raising_the_leaders_share_never_adds_a_hit(found, gates, more):
    stricter = replace(gates, leader_share=gates.leader_share + more)
    assert kept(found, stricter, 51) <= kept(found, gates, 51)


@given(found=scores, gates=thresholds, field=st.sampled_from(FIELDS[:3:2]), more=st.floats(0, 5))
def test_raising_the_pre_fusion_gate_never_lets_another_into_fusion(found, gates, field, more):
    stricter = replace(gates, **{field: getattr(gates, field) + more})
    entered, fewer = (rank(drawn(found), each, library=51).rrf > 0 for each in (gates, stricter))
    assert not (fewer & ~entered).any()


@given(found=scores, gates=thresholds, library=st.sampled_from([50, 51]))
def test_what_is_shown_entered_fusion_and_stands_in_the_order_of_its_value(found, gates, library):
    ranking = rank(drawn(found), gates, library=library)
    shown = ranking.rrf[ranking.kept]
    assert (np.diff(shown) <= 0).all()
    assert not set(ranking.kept.tolist()) & set(np.flatnonzero(ranking.verdicts < 0).tolist())
