"""One document's conversation with a model: every request named after its stage, counted, and kept on disk.

A reply that cannot be used costs a stage its result, never the document: the deterministic result stands, and
the report says so. A service that cannot be reached ends the document instead, with nothing stored; the next
run is answered from disk as far as this one came.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from vectree.errors import ModelReplyError, ModelRequestError
from vectree.ingest.model.budget import Budget
from vectree.llm.cache import CachedModel
from vectree.llm.chat import ChatModel, ChatRequest, Message, Role, Usage
from vectree.llm.one_line import one_line
from vectree.llm.structured import ask
from vectree.llm.throttle import CONCURRENCY
from vectree.llm.usage import MeteredModel, total
from vectree.prompts import fill

_OF_THIS_REQUEST = frozenset({400, 413, 422})
"""Refusals that concern one request, such as one that is too long; others would meet the next one too."""

_PATIENCE = 5
"""Useless replies in a row, without a useful one before, after which a stage is not asked again."""

_Value = TypeVar("_Value", bound=BaseModel)


@dataclass(slots=True)
class _Stage:
    """The counters of one stage."""

    asked: MeteredModel
    paid: MeteredModel
    usable: int = 0
    useless: int = 0
    skipped: int = 0
    reasons: list[str] = field(default_factory=lambda: list[str]())

    @property
    def hopeless(self) -> bool:
        return not self.usable and self.useless >= _PATIENCE


class ModelStages:
    """Asks a model on behalf of the stages of one document. Safe to use from several threads.

    Args:
        model: The model.
        replies: Folder where replies are kept; ``None`` to keep none.
        concurrency: Requests of one stage under way at once; the semaphore of §3.2.
    """

    def __init__(
        self, model: ChatModel, *, replies: Path | None = None, concurrency: int = CONCURRENCY
    ) -> None:
        self._model = model
        self._replies = replies
        self._lock = threading.Lock()
        self._stages: dict[str, _Stage] = {}
        self.concurrency = concurrency
        self.budget = Budget(window=model.context_window)

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._model.name

    def ask(self, stage: str, prompt: str, schema: type[_Value], *, reply_tokens: int) -> _Value | None:
        """Ask for a value of a given form.

        Args:
            stage: What it is for; calls and costs are counted under this name.
            prompt: The question with the text it is about.
            schema: The form of the reply.
            reply_tokens: Tokens that are enough for it.

        Returns:
            The value; ``None`` if no reply could be used, which is noted for the report. A service that
            cannot be reached, or refuses every request, raises ``ModelRequestError``.
        """
        counted = self._stage(stage)
        with self._lock:
            if counted.hopeless:
                counted.skipped += 1
                return None
        request = ChatRequest(
            messages=(
                Message(role=Role.SYSTEM, text=fill("ingest_system")),
                Message(role=Role.USER, text=prompt),
            ),
            temperature=0.0,
            max_tokens=self.budget.reply(reply_tokens),
        )
        try:
            value = ask(counted.asked, request, schema)
        except ModelReplyError as error:
            return self._useless(counted, error.message)
        except ModelRequestError as error:
            if error.status not in _OF_THIS_REQUEST:
                raise
            return self._useless(counted, error.message)
        with self._lock:
            counted.usable += 1
        return value

    def usage(self) -> Usage:
        """What was paid so far.

        Returns:
            The sum over all stages; replies from disk cost nothing.
        """
        with self._lock:
            return total(stage.paid.usage for stage in self._stages.values())

    def warnings(self) -> tuple[str, ...]:
        """What a reader of the document should know.

        Returns:
            One sentence for each stage with replies that could not be used.
        """
        with self._lock:
            return tuple(
                f"The model {self.name} gave no usable reply to {stage.useless} of its questions on {name}"
                f"{f', and {stage.skipped} more were not asked' if stage.skipped else ''}; "
                "what rules found stands there."
                for name, stage in self._stages.items()
                if stage.useless
            )

    def report(self) -> dict[str, Any]:
        """Calls, tokens and money by stage.

        Returns:
            Plain JSON: for each stage ``calls`` (all), ``paid`` (not answered from disk), tokens and US
            dollars of the paid ones (``None`` where the price is unknown), ``useless`` and ``not_asked``.
        """
        with self._lock:
            return {name: _stage_report(stage) for name, stage in self._stages.items()}

    def _stage(self, name: str) -> _Stage:
        with self._lock:
            if name not in self._stages:
                paid = MeteredModel(self._model)
                inner = CachedModel(paid, self._replies) if self._replies is not None else paid
                self._stages[name] = _Stage(asked=MeteredModel(inner), paid=paid)
            return self._stages[name]

    def _useless(self, stage: _Stage, reason: str) -> None:
        with self._lock:
            stage.useless += 1
            if len(stage.reasons) < _PATIENCE:
                stage.reasons.append(one_line(reason, 200))


def _stage_report(stage: _Stage) -> dict[str, Any]:
    usage = stage.paid.usage
    return {
        "calls": stage.asked.calls,
        "paid": stage.paid.calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost": usage.cost,
        "useless": stage.useless,
        "not_asked": stage.skipped,
        **({"reasons": list(stage.reasons)} if stage.reasons else {}),
    }
