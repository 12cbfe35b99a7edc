"""Recording what a model replies, and giving it again: tests and figures that need no service.

Replies are found by the hash of the whole request. A changed prompt finds nothing and says so, instead of
matching an old recording.
"""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel, ValidationError

from vectree.errors import ModelRequestError, UsageError
from vectree.llm.chat import ChatModel, ChatRequest, Reply
from vectree.llm.one_line import one_line
from vectree.llm.reply_store import ReplyStore, write_json
from vectree.llm.request_hash import request_hash, request_view
from vectree.llm.wrapper import ModelWrapper

_TITLE_FILE = "recording.json"


class _Title(BaseModel):
    """What a folder of recordings says about itself."""

    model: str
    context_window: int | None = None


class RecordingModel(ModelWrapper):
    """Passes requests on and keeps each with its reply, readable, in a folder.

    Args:
        inner: The model that answers.
        folder: One folder a model.

    Raises:
        UsageError: If the folder holds the replies of another model.
    """

    def __init__(self, inner: ChatModel, folder: Path) -> None:
        super().__init__(inner)
        self._store = ReplyStore(folder)
        title = _Title(model=inner.name, context_window=inner.context_window)
        if (folder / _TITLE_FILE).exists():
            recorded = _read_title(folder)
            if recorded.model != title.model:
                raise UsageError(
                    f"{str(folder)!r} holds replies of {recorded.model!r}, not of {title.model!r}.",
                    hint="Record each model in a folder of its own.",
                )
        write_json(folder / _TITLE_FILE, title.model_dump())

    def complete(self, request: ChatRequest) -> Reply:
        """Answer one request and record it.

        Args:
            request: Passed on.

        Returns:
            The reply; errors of the model pass through unrecorded.
        """
        reply = self._inner.complete(request)
        view = request_view(self.name, request)
        self._store.put(request_hash(self.name, request), reply, request=view)
        return reply


class ReplayModel:
    """Gives recorded replies, with the usage they once had.

    Args:
        folder: Written by :class:`RecordingModel`.
    """

    def __init__(self, folder: Path) -> None:
        self._title = _read_title(folder)
        self._store = ReplyStore(folder)

    @property
    def name(self) -> str:
        """Name of the recorded model."""
        return self._title.model

    @property
    def context_window(self) -> int | None:
        """Window of the recorded model, in tokens."""
        return self._title.context_window

    def complete(self, request: ChatRequest) -> Reply:
        """Give the reply recorded for a request.

        Args:
            request: Has to be the same to the last character.

        Returns:
            The reply.

        Raises:
            ModelRequestError: If none is recorded.
        """
        key = request_hash(self.name, request)
        reply = self._store.get(key)
        if reply is None:
            last = one_line(request.messages[-1].text, 80) if request.messages else ""
            raise ModelRequestError(
                f"{str(self._store.folder)!r} holds no reply to request {key[:12]}, which ends in {last!r}.",
                hint="Something in the request has changed since; record anew.",
            )
        return reply


def _read_title(folder: Path) -> _Title:
    try:
        return _Title.model_validate(json.loads((folder / _TITLE_FILE).read_bytes()))
    except (OSError, ValueError, ValidationError):
        raise UsageError(
            f"{str(folder)!r} is no folder of recorded replies.", hint="Record some with RecordingModel."
        ) from None
