"""Any service that speaks the Chat Completions API, such as OpenAI, OpenRouter, DeepSeek, vLLM or Ollama."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from vectree._extras import require
from vectree.llm.chat import ChatRequest, Reply
from vectree.llm.dialect import Dialect, ToolImages, concede
from vectree.llm.endpoint import Endpoint, find_endpoint
from vectree.llm.openai_reply import error_in, reply_from
from vectree.llm.openai_request import request_body
from vectree.llm.retry import Retrier, RetrySettings
from vectree.llm.service_failure import FailureKind, ServiceFailure, as_error, retry_after
from vectree.llm.usage import Price

TIMEOUT = 120.0
"""Seconds without a byte before a call counts as unanswered."""

_CONNECT_TIMEOUT = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """How a service is called.

    Attributes:
        timeout: Seconds without a byte before a call counts as unanswered.
        retry: How often and how long a failed call is tried again.
        images: Whether the model reads images; if not, a note stands in place of each.
        tool_images: Where the images of tool results go.
        parallel_tool_calls: Whether a reply may hold several tool calls; ``None`` leaves it to the service.
        headers: HTTP headers to add.
        body: Members to add to every request, such as ``{"reasoning_effort": "low"}``.
    """

    timeout: float = TIMEOUT
    retry: RetrySettings = field(default_factory=RetrySettings)
    images: bool = True
    tool_images: ToolImages = ToolImages.USER
    parallel_tool_calls: bool | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Mapping[str, Any] = field(default_factory=dict[str, Any])


class OpenAICompatibleModel:
    """A chat model behind the Chat Completions API.

    The form of a reply is enforced by the service where it can be, and described in words where it refuses.
    Failed calls are tried again within bounds; what fails in the end is one error with one line. The key is
    never shown.

    Args:
        model: Name of the model at the service.
        base_url: Where the service is; else ``VECTREE_BASE_URL``, ``OPENAI_BASE_URL``, or OpenAI itself.
        api_key: Its key; else ``VECTREE_API_KEY`` or ``OPENAI_API_KEY``. Not needed on one's own machine.
        context_window: Tokens a request and its reply may have together; ``None`` if unknown.
        price: What it charges; without one the cost is what the service states, or unknown.
        settings: How it is called.
        name: Name shown in outputs and used in cache keys; ``"openai:MODEL"`` by default.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        context_window: int | None = None,
        price: Price | None = None,
        settings: ServiceSettings | None = None,
        name: str | None = None,
    ) -> None:
        self._model = model
        self._endpoint = find_endpoint(base_url=base_url, api_key=api_key)
        self._context_window = context_window
        self._price = price
        self._settings = settings = settings or ServiceSettings()
        self._name = name or f"openai:{model}"
        self._retrier = Retrier(settings.retry)
        self._dialect = Dialect(
            images=settings.images,
            tool_images=settings.tool_images,
            parallel_tool_calls=settings.parallel_tool_calls,
        )
        self._sdk: Any = require("openai", extra="openai")
        self._client: Any = _client(self._sdk, self._endpoint, settings)

    def __repr__(self) -> str:
        return f"OpenAICompatibleModel({self._model!r}, base_url={self._endpoint.host!r})"

    @property
    def name(self) -> str:
        """Name shown in outputs and used in cache keys."""
        return self._name

    @property
    def context_window(self) -> int | None:
        """Tokens a request and its reply may have together; ``None`` if unknown."""
        return self._context_window

    def complete(self, request: ChatRequest) -> Reply:
        """Answer one request.

        Args:
            request: Messages, tools and settings.

        Returns:
            The reply. Its text may be empty, and the arguments of its tool calls may be broken.
            ``ModelRequestError`` says that the service refuses, ``ModelUnavailable`` that the same request
            may succeed later, ``ModelReplyError`` that what came back is no reply.
        """
        try:
            return self._retrier.run(lambda: self._attempt(request))
        except ServiceFailure as failure:
            self._fail(failure)

    def _fail(self, failure: ServiceFailure) -> NoReturn:
        """Say it in one line, without a traceback of the SDK's."""
        keyed = bool(self._endpoint.api_key)
        raise as_error(failure, service=self._endpoint.host, model=self._model, keyed=keyed) from None

    def _attempt(self, request: ChatRequest) -> Reply:
        """One try, in which settings that the service refuses are given up one by one."""
        dialect, first = self._dialect, None
        while True:
            try:
                reply = self._call(request, dialect)
            except ServiceFailure as failure:
                failure.redact(self._endpoint.without_key)
                conceded = concede(dialect, request, failure)
                if conceded is None:
                    raise (first if first and not failure.retryable else failure) from None
                dialect, first = conceded, first or failure
            else:
                self._dialect = dialect
                return reply

    def _call(self, request: ChatRequest, dialect: Dialect) -> Reply:
        body = request_body(request, model=self._model, dialect=dialect)
        try:
            answer = self._client.chat.completions.with_raw_response.create(
                **body, extra_body=dict(self._settings.body)
            )
            text: str = answer.http_response.text
        except self._sdk.APIStatusError as error:
            response: Any = error.response
            raise error_in(
                response.text, status=error.status_code, retry_after=retry_after(response.headers)
            ) from None
        except self._sdk.APITimeoutError:
            said = f"nothing came for {self._settings.timeout:g} s"
            raise ServiceFailure(FailureKind.TIMEOUT, said) from None
        except self._sdk.APIConnectionError as error:
            raise ServiceFailure(FailureKind.UNREACHABLE, str(error.__cause__ or error)) from None
        except self._sdk.OpenAIError as error:
            raise ServiceFailure(FailureKind.NO_REPLY, str(error)) from None
        return reply_from(text, request, price=self._price)


def _client(sdk: Any, endpoint: Endpoint, settings: ServiceSettings) -> Any:
    """The SDK's client; it tries once, since trying again is our own business."""
    return sdk.OpenAI(
        api_key=endpoint.key_to_send,
        base_url=endpoint.base_url,
        timeout=sdk.Timeout(settings.timeout, connect=min(settings.timeout, _CONNECT_TIMEOUT)),
        max_retries=0,
        default_headers=dict(settings.headers),
    )
