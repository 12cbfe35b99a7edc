"""The MOSAIC composite: 0.75 · factuality F1 + 0.25 · scaled cosine (Eq. 5).

The cosine is defined on one embedder. Related texts are never far apart on it, so that the second term hardly
varies: any answer on the topic gets some 0.22. Report F1 and cosine beside the composite.
"""

from __future__ import annotations

from vectree.index.embedder import Embedder, Fingerprint

F1_WEIGHT = 0.75
COSINE_WEIGHT = 0.25

COMPOSITE_EMBEDDER = "specter2_base"
"""``allenai/specter2_base``, [CLS], 768 dimensions, 512 tokens, L2 norm (§4.3)."""

_DIMENSION = 768


def scaled_cosine(answer: str, reference: str, embedder: Embedder) -> float:
    """Similarity of two texts, scaled to 0 to 1.

    Args:
        answer: What was answered.
        reference: What should have been.
        embedder: See ``is_comparable``.

    Returns:
        (cosine + 1) / 2; 0 for an empty answer.
    """
    if not answer.strip() or not reference.strip():
        return 0.0
    first, second = embedder.embed_documents([answer, reference])
    cosine = float(first @ second)
    return (max(-1.0, min(1.0, cosine)) + 1) / 2


def composite(f1: float, scaled: float) -> float:
    """Eq. 5.

    Args:
        f1: Factuality F1.
        scaled: Scaled cosine.

    Returns:
        0 to 1.
    """
    return F1_WEIGHT * f1 + COSINE_WEIGHT * scaled


def is_comparable(fingerprint: Fingerprint) -> bool:
    """Whether a composite on this embedder may stand beside the paper's figures.

    Args:
        fingerprint: Of the embedder.

    Returns:
        True for ``specter2_base`` with [CLS] pooling.
    """
    name = fingerprint.name.rsplit("/", 1)[-1].lower()
    return (
        name in (COMPOSITE_EMBEDDER, "specter2")
        and fingerprint.pooling == "cls"
        and fingerprint.dimension == _DIMENSION
    )
