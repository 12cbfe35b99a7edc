import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from vectree.index.bm25 import IDF_FLOOR, idf, score_bm25
from vectree.index.postings import build_postings, merge_postings
from vectree.words import content_words, words

LIBRARY = [
    "garnet electrolyte conductivity measured in solid state cells",
    "the gut microbiota of honey bees under pesticide stress",
    "perovskite solar cells degrade in humid air",
    "honey yields and bees in the alps",
    "a survey of neural machine translation",
    "translation of ribosomal frames in yeast",
    "yeast growth under osmotic stress",
]

word = st.sampled_from(["ion", "cell", "bee", "gut", "salt", "the", "of", "honig", "β"])
text = st.lists(word, max_size=8).map(" ".join)


def scores(query, texts):
    return score_bm25(query, [(build_postings(texts), np.ones(len(texts), dtype=bool))]).bm25


@pytest.mark.parametrize(
    "query", ["honey bees", "electrolyte conductivity", "translation translation yeast", "solid cells"]
)
def test_equals_rank_bm25_where_its_idf_is_above_the_floor(query):
    reference = BM25Okapi([words(text) for text in LIBRARY])
    assert all(reference.idf[term] > IDF_FLOOR for term in content_words(query))
    expected = reference.get_scores(content_words(query))
    np.testing.assert_allclose(scores(query, LIBRARY), expected, rtol=1e-12)


def test_idf_has_a_floor_where_a_word_is_everywhere():
    assert idf(3, 3) == IDF_FLOOR
    assert idf(1, 10) > IDF_FLOOR


@pytest.mark.parametrize(
    ("texts", "matching"),
    [
        (["perovskite cells"], [0]),
        (["perovskite cells", "honey bees"], [0]),
        (["perovskite cells", "perovskite films", "honey bees"], [0, 1]),
    ],
)
def test_c14_every_match_scores_above_zero_and_every_other_entry_zero(texts, matching):
    found = scores("perovskite", texts)
    for entry, value in enumerate(found):
        assert (value > 0) == (entry in matching)
        assert value >= 0


@pytest.mark.parametrize("query", ["", "   ", "the of and", "zzqq", "?!"])
def test_c16_stopwords_and_unknown_words_score_nothing(query):
    assert scores(query, LIBRARY).tolist() == [0.0] * len(LIBRARY)


def test_c15_the_right_chinese_title_scores_best():
    texts = ["固体电解质的离子电导率研究", "蜜蜂肠道微生物群落"]
    found = scores("离子电导率", texts)
    assert found[0] > 0
    assert found[1] == 0


def test_c15_composed_and_decomposed_letters_are_one_word():
    found = scores("Schro\u0308dinger", ["Schrödinger operators", "harmonic operators"])
    assert found[0] > 0


def test_no_entries_no_scores():
    assert score_bm25("ion", []).bm25.tolist() == []


def test_matched_counts_different_words_of_the_query():
    found = score_bm25("bees honey bees zebra", [(build_postings(LIBRARY), np.ones(7, dtype=bool))])
    assert found.words == 3
    assert found.matched.tolist() == [0, 2, 0, 2, 0, 0, 0]


@given(
    parts=st.lists(st.lists(st.tuples(text, st.booleans()), min_size=1, max_size=5), max_size=4), query=text
)
def test_scores_after_any_history_equal_those_of_a_fresh_index(parts, query):
    split = [
        (build_postings([t for t, _ in part]), np.array([alive for _, alive in part], dtype=bool))
        for part in parts
    ]
    alive = np.array([stays for part in parts for _, stays in part], dtype=bool)
    living = [t for part in parts for t, stays in part if stays]
    expected = scores(query, living).tolist()
    assert score_bm25(query, split).bm25[alive].tolist() == expected
    if split:
        merged = merge_postings(split)
        assert score_bm25(query, [(merged, np.ones(len(living), dtype=bool))]).bm25.tolist() == expected
