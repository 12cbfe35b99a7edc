"""Adding up what model calls used, and what they cost."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass

from vectree.errors import UsageError
from vectree.llm.chat import ChatModel, ChatRequest, Reply, Usage
from vectree.llm.wrapper import ModelWrapper

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a service charges, in US dollars per million tokens, as its user knows it.

    Prices change, so none are built in: without one the cost of a call is unknown, never zero.

    Attributes:
        prompt: For tokens sent.
        completion: For tokens generated.
        cached: For tokens sent that the service had cached; ``None`` charges them like the others.
    """

    prompt: float
    completion: float
    cached: float | None = None

    def __post_init__(self) -> None:
        """Refuse what is no price.

        Raises:
            UsageError: If a price is negative or not a number.
        """
        for value in (self.prompt, self.completion, self.cached):
            if value is not None and not 0 <= value < float("inf"):
                raise UsageError(
                    f"A price is dollars per million tokens, zero or more; this one is {value!r}."
                )

    def cost(self, *, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> float:
        """Price of one call.

        Args:
            prompt_tokens: Tokens sent, cached ones included.
            completion_tokens: Tokens generated.
            cached_tokens: Part of the tokens sent that was cached.

        Returns:
            US dollars.
        """
        cached = min(cached_tokens, prompt_tokens)
        rate = self.prompt if self.cached is None else self.cached
        return (
            (prompt_tokens - cached) * self.prompt + cached * rate + completion_tokens * self.completion
        ) / _MILLION


FREE = Price(prompt=0.0, completion=0.0)
"""A model on the user's own machine."""


def total(usages: Iterable[Usage]) -> Usage:
    """Add usages up.

    Args:
        usages: Any number of them.

    Returns:
        Their sum; its cost is ``None`` if the cost of any one is unknown, and 0 if there are none.
    """
    usages = list(usages)
    costs = [usage.cost for usage in usages if usage.cost is not None]
    return Usage(
        prompt_tokens=sum(usage.prompt_tokens for usage in usages),
        completion_tokens=sum(usage.completion_tokens for usage in usages),
        cached_tokens=sum(usage.cached_tokens for usage in usages),
        cost=sum(costs) if len(costs) == len(usages) else None,
    )


class MeteredModel(ModelWrapper):
    """Counts the calls that pass through, from any number of threads. One meter a document or a run.

    Args:
        inner: The model that answers.
    """

    def __init__(self, inner: ChatModel) -> None:
        super().__init__(inner)
        self._lock = threading.Lock()
        self._calls = 0
        self._usage = total(())

    @property
    def calls(self) -> int:
        """Requests answered so far."""
        return self._calls

    @property
    def usage(self) -> Usage:
        """Sum over these calls."""
        return self._usage

    def complete(self, request: ChatRequest) -> Reply:
        """Answer one request and count it.

        Args:
            request: Passed on.

        Returns:
            The reply; errors of the model pass through uncounted.
        """
        reply = self._inner.complete(request)
        with self._lock:
            self._calls += 1
            self._usage = total((self._usage, reply.usage))
        return reply
