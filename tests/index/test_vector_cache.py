from __future__ import annotations

import numpy as np

from vectree.index.vector_cache import VectorCache


def looking(asked):
    def ask(keys):
        asked.append(list(keys))
        return {key: np.full(2, int(key), dtype=np.float32) for key in keys if key != "9"}

    return ask


def test_a_vector_is_asked_for_once_and_a_missing_one_again():
    cache, asked = VectorCache(), []
    assert cache.get(["1", "9"], looking(asked)).keys() == {"1"}
    assert cache.get(["9", "1", "2"], looking(asked)).keys() == {"1", "2"}
    assert asked == [["1", "9"], ["9", "2"]]
    assert cache.get(["1", "2"], looking(asked))["2"].tolist() == [2, 2]
    assert len(asked) == 2


def test_few_are_kept_the_longest_unused_leave_and_an_answer_is_whole_all_the_same():
    cache, asked = VectorCache(kept=2), []
    cache.get(["1", "2"], looking(asked))
    cache.get(["1"], looking(asked))
    assert cache.get(["3"], looking(asked)).keys() == {"3"}
    cache.get(["1", "3"], looking(asked))
    assert asked == [["1", "2"], ["3"]]
    assert len(cache.get(list("12345678"), looking(asked))) == 8


def test_what_was_deleted_is_asked_for_again():
    cache, asked = VectorCache(), []
    cache.get(["1"], looking(asked))
    cache.forget(["1", "7"])
    cache.get(["1"], looking(asked))
    assert asked == [["1"], ["1"]]
