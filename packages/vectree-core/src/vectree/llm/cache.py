"""Replies kept on disk: nothing is paid twice, and an interrupted run pays only for what is missing."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from vectree.llm.chat import ChatModel, ChatRequest, Reply, Usage
from vectree.llm.reply_store import ReplyStore
from vectree.llm.request_hash import request_hash
from vectree.llm.usage import total
from vectree.llm.wrapper import ModelWrapper

_PAID_BEFORE = Usage(cost=0.0)


class CachedModel(ModelWrapper):
    """Answers a request it has seen from disk, and asks the model behind it otherwise.

    Failures are never kept: neither errors nor empty replies, nor replies that the asking stage found to be
    of no use (``forget``). Threads that ask the same at the same time pay once.

    Args:
        inner: The model that answers what is not kept.
        folder: Where replies are kept; may be shared by processes and models.
    """

    def __init__(self, inner: ChatModel, folder: Path) -> None:
        super().__init__(inner)
        self._store = ReplyStore(folder)
        self._lock = threading.Lock()
        self._under_way: dict[str, tuple[threading.Lock, int]] = {}
        self._hits = 0
        self._saved = total(())

    @property
    def hits(self) -> int:
        """Requests answered from disk."""
        return self._hits

    @property
    def saved(self) -> Usage:
        """What these would have cost again."""
        return self._saved

    def complete(self, request: ChatRequest) -> Reply:
        """Answer one request, from disk if it can be.

        Args:
            request: What to ask.

        Returns:
            The reply. One from disk has a usage of zero, since nothing is paid for it; errors of the model
            behind it pass through.
        """
        key = request_hash(self.name, request)
        with self._alone(key):
            kept = self._store.get(key)
            if kept is not None:
                self._count(kept.usage)
                return replace(kept, usage=_PAID_BEFORE)
            reply = self._inner.complete(request)
            if reply.text.strip() or reply.tool_calls:
                self._store.put(key, reply)
            return reply

    def forget(self, request: ChatRequest) -> None:
        """Drop the reply kept for a request.

        Args:
            request: The request whose reply could not be used.
        """
        self._store.drop(request_hash(self.name, request))
        super().forget(request)

    def _count(self, usage: Usage) -> None:
        with self._lock:
            self._hits += 1
            self._saved = total((self._saved, usage))

    @contextmanager
    def _alone(self, key: str) -> Generator[None]:
        """Hold others back that ask the same."""
        with self._lock:
            lock, waiting = self._under_way.get(key, (threading.Lock(), 0))
            self._under_way[key] = (lock, waiting + 1)
        try:
            with lock:
                yield
        finally:
            with self._lock:
                lock, waiting = self._under_way[key]
                if waiting > 1:
                    self._under_way[key] = (lock, waiting - 1)
                else:
                    del self._under_way[key]
