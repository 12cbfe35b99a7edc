"""Any model of sentence-transformers, from a folder or the Hugging Face hub."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Generator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from vectree._extras import require
from vectree.errors import EmbedderError
from vectree.index.embedder import PAPER_GATES, Fingerprint, SimilarityGates, Vectors, normalized
from vectree.index.model_folder import files_hash, find_model

_BATCH = 32
_CHARACTERS_PER_TOKEN = 40
"""Text beyond the cap times this many characters is not tokenized."""

_UNCAPPED = 1_000_000
_DOCUMENT_PROMPTS = ("document", "passage", "corpus")
_EXTRA = "specter2"


class SentenceModelEmbedder:
    """A model of sentence-transformers: its own pooling, its own cap, its own prompts.

    Queries and documents are embedded with the model's prompts for them where it has any (``query``;
    ``document``, ``passage`` or ``corpus``). Code that a model brings along is never run. The model is loaded
    at the first question about it or the first text; if it cannot be, that raises `EmbedderError`.

    Nobody has measured what this model's cosines mean, so its gates are the paper's until
    ``vectree calibrate --write`` has measured them on the corpus.

    Args:
        source: A folder, or a name on the hub.
        offline: Take a model of the hub from the local cache only; False allows a download.
    """

    def __init__(self, source: str, *, offline: bool = True) -> None:
        self._source = source
        self._offline = offline
        self._lock = threading.RLock()

    @property
    def fingerprint(self) -> Fingerprint:
        """Name, hash of the files, pooling and dimension; asking loads the model, except for SPECTER2."""
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> Fingerprint:
        return Fingerprint(
            name=f"st:{self._short_name}",
            revision=files_hash(self._folder),
            pooling=_pooling(self._model),
            dimension=self._dimension,
        )

    @property
    def gates(self) -> SimilarityGates:
        """The paper's, for want of measured ones."""
        return PAPER_GATES

    @property
    def max_tokens(self) -> int:
        """Tokens of a text that the model reads, special ones included."""
        return self._model.max_seq_length or _UNCAPPED

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count tokens by the model's own tokenizer, uncut.

        Args:
            texts: Any number of texts.

        Returns:
            One count for each, special tokens and the prompt for documents included.
        """
        if not texts:
            return []
        prompts: dict[str, str] = self._model.prompts or {}
        prompt = next((prompts[name] for name in _DOCUMENT_PROMPTS if prompts.get(name)), "")
        with self._lock:
            pieces = self._model.tokenizer(
                [prompt + text for text in texts], truncation=False, padding=False, verbose=False
            )["input_ids"]
        return [len(ids) for ids in pieces]

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed entries.

        Args:
            texts: Any number of texts; of each the first ``max_tokens`` tokens are read.

        Returns:
            Array of shape (len(texts), dimension), float32, each row of L2 norm 1 (or 0 for an empty text).
        """
        return self._embed(texts, "encode_document")

    def embed_query(self, text: str) -> Vectors:
        """Embed a query.

        Args:
            text: The query.

        Returns:
            Array of shape (dimension,), float32, L2 norm 1 (or 0 for an empty text).
        """
        return self._embed([text], "encode_query")[0]

    @property
    def _short_name(self) -> str:
        """The hub's name, or the folder's without its place: a corpus keeps no path."""
        folder = Path(self._source).expanduser()
        return folder.resolve().name if folder.is_dir() else self._source

    @cached_property
    def _folder(self) -> Path:
        return find_model(self._source, offline=self._offline, extra=_EXTRA)

    @cached_property
    def _dimension(self) -> int:
        return len(self._encode(["dimension"], "encode_document")[0])

    @property
    def _model(self) -> Any:
        with self._lock:
            return self._loaded

    @cached_property
    def _loaded(self) -> Any:
        folder = self._folder
        library = require("sentence_transformers", extra=_EXTRA)
        try:
            with _no_progress_bars():
                return self._load(library, folder)
        except Exception as error:  # whatever a damaged or foreign model makes its loader raise
            raise EmbedderError(
                f"The embedding model in {folder} could not be loaded: {type(error).__name__}: {error}",
                hint="Check that it is a model of sentence-transformers or transformers, with all its files.",
            ) from error

    def _load(self, library: Any, folder: Path) -> Any:
        return library.SentenceTransformer(str(folder), local_files_only=True)

    def _embed(self, texts: Sequence[str], method: str) -> Vectors:
        vectors = np.zeros((len(texts), self._dimension), dtype=np.float32)
        filled = [place for place, text in enumerate(texts) if text.strip()]
        if filled:
            longest = self.max_tokens * _CHARACTERS_PER_TOKEN
            vectors[filled] = self._encode([texts[place][:longest] for place in filled], method)
        return vectors

    def _encode(self, texts: list[str], method: str) -> Vectors:
        model = self._model
        try:
            with self._lock:
                found = getattr(model, method)(
                    texts, batch_size=_BATCH, show_progress_bar=False, convert_to_numpy=True
                )
        except (RuntimeError, ValueError, TypeError, IndexError) as error:
            raise EmbedderError(
                f"The model in {self._folder} could not embed {len(texts)} texts: {error}"
            ) from error
        return normalized(np.asarray(found, dtype=np.float32))


def _pooling(model: Any) -> str:
    """How the model makes one vector of many, as its pooling module names it."""
    for module in model:
        mode = getattr(module, "pooling_mode", None)
        if mode:
            return mode if isinstance(mode, str) else "+".join(mode)
        if hasattr(module, "get_pooling_mode_str"):
            return str(module.get_pooling_mode_str())
    return "own"


@contextlib.contextmanager
def _no_progress_bars() -> Generator[None]:
    """Loading draws a bar on stderr; the setting is the process's, so it is put back."""
    switches = require("transformers.utils.logging", extra=_EXTRA)
    drawn = switches.is_progress_bar_enabled()
    if drawn:
        switches.disable_progress_bar()
    try:
        yield
    finally:
        if drawn:
            switches.enable_progress_bar()
