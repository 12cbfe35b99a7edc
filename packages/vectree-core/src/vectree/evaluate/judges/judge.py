"""A judge: a model at temperature 0 that answers in a given form, and the count of what it took (§4.2)."""

from __future__ import annotations

import threading
from typing import TypeVar

from pydantic import BaseModel

from vectree.errors import ModelReplyError
from vectree.evaluate.judges.truncation import UNTRUNCATED, Truncation
from vectree.llm.chat import ChatModel, ChatRequest, Message, Role, Usage
from vectree.llm.structured import ATTEMPTS, ask_with_report
from vectree.llm.usage import MeteredModel
from vectree.prompts import fill, template

TEMPERATURE = 0.0
_Value = TypeVar("_Value", bound=BaseModel)


class Judge:
    """Asks one model for verdicts, and counts. Safe to use from several threads.

    Args:
        model: The judging model.
        temperature: Sampling temperature; 0.0 in the paper.
        attempts: Replies asked for before a verdict is given up.
        truncation: How much of long texts is shown.
    """

    def __init__(
        self,
        model: ChatModel,
        *,
        temperature: float = TEMPERATURE,
        attempts: int = ATTEMPTS,
        truncation: Truncation = UNTRUNCATED,
    ) -> None:
        self._inner = model
        self._model = MeteredModel(model)
        self._temperature = temperature
        self._attempts = attempts
        self._lock = threading.Lock()
        self._failures = 0
        self._repeats = 0
        self.truncation = truncation

    def fresh(self) -> Judge:
        """Make the same judge with all counts at zero.

        Returns:
            Another judge.
        """
        return Judge(
            self._inner,
            temperature=self._temperature,
            attempts=self._attempts,
            truncation=self.truncation,
        )

    @property
    def name(self) -> str:
        """Name of the judging model."""
        return self._model.name

    @property
    def context_window(self) -> int | None:
        """Window of the judging model, in tokens."""
        return self._model.context_window

    @property
    def calls(self) -> int:
        """Requests answered so far."""
        return self._model.calls

    @property
    def usage(self) -> Usage:
        """Tokens and money so far."""
        return self._model.usage

    @property
    def failures(self) -> int:
        """Verdicts given up because no reply could be read."""
        return self._failures

    @property
    def repeats(self) -> int:
        """Replies that could not be read and were asked for again."""
        return self._repeats

    def ask(self, prompt: str, schema: type[_Value], **values: str) -> _Value:
        """Ask for one verdict.

        Args:
            prompt: Name of the prompt.
            schema: Form of the reply.
            **values: The prompt's placeholders.

        Returns:
            The reply.

        Raises:
            ModelReplyError: If no reply within the bound could be read; it is counted.
        """
        request = ChatRequest(
            messages=(
                Message(role=Role.SYSTEM, text=template("judge_system")),
                Message(role=Role.USER, text=fill(prompt, **values)),
            ),
            temperature=self._temperature,
        )
        try:
            report = ask_with_report(self._model, request, schema, attempts=self._attempts)
        except ModelReplyError as error:
            with self._lock:
                self._failures += 1
                self._repeats += error.attempts - 1
            raise
        with self._lock:
            self._repeats += report.attempts - 1
        return report.value
