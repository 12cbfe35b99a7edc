import numpy as np
import pytest

from vectree.index import dense
from vectree.index.dense import cosines
from vectree.index.embedder import normalized


def random_rows(rows, dimension, seed=0):
    return normalized(np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32))


def test_c31_cosines_equal_a_dot_product_of_normalised_vectors():
    rows, query = random_rows(100, 48), random_rows(1, 48, seed=1)[0]
    np.testing.assert_allclose(cosines([rows], query), rows @ query, atol=1e-6)


def test_the_same_row_scores_the_same_in_any_matrix():
    rows, query = random_rows(1_000, 384), random_rows(1, 384, seed=1)[0]
    together = cosines([rows], query)
    apart = cosines([rows[:1], rows[1:7], rows[7:7], rows[7:]], query)
    assert together.tolist() == apart.tolist()


def test_threads_change_nothing(monkeypatch):
    rows, query = random_rows(2_000, 64), random_rows(1, 64, seed=1)[0]
    alone = cosines([rows], query)
    monkeypatch.setattr(dense, "_ALONE_BELOW", 1)
    monkeypatch.setattr(dense, "_BLOCK_ROWS", 100)
    assert cosines([rows[:950], rows[950:]], query).tolist() == alone.tolist()


@pytest.mark.parametrize("matrices", [[], [np.zeros((0, 3), dtype=np.float32)]])
def test_no_rows_no_cosines(matrices):
    assert cosines(matrices, np.ones(3, dtype=np.float32)).tolist() == []
