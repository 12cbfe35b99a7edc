"""Replies in the words of the Chat Completions API, read with care: services differ, some are careless."""

from __future__ import annotations

import json
import uuid
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from vectree.errors import ModelReplyError
from vectree.llm.chat import ChatRequest, Reply, ToolCall, Usage
from vectree.llm.dialect import THOUGHTS
from vectree.llm.service_failure import FailureKind, ServiceFailure
from vectree.llm.text_calls import calls_in_text
from vectree.llm.thought import without_thought
from vectree.llm.usage import FREE, Price
from vectree.tokens import count_tokens


def _or_none(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    try:
        return read(value)
    except ValidationError:
        return None


class _Wire(BaseModel):
    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)


class _Part(_Wire):
    text: Annotated[str | None, WrapValidator(_or_none)] = None


class _Function(_Wire):
    name: str | None = None
    arguments: Any = None


class _Call(_Wire):
    id: str | None = None
    function: _Function | None = None
    extra_content: Any = None


class _Message(_Wire):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    tool_calls: list[_Call] | None = None
    function_call: Annotated[_Function | None, WrapValidator(_or_none)] = None
    reasoning_content: Any = None
    reasoning: Any = None
    reasoning_details: Any = None


class _Error(_Wire):
    message: str = "no reason given"
    code: str | None = None
    type: str | None = None
    param: str | None = None


class _ErrorBody(_Error):
    """``{"error": {…}}``, ``{"error": "…"}``, ``{"message": "…"}`` or ``{"detail": …}``."""

    error: Annotated[_Error | str | None, WrapValidator(_or_none)] = None
    detail: Any = None

    @property
    def reason(self) -> _Error:
        if isinstance(self.error, _Error):
            return self.error
        message = self.error or (_as_text(self.detail) if self.detail else self.message)
        return _Error(message=message, code=self.code, type=self.type, param=self.param)


class _Choice(_Wire):
    message: _Message | None = None
    finish_reason: str | None = None
    error: Annotated[_Error | None, WrapValidator(_or_none)] = None


class _Details(_Wire):
    cached_tokens: int | None = Field(None, ge=0)


class _Usage(_Wire):
    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(0, ge=0)
    prompt_tokens_details: Annotated[_Details | None, WrapValidator(_or_none)] = None
    prompt_cache_hit_tokens: Annotated[int | None, WrapValidator(_or_none)] = Field(None, ge=0)
    cost: Annotated[float | None, WrapValidator(_or_none)] = Field(None, ge=0, allow_inf_nan=False)

    @property
    def cached(self) -> int:
        details = self.prompt_tokens_details
        cached = details.cached_tokens if details else None
        return min(self.prompt_tokens, cached or self.prompt_cache_hit_tokens or 0)


class _Completion(_Wire):
    choices: list[_Choice] | None = None
    usage: Annotated[_Usage | None, WrapValidator(_or_none)] = None
    error: Annotated[_Error | str | None, WrapValidator(_or_none)] = None

    @property
    def failure(self) -> _Error | None:
        """An error sent as a success, if nothing usable came with it."""
        first = self.choices[0] if self.choices else _Choice()
        if first.error or first.message:
            return first.error
        return _Error(message=self.error) if isinstance(self.error, str) else self.error


def reply_from(body: str, request: ChatRequest, *, price: Price | None) -> Reply:
    """Read the body of an answer.

    Args:
        body: What the service sent.
        request: What was asked, to estimate tokens by where the service does not count them.
        price: What the service charges; ``None`` takes the cost that the service itself states, if it does.

    Returns:
        The reply; thoughts before its text are dropped, and tool calls without an id get one.

    Raises:
        ServiceFailure: If the body is no chat completion, or an error sent as a success. (``ModelReplyError``
            says that the service withheld the reply, or cut it before its first word.)
    """
    completion = _completion(body)
    choice = completion.choices[0] if completion.choices else _Choice()
    if choice.message is None:
        raise ServiceFailure(FailureKind.NO_REPLY, "it has no choices")
    text = without_thought(_text(choice.message))
    calls = _calls(choice.message)
    if not calls and request.tools:
        text, calls = calls_in_text(text, {tool.name for tool in request.tools})
    if not text.strip() and not calls:
        _explain_silence(choice.finish_reason)
    return Reply(
        text=text,
        tool_calls=calls,
        usage=_usage(completion.usage, request, text, price),
        echo=_thoughts(choice.message) if calls else {},
    )


def error_in(body: str, *, status: int, retry_after: float | None = None) -> ServiceFailure:
    """Read the body of an error.

    Args:
        body: What the service sent: JSON in one of several forms, a page of HTML, or anything else.
        status: HTTP status.
        retry_after: Seconds the service asks to wait.

    Returns:
        The failure.
    """
    try:
        answer = json.loads(body)
        error = _ErrorBody.model_validate(answer[0] if isinstance(answer, list) and answer else answer).reason
    except (ValueError, RecursionError):
        error = _Error(message="" if body.lstrip().startswith("<") else body)
    return _refused(error, status=status, retry_after=retry_after)


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _refused(error: _Error, *, status: int, retry_after: float | None = None) -> ServiceFailure:
    code = error.code or error.type or ""
    if code.isdigit() and 400 <= int(code) < 600:
        status = int(code)
    return ServiceFailure(
        FailureKind.REFUSED,
        error.message,
        status=status,
        code=code,
        param=error.param or "",
        retry_after=retry_after,
    )


def _completion(body: str) -> _Completion:
    try:
        answer = json.loads(body)
        completion = _Completion.model_validate(answer)
    except (ValueError, RecursionError):
        raise ServiceFailure(
            FailureKind.NO_REPLY, repr(body[:80]) if body.strip() else "it is empty"
        ) from None
    if failure := completion.failure:
        raise _refused(failure, status=500)
    return completion


def _text(message: _Message) -> str:
    if isinstance(message.content, list):
        return "".join(part.text or "" for part in message.content)
    return message.content or message.refusal or ""


def _calls(message: _Message) -> tuple[ToolCall, ...]:
    issued = message.tool_calls or []
    if not issued and message.function_call:
        issued = [_Call(function=message.function_call)]
    calls: list[ToolCall] = []
    taken: set[str] = set()
    for call in issued:
        function = call.function or _Function()
        identifier = call.id if call.id and call.id not in taken else f"call_{uuid.uuid4().hex[:16]}"
        taken.add(identifier)
        arguments = "" if function.arguments is None else _as_text(function.arguments)
        echo = {"extra_content": call.extra_content} if call.extra_content else dict[str, Any]()
        calls.append(ToolCall(id=identifier, name=function.name or "", arguments=arguments, echo=echo))
    return tuple(calls)


def _thoughts(message: _Message) -> dict[str, Any]:
    """The members in which a service states thoughts; DeepSeek and Gemini refuse calls that come without."""
    return {name: value for name in THOUGHTS if (value := getattr(message, name)) is not None}


def _explain_silence(reason: str | None) -> None:
    """Raise where an empty reply has a reason that asking again will not remove."""
    if reason == "length":
        raise ModelReplyError(
            "The reply was cut before its first word: its bound on tokens was used up, perhaps by thinking.",
            hint="Allow a longer reply (max_tokens).",
        )
    if reason == "content_filter":
        raise ModelReplyError(
            "The service withheld the reply (content filter).",
            hint="Rephrase the question, or use another service.",
        )


def _usage(counted: _Usage | None, request: ChatRequest, text: str, price: Price | None) -> Usage:
    """What the service counted; else the house estimate, whose cost nobody knows."""
    if counted is None:
        prompt = sum(count_tokens(message.text) for message in request.messages)
        cost = 0.0 if price == FREE else None
        return Usage(prompt_tokens=prompt, completion_tokens=count_tokens(text), cost=cost)
    cost = counted.cost
    if price is not None:
        cost = price.cost(
            prompt_tokens=counted.prompt_tokens,
            completion_tokens=counted.completion_tokens,
            cached_tokens=counted.cached,
        )
    return Usage(
        prompt_tokens=counted.prompt_tokens,
        completion_tokens=counted.completion_tokens,
        cached_tokens=counted.cached,
        cost=cost,
    )
