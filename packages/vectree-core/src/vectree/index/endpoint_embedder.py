"""Embedding models behind an endpoint that speaks OpenAI's Embeddings API."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from vectree._extras import require
from vectree.errors import EmbedderError, UsageError
from vectree.index.embedder import PAPER_GATES, Fingerprint, SimilarityGates, Vectors, normalized

OPENAI_URL = "https://api.openai.com/v1"
URL_VARIABLES = ("VECTREE_EMBEDDING_BASE_URL", "VECTREE_BASE_URL", "OPENAI_BASE_URL")
KEY_VARIABLES = ("VECTREE_EMBEDDING_API_KEY", "VECTREE_API_KEY", "OPENAI_API_KEY")

_NO_KEY = "none"  # the SDK insists on one; services that need none ignore it


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSettings:
    """How the service is called.

    Attributes:
        batch: Texts in a request.
        batch_characters: Characters in a request, unless a single text is longer.
        max_characters: Characters of a text that are sent; services refuse texts beyond their model's cap.
        timeout: Seconds without a byte before a call counts as unanswered.
        retries: Tries after the first; a wait that the service asks for (``Retry-After``) is kept.
    """

    batch: int = 64
    batch_characters: int = 200_000
    max_characters: int = 20_000
    timeout: float = 60.0
    retries: int = 4


class EndpointEmbedder:
    """A model behind an OpenAI-compatible endpoint.

    The dimension is learnt from the first answer, or known from the corpus; an answer of another one is
    refused. A service does not say which weights it runs, so that the model's name is all that stands for them.
    Its gates are the paper's until ``vectree calibrate --write`` has measured them on the corpus.

    Args:
        model: Name of the model at the service.
        base_url: Where the service is; else ``VECTREE_EMBEDDING_BASE_URL``, ``VECTREE_BASE_URL``,
            ``OPENAI_BASE_URL``, or OpenAI itself.
        api_key: Its key; else ``VECTREE_EMBEDDING_API_KEY``, ``VECTREE_API_KEY`` or ``OPENAI_API_KEY``. Only
            OpenAI itself is not called without one.
        dimension: Length of a vector if it is known; asked from the service otherwise.
        settings: How it is called.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        dimension: int | None = None,
        settings: EndpointSettings | None = None,
    ) -> None:
        self._model = model
        self._url = (base_url or _environment(URL_VARIABLES) or OPENAI_URL).strip().rstrip("/")
        self._key = (_environment(KEY_VARIABLES) if api_key is None else api_key).strip()
        if not self._url.startswith(("http://", "https://")):
            raise UsageError(
                "The base URL of an embedding service starts with http:// or https://; this one does not.",
                hint="Write it like http://localhost:11434/v1.",
            )
        if not self._key and self._url == OPENAI_URL:
            raise UsageError(
                "OpenAI asks for an API key, and none is set.", hint=f"Set {' or '.join(KEY_VARIABLES)}."
            )
        self._dimension = dimension
        self._settings = settings or EndpointSettings()
        self._lock = threading.Lock()
        self._opened: Any = None

    def __repr__(self) -> str:
        return f"EndpointEmbedder({self._model!r})"

    @property
    def fingerprint(self) -> Fingerprint:
        """Name and dimension; asks the service once if the dimension is not known."""
        if self._dimension is None:
            self._dimension = len(self._ask(["dimension"])[0])
        return Fingerprint(
            name=f"openai:{self._model}", revision="service", pooling="service", dimension=self._dimension
        )

    @property
    def gates(self) -> SimilarityGates:
        """The paper's, for want of measured ones."""
        return PAPER_GATES

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed entries, some at a time.

        Args:
            texts: Any number of texts.

        Returns:
            Array of shape (len(texts), dimension), float32, each row of L2 norm 1 (or 0 for an empty text).
        """
        vectors = np.zeros((len(texts), self.fingerprint.dimension), dtype=np.float32)
        filled = [place for place, text in enumerate(texts) if text.strip()]
        for batch in self._batches(filled, texts):
            vectors[batch] = self._ask([texts[place][: self._settings.max_characters] for place in batch])
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Embed a query; the API knows no difference between queries and documents.

        Args:
            text: The query.

        Returns:
            Array of shape (dimension,), float32, L2 norm 1 (or 0 for an empty text).
        """
        return self.embed_documents([text])[0]

    def _batches(self, places: Sequence[int], texts: Sequence[str]) -> list[list[int]]:
        batches: list[list[int]] = []
        size = 0
        for place in places:
            length = min(len(texts[place]), self._settings.max_characters)
            full = not batches or len(batches[-1]) >= self._settings.batch
            if full or size + length > self._settings.batch_characters:
                batches.append([])
                size = 0
            batches[-1].append(place)
            size += length
        return batches

    def _ask(self, texts: list[str]) -> Vectors:
        """One request; the SDK tries again where that may help."""
        client, sdk = self._client()
        try:
            answer = client.embeddings.create(model=self._model, input=texts, encoding_format="float")
            rows = sorted(answer.data, key=lambda row: row.index)
            found = np.array([row.embedding for row in rows], dtype=np.float32)
        except sdk.APIStatusError as error:
            raise self._refused(error.status_code, str(error)) from None
        except sdk.APIConnectionError as error:
            raise EmbedderError(
                f"The embedding service at {self._host} cannot be reached or does not answer: "
                f"{self._line(str(error.__cause__ or error)).rstrip('.')}.",
                hint="Check the base URL and that the service runs, or try again later.",
            ) from None
        except (sdk.OpenAIError, AttributeError, TypeError, ValueError) as error:
            raise self._no_embeddings(self._line(str(error))) from None
        if found.ndim != 2 or len(found) != len(texts) or not found.shape[1]:
            raise self._no_embeddings(f"{len(texts)} texts were sent and {found.shape} came back")
        if self._dimension is not None and found.shape[1] != self._dimension:
            raise EmbedderError(
                f"The model {self._model!r} at {self._host} gave vectors of {found.shape[1]} dimensions; "
                f"{self._dimension} are expected.",
                hint="It is another model than before. Rebuild the index with it: "
                f"vectree reindex --embedder openai:{self._model}.",
            )
        return normalized(found)

    def _refused(self, status: int, said: str) -> EmbedderError:
        hints = {
            401: f"Set {KEY_VARIABLES[0]} to a key that is valid there.",
            403: f"Set {KEY_VARIABLES[0]} to a key that is valid there.",
            404: "Check the name of the model and the base URL; it usually ends in /v1.",
            429: "Try again later; what was embedded and stored is kept.",
        }
        hint = hints.get(status, "Try again later." if status >= 500 else "Check the name of the model.")
        return EmbedderError(
            f"The embedding service at {self._host} refused ({status}): {self._line(said).rstrip('.')}.",
            hint=hint,
        )

    def _no_embeddings(self, reason: str) -> EmbedderError:
        return EmbedderError(
            f"What {self._host} answered holds no embeddings: {reason}.",
            hint="Check the base URL (it usually ends in /v1) and that the model is one for embeddings.",
        )

    @property
    def _host(self) -> str:
        return self._url.partition("//")[2].partition("/")[0].rpartition("@")[2]

    def _line(self, text: str) -> str:
        """One line without the key, which some services repeat."""
        shown = " ".join(text.split())[:200]
        return shown.replace(self._key, "***") if self._key else shown

    def _client(self) -> tuple[Any, Any]:
        with self._lock:
            sdk = cast("Any", require("openai", extra="openai"))
            if self._opened is None:
                self._opened = sdk.OpenAI(
                    api_key=self._key or _NO_KEY,
                    base_url=self._url,
                    timeout=self._settings.timeout,
                    max_retries=self._settings.retries,
                )
            return self._opened, sdk


def _environment(variables: Sequence[str]) -> str:
    return next((value for name in variables if (value := os.environ.get(name, "").strip())), "")
