"""What stands before a model under evaluation: one temperature for all systems, and a memory of replies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from vectree.errors import ModelRequestError
from vectree.llm.chat import ChatModel, ChatRequest, Reply
from vectree.llm.replay import RecordingModel, ReplayModel
from vectree.llm.wrapper import ModelWrapper


class TemperedModel(ModelWrapper):
    """Sets the temperature of requests that leave it open.

    Args:
        inner: The model that answers.
        temperature: The temperature.
    """

    def __init__(self, inner: ChatModel, temperature: float) -> None:
        super().__init__(inner)
        self._temperature = temperature

    def complete(self, request: ChatRequest) -> Reply:
        """Answer one request.

        Args:
            request: Passed on, with a temperature.

        Returns:
            The reply.
        """
        if request.temperature is None:
            request = replace(request, temperature=self._temperature)
        return self._inner.complete(request)


class RecallingModel(ModelWrapper):
    """Answers from a recording what is there, and asks and records the rest.

    A run that was interrupted pays only for what is missing. Unlike a cache, the recording gives replies with
    the usage they once had, so that the figures of a run do not depend on how often it was interrupted.

    Args:
        inner: The model that answers.
        folder: Where replies are kept.
    """

    def __init__(self, inner: ChatModel, folder: Path) -> None:
        super().__init__(inner)
        self._recording = RecordingModel(inner, folder)
        self._recorded = ReplayModel(folder)

    def complete(self, request: ChatRequest) -> Reply:
        """Answer one request.

        Args:
            request: What to ask.

        Returns:
            The reply, recorded or new.
        """
        try:
            return self._recorded.complete(request)
        except ModelRequestError:
            return self._recording.complete(request)
