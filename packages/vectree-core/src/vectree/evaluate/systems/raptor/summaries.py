"""The summaries of RAPTOR's clusters, written by the answering model."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from vectree.fence import fence_for
from vectree.llm.chat import ChatModel, ChatRequest, Message, Role
from vectree.prompts import fill

TEMPERATURE = 0.0
"""Of summaries, so that a tree can be built again; answers are sampled at the run's temperature."""

_ATTEMPTS = 2
_WORKERS = 8
"""Requests handed over at once; the run's own bound on requests decides how many are under way."""

_WORDS_PER_TOKEN = 0.75


class SummaryWriter:
    """Summarises clusters, several at a time.

    Args:
        model: The model.
        tokens: Length that a summary is asked to have.
    """

    def __init__(self, model: ChatModel, tokens: int) -> None:
        self._model = model
        self._words = str(round(tokens * _WORDS_PER_TOKEN))
        self._lock = threading.Lock()
        self._missing = 0

    @property
    def missing(self) -> int:
        """Clusters to which the model said nothing, twice."""
        return self._missing

    def __call__(self, clusters: Sequence[Sequence[str]]) -> list[str]:
        """Summarise.

        Args:
            clusters: Texts of each cluster.

        Returns:
            A summary for each, in order; empty where the model said nothing. `ModelRequestError` ends it all.
        """
        with ThreadPoolExecutor(_WORKERS, thread_name_prefix="vectree-raptor") as pool:
            futures = [pool.submit(self._one, texts) for texts in clusters]
            try:
                return [future.result() for future in futures]
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def _one(self, texts: Sequence[str]) -> str:
        mark = fence_for(texts)
        quoted = "\n".join(f"<<{mark}\n{' '.join(text.split())}\n{mark}>>" for text in texts)
        asked = fill("eval_raptor_summary", passages=quoted, words=self._words)
        request = ChatRequest(messages=(Message(role=Role.USER, text=asked),), temperature=TEMPERATURE)
        for _ in range(_ATTEMPTS):
            if text := self._model.complete(request).text.strip():
                return text
        with self._lock:
            self._missing += 1
        return ""
