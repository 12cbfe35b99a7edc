"""What went wrong when a service was called, in its own terms, and the one line that a user reads."""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import Callable, Mapping
from enum import Enum, auto

from vectree.errors import ModelReplyError, ModelRequestError, ModelUnavailable
from vectree.llm.one_line import one_line

_BUSY = (408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529)
_NO_CREDIT = ("insufficient_quota", "insufficient_balance", "billing")
_TOO_LONG = (
    "context_length_exceeded",
    "maximum context",
    "context length",
    "context window",
    "exceeds the available",
)
_TOOLS = (
    "does not support tools",
    "tool use",
    "tool-call-parser",
    "enable-auto-tool-choice",
    "support function",
)


class FailureKind(Enum):
    """How far a call came."""

    REFUSED = auto()
    """The service answered with an error."""
    UNREACHABLE = auto()
    """No connection, or it broke."""
    TIMEOUT = auto()
    """No answer in time."""
    NO_REPLY = auto()
    """An answer that is no chat completion."""


class ServiceFailure(Exception):
    """One failed call; never leaves the client.

    Args:
        kind: How far the call came.
        message: The service's words, or the system's.
        status: HTTP status; 0 without an answer.
        code: The service's own error code.
        param: The setting that the service names.
        retry_after: Seconds the service asks to wait.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        status: int = 0,
        code: str = "",
        param: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.status = status
        self.code = code
        self.param = param
        self.retry_after = retry_after

    def redact(self, without_secrets: Callable[[str], str]) -> None:
        """Take secrets out of what the service said; some repeat the key they refuse.

        Args:
            without_secrets: Removes them from a text.
        """
        self.message = without_secrets(self.message)
        self.args = (self.message,)

    @property
    def says(self) -> str:
        """Code and message in lower case, to look for words in."""
        return f"{self.code} {self.message}".lower()

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed a little later."""
        if self.kind is FailureKind.REFUSED:
            return self.status in _BUSY and not any(word in self.says for word in _NO_CREDIT)
        return True

    @property
    def too_long(self) -> bool:
        """Whether the request exceeded what the model can read."""
        return self.status == 413 or any(word in self.says for word in _TOO_LONG)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how long a service asks to wait.

    Args:
        headers: Of its answer, keys in lower case or case-insensitive.

    Returns:
        Seconds, zero or more; ``None`` if it does not say.
    """
    if milliseconds := _seconds(headers.get("retry-after-ms", "")):
        return milliseconds / 1000
    written = headers.get("retry-after", "")
    seconds = _seconds(written)
    if seconds is None and written:
        try:
            seconds = email.utils.parsedate_to_datetime(written).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return None if seconds is None else max(0.0, seconds)


def _seconds(written: str) -> float | None:
    try:
        seconds = float(written)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) else None


def as_error(
    failure: ServiceFailure, *, service: str, model: str, keyed: bool
) -> ModelRequestError | ModelReplyError:
    """Say a failure in one line, with what to do about it.

    Args:
        failure: The last failed call.
        service: Host of the service.
        model: Name of the model there.
        keyed: Whether a key was sent.

    Returns:
        The error to raise.
    """
    detail = one_line(failure.message, 200).rstrip(".")
    match failure.kind:
        case FailureKind.UNREACHABLE:
            hint = "Check the base URL, and that the service runs."
            return ModelUnavailable(f"Cannot reach the model service at {service}: {detail}.", hint=hint)
        case FailureKind.TIMEOUT:
            hint = "Try again later, or allow more time (timeout)."
            return ModelUnavailable(f"The model service at {service} did not answer: {detail}.", hint=hint)
        case FailureKind.NO_REPLY:
            hint = "Check the base URL; it usually ends in /v1."
            return ModelReplyError(f"What {service} answered is no chat completion: {detail}.", hint=hint)
        case FailureKind.REFUSED:
            return _refusal(failure, detail, service=service, model=model, keyed=keyed)


def _refusal(
    failure: ServiceFailure, detail: str, *, service: str, model: str, keyed: bool
) -> ModelRequestError:
    what, hint = _explained(failure, service=service, model=model, keyed=keyed)
    kind = ModelUnavailable if failure.retryable else ModelRequestError
    said = f": {detail}" if detail else ""
    return kind(f"{what} ({failure.status}){said}.", hint=hint, status=failure.status)


def _explained(failure: ServiceFailure, *, service: str, model: str, keyed: bool) -> tuple[str, str]:
    """What was refused, and what to do."""
    if failure.status in (401, 403):
        refused = f"{service} refused the API key" if keyed else f"{service} asks for an API key"
        return refused, "Set VECTREE_API_KEY to a key that is valid there."
    if any(word in failure.says for word in _NO_CREDIT) or failure.status == 402:
        return f"The account at {service} has no credit", "Add credit there, or use another service."
    if failure.status == 429:
        return f"{service} limits the rate of requests", "Try again later, or with fewer requests at once."
    if failure.too_long:
        hint = "Use a model with a larger context, or tell this one's size (context_window)."
        return f"The request is too long for {model} at {service}", hint
    if any(word in failure.says for word in _TOOLS):
        return (
            f"{model} at {service} takes no tool calls",
            "Use a model or a server setting that supports tools.",
        )
    if failure.status == 404:
        hint = "Check the model's name, and the base URL; it usually ends in /v1."
        return f"{service} has no model {model!r}, or no chat completions at this base URL", hint
    if "image" in failure.says and failure.status < 500:
        return (
            f"{model} at {service} refused an image",
            "Use a model that reads images, or set images=False (--no-images).",
        )
    if failure.status >= 500 or failure.retryable:
        return f"{service} failed", "Try again later."
    return f"{service} refused the request", "Check the model's name and settings."
