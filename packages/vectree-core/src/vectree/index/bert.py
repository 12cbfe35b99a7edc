"""A BERT-style encoder in numpy: token ids in, mean-pooled sentence vectors out.

Loading torch to embed one question takes seconds, on a busy machine ten and more; six small layers of matrix
products need none of it. The vectors are those of the PyTorch model to 1e-6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vectree.index.embedder import Vectors

_SQRT_HALF = np.float32(0.7071067811865476)
_ERF_P = np.float32(0.3275911)
_ERF = tuple(
    np.float32(value) for value in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
)
"""Abramowitz and Stegun, formula 7.1.26: the error function to 1.5e-7."""

_BLOCK = 1 << 15
"""Numbers worked on at a time, so that what lies between the steps stays in the cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BertShape:
    """What the weights do not say of themselves.

    Attributes:
        layers: Number of encoder layers.
        heads: Attention heads of each.
        epsilon: Added to the variance by layer normalisation.
    """

    layers: int
    heads: int
    epsilon: float


class BertEncoder:
    """Weights and the forward pass; stateless, so that threads may share it.

    Args:
        weights: Tensors by the names that ``BertModel`` gives them; float32.
        shape: Layers, heads, epsilon.
    """

    def __init__(self, weights: Mapping[str, Any], shape: BertShape) -> None:
        self._weights = weights
        self._shape = shape

    def mean_pooled(self, token_ids: Sequence[Sequence[int]]) -> Vectors:
        """Encode texts of equal length, so that nothing is padded.

        Args:
            token_ids: At least one text, each of the same number of tokens, special ones included.

        Returns:
            Mean over tokens; shape (texts, dimension), float32.
        """
        ids = np.asarray(token_ids, dtype=np.int64)
        texts, length = ids.shape
        hidden = self._embedded(ids).reshape(texts * length, -1)
        for layer in range(self._shape.layers):
            hidden = self._layer(f"encoder.layer.{layer}.", hidden, texts)
        return hidden.reshape(texts, length, -1).mean(axis=1)

    def _embedded(self, ids: Any) -> Vectors:
        tables = self._weights
        words = tables["embeddings.word_embeddings.weight"][ids]
        places = tables["embeddings.position_embeddings.weight"][: ids.shape[1]]
        kind = tables["embeddings.token_type_embeddings.weight"][0]
        return self._norm("embeddings.", words + places + kind)

    def _layer(self, layer: str, hidden: Vectors, texts: int) -> Vectors:
        attended = self._attention(f"{layer}attention.self.", hidden, texts)
        attended = self._linear(f"{layer}attention.output.dense", attended)
        hidden = self._norm(f"{layer}attention.output.", attended + hidden)
        wide = gelu(self._linear(f"{layer}intermediate.dense", hidden))
        return self._norm(f"{layer}output.", self._linear(f"{layer}output.dense", wide) + hidden)

    def _attention(self, name: str, hidden: Vectors, texts: int) -> Vectors:
        rows, width = hidden.shape
        heads = self._shape.heads

        def split(part: str) -> Vectors:
            projected = self._linear(name + part, hidden)
            return projected.reshape(texts, rows // texts, heads, width // heads).transpose(0, 2, 1, 3)

        scores = split("query") @ split("key").transpose(0, 1, 3, 2)
        scores *= np.float32((width // heads) ** -0.5)
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        return (scores @ split("value")).transpose(0, 2, 1, 3).reshape(rows, width)

    def _linear(self, name: str, values: Vectors) -> Vectors:
        found = values @ self._weights[f"{name}.weight"].T
        found += self._weights[f"{name}.bias"]
        return found

    def _norm(self, name: str, values: Vectors) -> Vectors:
        centred = values - values.mean(axis=-1, keepdims=True)
        variance = np.mean(centred * centred, axis=-1, keepdims=True)
        centred /= np.sqrt(variance + np.float32(self._shape.epsilon))
        centred *= self._weights[f"{name}LayerNorm.weight"]
        centred += self._weights[f"{name}LayerNorm.bias"]
        return centred


def gelu(values: Vectors) -> Vectors:
    """The activation x·Φ(x), Φ being the normal distribution function.

    Args:
        values: Any shape, float32.

    Returns:
        Array of the same shape.
    """
    flat = values.reshape(-1)
    found = np.empty_like(flat)
    for begin in range(0, len(flat), _BLOCK):
        found[begin : begin + _BLOCK] = _gelu(flat[begin : begin + _BLOCK])
    return found.reshape(values.shape)


def _gelu(values: Vectors) -> Vectors:
    magnitude = np.abs(values)
    z = magnitude * _SQRT_HALF
    t = np.reciprocal(1 + _ERF_P * z, dtype=np.float32)
    tail = _ERF[0] * t
    for coefficient in _ERF[1:]:
        tail += coefficient
        tail *= t
    z *= z
    tail *= np.exp(-z)
    tail *= np.float32(0.5)  # tail is now Φ(−|x|)
    tail *= magnitude
    return np.subtract(np.maximum(values, 0), tail, dtype=np.float32)
