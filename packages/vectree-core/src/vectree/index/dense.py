"""Cosines of a query with the entries of an index, exact wherever they decide anything (§3.4)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vectree.index.codes import Codes, ask, upper_bounds
from vectree.index.embedder import Vectors

Entries = NDArray[np.int64]
T = TypeVar("T")
R = TypeVar("R")

_BLOCK_ROWS = 8_192
_ALONE_BELOW = 4_000_000
_THREADS = min(os.cpu_count() or 1, 4)


def span_entries(spans: Sequence[slice]) -> Entries:
    """The numbers of the entries in some spans.

    Args:
        spans: At least one slice over entries.

    Returns:
        All their numbers, span after span.
    """
    return np.concatenate([np.arange(span.start, span.stop, dtype=np.int64) for span in spans])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DenseScores:
    """What the dense half says of a query.

    Attributes:
        values: Over entries, float32. Exact for every entry that makes its document pass the gate; any other
            may stand for something below the gate, or for something below the best entry of its document.
        exact: Gives the exact cosines of entries, by number; shape (n,) → (n,).
        note: What a reader should know, such as a bound on how deep a store was asked; empty if nothing.
    """

    values: Vectors
    exact: Callable[[Entries], Vectors]
    note: str = ""


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

    _run(score, blocks, large=len(found) * len(query) >= _ALONE_BELOW)
    return found


def _run(work: Callable[[T], R], parts: Sequence[T], *, large: bool) -> list[R]:
    """Apply work that lets go of the interpreter's lock to every part, in a few threads if there is much of it."""
    threads = min(_THREADS, len(parts))
    if threads < 2 or not large:
        return [work(part) for part in parts]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, parts))


class Matrix:
    """The vectors of some segments as one matrix of entries, with codes where there are any.

    Args:
        parts: Vectors of each segment, shape (n_i, dimension), and their codes, if they have some.
    """

    def __init__(self, parts: Sequence[tuple[Vectors, Codes | None]]) -> None:
        self._vectors = [vectors for vectors, _ in parts]
        self._codes = [codes for _, codes in parts]
        self._bases = np.cumsum([0, *(len(vectors) for vectors in self._vectors)])

    def scores(self, query: Vectors, gate: float | None) -> DenseScores:
        """Score every entry.

        Args:
            query: Shape (dimension,), norm 1 or 0.
            gate: Entries below it need not be exact; ``None`` for all exactly.

        Returns:
            The scores: those that codes show to lie below the gate are upper bounds.
        """

        def exact(entries: Entries) -> Vectors:
            return self.rows(entries, query)

        if gate is None or not any(self._codes):
            return DenseScores(values=cosines(self._vectors, query), exact=exact)
        plain = [v for v, codes in zip(self._vectors, self._codes, strict=True) if codes is None]
        scored, question, threshold = cosines(plain, query), ask(query), _rounded_up(gate)
        coded = [codes for codes in self._codes if codes is not None]
        large = sum(len(codes.values) for codes in coded) * len(query) >= _ALONE_BELOW
        all_bounds = iter(_run(lambda codes: upper_bounds(codes, question), coded, large=large))
        values = np.empty(self._bases[-1], dtype=np.float32)
        begin = 0
        for base, vectors, codes in zip(self._bases, self._vectors, self._codes, strict=False):
            part = values[base : base + len(vectors)]
            if codes is None:
                part[:] = scored[begin : begin + len(vectors)]
                begin += len(vectors)
            else:
                bounds = next(all_bounds)
                open_rows = np.flatnonzero(bounds >= threshold)
                part[:] = bounds
                part[open_rows] = np.einsum("ij,j->i", vectors[open_rows], query)
        return DenseScores(values=values, exact=exact)

    def rows(self, entries: Entries, query: Vectors) -> Vectors:
        """Cosines of some entries.

        Args:
            entries: Their numbers; shape (n,).
            query: Shape (dimension,), norm 1 or 0.

        Returns:
            Shape (n,), float32.
        """
        return np.einsum("ij,j->i", self.vectors(entries), query)

    def vectors(self, entries: Entries) -> Vectors:
        """Vectors of some entries.

        Args:
            entries: Their numbers; shape (n,).

        Returns:
            A copy; shape (n, dimension), float32.
        """
        dimension = self._vectors[0].shape[1] if self._vectors else 0
        found = np.empty((len(entries), dimension), dtype=np.float32)
        places = np.searchsorted(self._bases, entries, side="right") - 1
        for place in np.unique(places):
            here = np.flatnonzero(places == place)
            found[here] = self._vectors[place][entries[here] - self._bases[place]]
        return found


def _rounded_up(gate: float) -> np.float32:
    """The least float32 that is not below the gate: comparing with it compares with the gate."""
    rounded = np.float32(gate)
    return rounded if float(rounded) >= gate else np.nextafter(rounded, np.float32(np.inf))
