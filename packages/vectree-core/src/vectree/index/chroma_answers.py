"""What comes of asking Chroma: bounded waiting, and its errors in our words."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from vectree.errors import VectorStoreError, VectorStoreUnavailable, VecTreeError

T = TypeVar("T")

TIMEOUT = 30.0
"""Seconds that a server may take for one answer."""

CONNECT_TIMEOUT = 10.0
"""Seconds that it may take to be reached."""

_HINT = "Start it (chroma run --path DIR --port N), or move the index: vectree reindex --index exact."


def in_our_words(error: Exception, place: str) -> VectorStoreError:
    """Translate an error of Chroma or of the connection to it.

    Args:
        error: What was raised.
        place: What to call the store.

    Returns:
        The error to raise instead.
    """
    import httpx

    if isinstance(error, httpx.TimeoutException):
        return VectorStoreUnavailable(f"{_capital(place)} did not answer within {TIMEOUT:.0f} s.", hint=_HINT)
    if isinstance(error, (httpx.TransportError, ConnectionError)):
        return VectorStoreUnavailable(f"{_capital(place)} cannot be reached: {error}", hint=_HINT)
    said = " ".join(str(error).split())[:300] or type(error).__name__
    if "Could not connect to a Chroma server" in said:
        return VectorStoreUnavailable(f"{_capital(place)} cannot be reached.", hint=_HINT)
    return VectorStoreError(
        f"{_capital(place)} answered: {said}", hint="If it does not pass: vectree reindex --index exact."
    )


def within(seconds: float, call: Callable[[], T], place: str) -> T:
    """Call in a thread that may be left behind: Chroma waits for ever for a server that accepts and is silent.

    Args:
        seconds: How long to wait.
        call: What to call.
        place: What to call the store.

    Returns:
        What the call returns; an error of the call comes through in our words.

    Raises:
        VectorStoreUnavailable: If it fails, or does not return in time.
    """
    results: list[T] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            results.append(call())
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True, name="connect to Chroma")
    thread.start()
    thread.join(seconds)
    if errors:
        if isinstance(errors[0], VecTreeError):
            raise errors[0]
        said = in_our_words(errors[0], place).message
        raise VectorStoreUnavailable(said, hint=_HINT) from errors[0]
    if not results:
        raise VectorStoreUnavailable(
            f"{_capital(place)} did not answer within {seconds:.0f} s.",
            hint="Look whether it is overloaded, or move the index: vectree reindex --index exact.",
        )
    return results[0]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
