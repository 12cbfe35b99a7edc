"""Exact cosines over memory-mapped matrices: no approximation, no second copy, the same answer everywhere."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from vectree.index.embedder import Vectors

_BLOCK_ROWS = 8_192
_ALONE_BELOW = 4_000_000
_MAX_THREADS = 4


def cosines(matrices: Sequence[Vectors], query: Vectors) -> Vectors:
    """Cosines of a query with the rows of some matrices.

    Rows are read in blocks by a few threads. ``einsum`` rather than ``matmul``: it sums a row in the same
    order whatever matrix the row lies in, so a score does not depend on the segments; and it keeps off the
    BLAS's own threads, which wait for each other many times longer than they compute on a busy machine.

    Args:
        matrices: Shape (n_i, dimension) each, rows of norm 1 or 0.
        query: Shape (dimension,), norm 1 or 0.

    Returns:
        Cosines of all rows in order; shape (sum of n_i,), float32.
    """
    found = np.empty(sum(len(matrix) for matrix in matrices), dtype=np.float32)
    blocks: list[tuple[Vectors, Vectors]] = []
    begin = 0
    for matrix in matrices:
        for row in range(0, len(matrix), _BLOCK_ROWS):
            block = matrix[row : row + _BLOCK_ROWS]
            blocks.append((block, found[begin : begin + len(block)]))
            begin += len(block)

    def score(block: tuple[Vectors, Vectors]) -> None:
        np.einsum("ij,j->i", block[0], query, out=block[1])

    threads = min(os.cpu_count() or 1, _MAX_THREADS, len(blocks))
    if threads < 2 or len(found) * len(query) < _ALONE_BELOW:
        for block in blocks:
            score(block)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(score, blocks))
    return found
