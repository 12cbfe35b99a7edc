"""Asking a model for a value of a given form, and asking again when the reply is none."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from vectree.errors import ModelReplyError
from vectree.llm.chat import ChatModel, ChatRequest, Message, Role, Usage
from vectree.llm.json_reader import Shape, read_json
from vectree.llm.one_line import one_line
from vectree.llm.refusal import is_refusal
from vectree.llm.usage import total
from vectree.llm.wrapper import Forgetful
from vectree.prompts import fill

ATTEMPTS = 3
"""Replies asked for before a question is given up."""

_QUOTED = 2000
"""Characters of an unusable reply that are shown to the model again."""

_PROBLEMS = 3
"""Validation errors named to the model at once."""

_log = logging.getLogger(__name__)
_Value = TypeVar("_Value", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Structured(Generic[_Value]):
    """A validated reply and what it took to get it.

    Attributes:
        value: The value.
        attempts: Replies asked for.
        usage: Sum over them.
        complete: False if the reply was cut off, or if items that did not fit the schema were left out.
    """

    value: _Value
    attempts: int
    usage: Usage
    complete: bool = True


def ask(model: ChatModel, request: ChatRequest, schema: type[_Value], *, attempts: int = ATTEMPTS) -> _Value:
    """Ask for a value of a given form; :func:`ask_with_report` without the report.

    Args:
        model: The model to ask.
        request: What to ask; its ``schema`` is filled in.
        schema: The form of the reply.
        attempts: Replies asked for at most; at least 1.

    Returns:
        The validated value. ``ModelReplyError`` says that no reply within the bound could be used,
        ``ModelRequestError`` that the service cannot be reached or refuses.
    """
    return ask_with_report(model, request, schema, attempts=attempts).value


def ask_with_report(
    model: ChatModel, request: ChatRequest, schema: type[_Value], *, attempts: int = ATTEMPTS
) -> Structured[_Value]:
    """Ask for a value of a given form, and tell what it took.

    A reply is read leniently and validated. If it is empty, a refusal, or does not fit, the model is shown
    the reply and the reason in one line, and asked again. A reply that was cut off is asked for once more;
    then its complete items are taken. At the last attempt, items of a list that do not fit are left out
    rather than the whole list.

    ``ModelReplyError`` says that no reply within the bound could be used; it carries their number and the
    last one, and a model that keeps replies is told to forget them. ``ModelRequestError`` says that the
    service cannot be reached or refuses; it ends the question at once.

    Args:
        model: The model to ask.
        request: What to ask; its ``schema`` is filled in.
        schema: The form of the reply.
        attempts: Replies asked for at most; at least 1.

    Returns:
        The value with attempts, usage and whether it is complete.
    """
    request = replace(request, schema=schema.model_json_schema())
    return _Interview(model, request, schema).run(max(1, attempts))


class _Interview(Generic[_Value]):
    """One question, asked until a reply can be used."""

    def __init__(self, model: ChatModel, request: ChatRequest, schema: type[_Value]) -> None:
        self._model = model
        self._request = request
        self._schema = schema
        self._list_field = list_field(schema)
        self._asked: list[ChatRequest] = []
        self._usages: list[Usage] = []
        self._partials: list[_Value] = []
        self._text = ""

    def run(self, attempts: int) -> Structured[_Value]:
        request, problem = self._request, ""
        for attempt in range(1, attempts + 1):
            try:
                value, complete = self._reply(request, last=attempt == attempts)
            except ModelReplyError as error:
                problem = error.message
            else:
                if complete:
                    return self._result(value)
                self._partials.append(value)
                problem = "it was cut off, or a part of it cannot be read"
            if self._partials and attempt > 1:
                break
            _log.debug("reply %d of %d from %s: %s", attempt, attempts, self._model.name, problem)
            request = self._again(problem)
        if self._partials:
            return self._result(max(self._partials, key=_size), complete=False)
        raise self._given_up(problem)

    def _result(self, value: _Value, *, complete: bool = True) -> Structured[_Value]:
        return Structured(
            value=value, attempts=len(self._asked), usage=total(self._usages), complete=complete
        )

    def _reply(self, request: ChatRequest, *, last: bool) -> tuple[_Value, bool]:
        self._asked.append(request)
        self._text = ""
        reply = self._model.complete(request)
        self._usages.append(reply.usage)
        self._text = reply.text
        try:
            reading = read_json(reply.text, want=Shape.OBJECT, list_field=self._list_field)
        except ModelReplyError as error:
            raise _declined(reply.text) or error from None
        value = self._validated(reading.value)
        complete = value is not None and reading.complete
        if value is None:
            value = self._salvaged(reading.value, last=last)
        for text in value.__dict__.values():
            if isinstance(text, str) and (refusal := _declined(text)):
                raise refusal
        return value, complete

    def _validated(self, value: JsonValue) -> _Value | None:
        """The value, as it is or out of a wrapper with one member."""
        inner = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else None
        for form in (value, inner):
            with suppress(ValidationError):
                return self._schema.model_validate(form)
        return None

    def _salvaged(self, value: JsonValue, *, last: bool) -> _Value:
        """The value without the items that do not fit; only once there is no attempt left."""
        try:
            return self._schema.model_validate(value)
        except ValidationError as error:
            complaint = ModelReplyError(f"it does not fit: {problems(error)}")
            kept = _without_bad_items(value, error) if last else None
        with suppress(ValidationError):
            if kept is not None:
                return self._schema.model_validate(kept)
        raise complaint

    def _again(self, problem: str) -> ChatRequest:
        said = self._text[:_QUOTED].strip() or "(empty reply)"
        repeated = (
            Message(role=Role.ASSISTANT, text=said),
            Message(role=Role.USER, text=fill("reply_again", problem=one_line(problem, 400))),
        )
        return replace(self._request, messages=self._request.messages + repeated)

    def _given_up(self, problem: str) -> ModelReplyError:
        if isinstance(self._model, Forgetful):
            for request in self._asked:
                self._model.forget(request)
        count = len(self._asked)
        attempts = f"{count} attempts; the last" if count > 1 else "1 attempt"
        return ModelReplyError(
            f"{self._model.name} gave no usable reply in {attempts}: {problem.rstrip('.')}.",
            hint="Try again, or use a more capable model.",
            attempts=count,
            reply=self._text[:_QUOTED],
        )


def list_field(schema: type[BaseModel]) -> str | None:
    """The member that a bare list stands for.

    Args:
        schema: The form of a reply.

    Returns:
        Name of the schema's only list, if all its other members may be left out; else ``None``.
    """
    declared: dict[str, Any] = schema.model_json_schema()
    properties: dict[str, dict[str, Any]] = declared.get("properties", {})
    lists = [name for name, property in properties.items() if property.get("type") == "array"]
    others = set(declared.get("required", [])) - set(lists)
    return lists[0] if len(lists) == 1 and not others else None


def problems(error: ValidationError) -> str:
    """Say on one line where a value does not fit its schema.

    Args:
        error: From pydantic.

    Returns:
        The first few places and what was expected there.
    """
    found = error.errors(include_url=False, include_context=False)
    named = [f"{'.'.join(map(str, each['loc'])) or 'reply'}: {each['msg']}" for each in found[:_PROBLEMS]]
    more = f"; and {len(found) - _PROBLEMS} more" if len(found) > _PROBLEMS else ""
    return one_line("; ".join(named) + more, 400)


def _declined(text: str) -> ModelReplyError | None:
    return ModelReplyError(f"the model declined: {one_line(text, 100)!r}") if is_refusal(text) else None


def _size(value: BaseModel) -> int:
    return len(value.model_dump_json())


def _without_bad_items(value: JsonValue, error: ValidationError) -> JsonValue | None:
    """The value without the list items in error; ``None`` if something else is in error or nothing stays."""
    if not isinstance(value, dict):
        return None
    bad: dict[str, set[int]] = {}
    for each in error.errors(include_url=False, include_context=False, include_input=False):
        match each["loc"]:
            case (str(name), int(index), *_):
                bad.setdefault(name, set()).add(index)
            case _:
                return None
    kept = dict(value)
    for name, indices in bad.items():
        items = value.get(name)
        if not isinstance(items, list) or len(indices) >= len(items):
            return None
        kept[name] = [item for index, item in enumerate(items) if index not in indices]
    return kept
