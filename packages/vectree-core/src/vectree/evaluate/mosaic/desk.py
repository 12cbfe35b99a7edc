"""Where the builder asks: a model for drafts, a model for checks, and what both took."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel

from vectree.evaluate.mosaic.settings import BuildSettings
from vectree.evidence import RunUsage
from vectree.llm.chat import ChatModel, ChatRequest, Message, Role
from vectree.llm.structured import ask
from vectree.llm.usage import MeteredModel, total
from vectree.prompts import fill, template

_Value = TypeVar("_Value", bound=BaseModel)


class Desk:
    """Asks, at the temperatures of §4.1, and counts. One for each attempt; safe to use from several threads.

    Args:
        drafter: Drafts and repairs.
        checker: Answers and judges in the checks.
        settings: Temperatures.
    """

    def __init__(self, drafter: ChatModel, checker: ChatModel, settings: BuildSettings) -> None:
        self._drafter = MeteredModel(drafter)
        self._checker = MeteredModel(checker)
        self._settings = settings

    @property
    def usage(self) -> RunUsage:
        """What was used so far."""
        used = total((self._drafter.usage, self._checker.usage))
        return RunUsage(
            prompt_tokens=used.prompt_tokens,
            completion_tokens=used.completion_tokens,
            cached_tokens=used.cached_tokens,
            model_calls=self._drafter.calls + self._checker.calls,
            cost=used.cost,
        )

    def draft(self, prompt: str, schema: type[_Value], **values: str) -> _Value:
        """Ask for a draft.

        Args:
            prompt: Name of the prompt.
            schema: Form of the reply.
            **values: The prompt's placeholders.

        Returns:
            The reply; `ModelReplyError` says that none could be used.
        """
        return ask(self._drafter, _request(prompt, values, self._settings.draft_temperature), schema)

    def check(self, prompt: str, schema: type[_Value], **values: str) -> _Value:
        """Ask for a verdict.

        Args:
            prompt: Name of the prompt.
            schema: Form of the reply.
            **values: The prompt's placeholders.

        Returns:
            The reply; `ModelReplyError` says that none could be used.
        """
        return ask(self._checker, _request(prompt, values, self._settings.check_temperature), schema)


def _request(prompt: str, values: dict[str, str], temperature: float) -> ChatRequest:
    return ChatRequest(
        messages=(
            Message(role=Role.SYSTEM, text=template("mosaic_system")),
            Message(role=Role.USER, text=fill(prompt, **values)),
        ),
        temperature=temperature,
    )
