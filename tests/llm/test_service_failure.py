"""One line for each thing that can go wrong, and whether it is worth another try."""

from __future__ import annotations

import email.utils
import time

import pytest

from vectree.errors import ModelReplyError, ModelRequestError, ModelUnavailable
from vectree.llm.service_failure import FailureKind, ServiceFailure, as_error, retry_after

REFUSED = FailureKind.REFUSED

CASES = [
    (REFUSED, 401, "Incorrect API key", ModelRequestError, "refused the API key (401)", "VECTREE_API_KEY"),
    (REFUSED, 402, "Insufficient Balance", ModelRequestError, "has no credit", "Add credit"),
    (REFUSED, 403, "", ModelRequestError, "refused the API key (403).", "VECTREE_API_KEY"),
    (REFUSED, 404, "model 'm' not found", ModelRequestError, "has no model 'm'", "/v1"),
    (REFUSED, 400, "maximum context length is 8192", ModelRequestError, "too long for m", "context_window"),
    (REFUSED, 413, "", ModelRequestError, "too long for m", "context_window"),
    (REFUSED, 400, "m does not support tools", ModelRequestError, "takes no tool calls", "supports tools"),
    (REFUSED, 400, "image_url is not allowed", ModelRequestError, "refused an image", "images=False"),
    (REFUSED, 400, "bad request", ModelRequestError, "refused the request (400): bad request.", "settings"),
    (REFUSED, 429, "slow down.", ModelUnavailable, "limits the rate of requests (429): slow down.", "later"),
    (REFUSED, 429, "insufficient_quota", ModelRequestError, "has no credit", "Add credit"),
    (REFUSED, 500, "boom", ModelUnavailable, "failed (500): boom.", "later"),
    (REFUSED, 503, "", ModelUnavailable, "failed (503).", "later"),
    (FailureKind.UNREACHABLE, 0, "Connection refused", ModelUnavailable, "Cannot reach", "base URL"),
    (FailureKind.TIMEOUT, 0, "nothing came for 5 s", ModelUnavailable, "did not answer", "timeout"),
    (FailureKind.NO_REPLY, 0, "it has no choices", ModelReplyError, "is no chat completion", "/v1"),
]


@pytest.mark.parametrize(("kind", "status", "message", "error", "says", "hint"), CASES)
def test_each_failure_is_one_line_that_says_what_happened_and_what_to_do(
    kind: FailureKind, status: int, message: str, error: type[Exception], says: str, hint: str
) -> None:
    raised = as_error(
        ServiceFailure(kind, message, status=status), service="api.example.org", model="m", keyed=True
    )
    assert type(raised) is error
    assert says in str(raised)
    assert hint in raised.hint
    assert "api.example.org" in str(raised)
    assert "\n" not in str(raised)
    assert not str(raised).count("..")


def test_a_missing_key_is_told_from_a_wrong_one() -> None:
    failure = ServiceFailure(REFUSED, "no key", status=401)
    assert "asks for an API key" in str(as_error(failure, service="s", model="m", keyed=False))


def test_a_page_of_text_becomes_one_line() -> None:
    failure = ServiceFailure(REFUSED, "line\n" * 5000, status=400)
    assert len(str(as_error(failure, service="s", model="m", keyed=True))) < 400


@pytest.mark.parametrize(
    ("status", "message", "retryable"),
    [
        (429, "", True),
        (500, "", True),
        (503, "", True),
        (529, "", True),
        (408, "", True),
        (400, "", False),
        (401, "", False),
        (404, "", False),
        (422, "", False),
        (501, "", False),
        (429, "insufficient_quota", False),
    ],
)
def test_only_what_may_pass_is_tried_again(status: int, message: str, retryable: bool) -> None:
    assert ServiceFailure(REFUSED, message, status=status).retryable is retryable


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "9", "retry-after-ms": "1500"}, 1.5),
    ],
)
def test_the_wait_that_a_service_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_wait_may_be_given_as_a_date() -> None:
    asked = retry_after({"retry-after": email.utils.formatdate(time.time() + 30, usegmt=True)})
    assert asked is not None
    assert 27 < asked <= 30
