"""Vectors in a quarter of the bytes, with a bound on what that costs: most rows need no closer look.

A row v is kept as v = s·c + r: 8-bit integers c, one scale s, and the norm of what is lost, |r|. A query is
written the same way, q = t·d + e. Then

    v·q = s·t·(c·d) + s·c·e + r·q  ≤  s·t·(c·d) + |s·c|·|e| + |r|·|q|

by Cauchy and Schwarz, where c·d is a sum of integers and exact. A row whose bound lies below the gate lies
below it; the others are looked at in the float32 matrix. The answer is that of brute force by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numkong
import numpy as np
from numpy.typing import NDArray

from vectree.index.embedder import Vectors
from vectree.index.postings import Mask

MIN_ROWS = 2_048
"""Segments with fewer entries have no codes: their matrix is read as fast."""

_LIMIT = 127
_BLOCK_ROWS = 512
_UNIT = 2.0**-24
"""Relative error of one float32 operation."""

_SLACK = 1e-6
"""Absolute error of the norms: each number of a row is off by a unit of 1 at most."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Codes:
    """n rows as integers.

    Attributes:
        values: Shape (n, dimension), int8.
        scales: What an integer stands for; shape (n,), float32.
        norms: Norm of the row that the integers stand for, rounded up; shape (n,), float32.
        losses: Norm of the difference to the true row, rounded up; shape (n,), float32.
    """

    values: NDArray[np.int8]
    scales: NDArray[np.float32]
    norms: NDArray[np.float32]
    losses: NDArray[np.float32]


def encode(vectors: Vectors) -> Codes:
    """Write rows as integers.

    Args:
        vectors: Shape (n, dimension), finite, rows of norm 1 or 0.

    Returns:
        The codes; a row of zeros stays zeros.
    """
    rows = len(vectors)
    codes = Codes(
        values=np.empty(vectors.shape, dtype=np.int8),
        scales=np.empty(rows, dtype=np.float32),
        norms=np.empty(rows, dtype=np.float32),
        losses=np.empty(rows, dtype=np.float32),
    )
    for begin in range(0, rows, _BLOCK_ROWS):
        block = slice(begin, begin + _BLOCK_ROWS)
        _encode_block(vectors[block], codes, block)
    return codes


def make_codes(vectors: Vectors) -> Codes | None:
    """Encode the vectors of a new segment, if it is large enough for that to pay.

    Args:
        vectors: Shape (n, dimension); (n, 0) if they are kept elsewhere.

    Returns:
        The codes, or ``None``.
    """
    return encode(vectors) if len(vectors) >= MIN_ROWS and vectors.shape[1] else None


def merge_codes(parts: Sequence[tuple[Vectors, Codes | None, Mask]]) -> Codes | None:
    """Encode the vectors of a merged segment; what has codes already is copied.

    Args:
        parts: For each segment its vectors, its codes, and which of its n rows stay; shape (n,).

    Returns:
        The codes of the rows that stay, or ``None`` if they are few.
    """
    rows = sum(int(np.count_nonzero(stays)) for _, _, stays in parts)
    if rows < MIN_ROWS or not all(vectors.shape[1] for vectors, _, _ in parts):
        return None
    kept: list[tuple[Codes, Mask]] = [(codes or encode(vectors), stays) for vectors, codes, stays in parts]
    return Codes(
        values=np.concatenate([codes.values[stays] for codes, stays in kept]),
        scales=np.concatenate([codes.scales[stays] for codes, stays in kept]),
        norms=np.concatenate([codes.norms[stays] for codes, stays in kept]),
        losses=np.concatenate([codes.losses[stays] for codes, stays in kept]),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """A query as integers.

    Attributes:
        codes: Of its one row.
        norm: Its norm, rounded up.
    """

    codes: Codes
    norm: np.float32


def ask(query: Vectors) -> Question:
    """Write a query as integers, once for all segments.

    Args:
        query: Shape (dimension,), norm 1 or 0.

    Returns:
        The query.
    """
    return Question(codes=encode(query[None]), norm=_norms(query[None])[0])


def upper_bounds(codes: Codes, question: Question) -> Vectors:
    """Bound the cosines of a query, as `dense.cosines` computes them, from above.

    Args:
        codes: n rows of norm 1 or 0.
        question: The query.

    Returns:
        Shape (n,), float32. They lie some 0.015 above the cosines at 768 dimensions; the rounding of both
        sums is part of that.
    """
    asked = question.codes
    products = numkong.cdist(codes.values, asked.values, metric="dot")
    bounds = np.asarray(products, dtype=np.float32).reshape(-1)
    bounds *= codes.scales * asked.scales
    bounds += codes.norms * asked.losses
    bounds += codes.losses * question.norm
    return bounds + np.float32(2 * _rounding(codes.values.shape[1]))


def _encode_block(vectors: Vectors, codes: Codes, block: slice) -> None:
    """Encode a few rows in float32; the norms get what its rounding can amount to on top."""
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    scales = np.where(largest > 0, largest, np.float32(1)) / np.float32(_LIMIT)
    whole = np.rint(vectors / scales[:, None])
    np.clip(whole, -_LIMIT, _LIMIT, out=whole)
    meant = (whole * scales[:, None]).astype(np.float32, copy=False)
    codes.values[block] = whole
    codes.scales[block] = scales
    codes.norms[block] = _norms(meant)
    codes.losses[block] = _norms(np.subtract(vectors, meant, dtype=np.float32))


def _norms(rows: Vectors) -> Vectors:
    found = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return found * np.float32(1 + _rounding(rows.shape[1])) + np.float32(_SLACK)


def _rounding(dimension: int) -> float:
    """What the rounding of a float32 sum of products amounts to at most, whatever its order, in units of 1."""
    return 2 * (dimension + 8) * _UNIT
