import numpy as np
import pytest

from vectree.index.postings import build_postings, merge_postings

TEXTS = ["the cat sat on the mat", "cat and dog", "", "Schrödinger 固体电解质 dog dog"]


def holders(postings, word):
    place = postings.find([word.encode()])[0]
    if place is None:
        return {}
    return dict(zip(postings.entries[place].tolist(), postings.counts[place].tolist(), strict=True))


def test_a_word_is_found_in_the_entries_that_hold_it_with_its_count():
    postings = build_postings(TEXTS)
    assert holders(postings, "cat") == {0: 1, 1: 1}
    assert holders(postings, "dog") == {1: 1, 3: 2}
    assert holders(postings, "schrödinger") == {3: 1}
    assert holders(postings, "固体") == {3: 1}
    assert holders(postings, "bird") == {}


def test_stopwords_count_in_the_length_but_have_no_postings():
    postings = build_postings(TEXTS)
    assert postings.lengths.tolist() == [6, 3, 0, 7]
    assert holders(postings, "the") == {}


def test_a_word_longer_than_any_indexed_one_is_not_taken_for_its_beginning():
    postings = build_postings(["ab"])
    assert holders(postings, "ab") == {0: 1}
    assert postings.find([b"abc", b"a"]) == [None, None]


def test_empty_postings_find_nothing():
    postings = build_postings(["", "the of"])
    assert postings.find([b"cat"]) == [None]
    assert build_postings([]).find([]) == []


def test_a_count_beyond_16_bits_is_capped():
    assert holders(build_postings(["ion " * 70_000]), "ion") == {0: 65_535}


@pytest.mark.parametrize("keep", [[True] * 4, [False, True, False, True], [False] * 4])
def test_merged_postings_equal_postings_built_of_the_texts_that_stay(keep):
    other = ["dog zebra", "aardvark cat"]
    merged = merge_postings(
        [(build_postings(TEXTS), np.array(keep)), (build_postings(other), np.array([True, True]))]
    )
    fresh = build_postings([text for text, stays in zip(TEXTS, keep, strict=True) if stays] + other)
    assert merged.terms.tolist() == fresh.terms.tolist()
    for name in ("starts", "entries", "counts", "lengths"):
        assert getattr(merged, name).tolist() == getattr(fresh, name).tolist(), name
