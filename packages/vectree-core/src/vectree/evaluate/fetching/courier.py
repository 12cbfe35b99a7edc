"""Requests to services and publishers: one at a time to each host, spaced, bounded in size and time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from vectree.errors import VecTreeError

if TYPE_CHECKING:
    import httpx

_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
_ABSENT = frozenset({404, 410})


class FetchError(VecTreeError):
    """A request that came to nothing; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CourierSettings:
    """Bounds.

    Attributes:
        answer_bytes: Of an answer of a service.
        pdf_bytes: Of a PDF.
        timeout: Seconds without a byte.
        total_seconds: Seconds for one download.
        spacing: Seconds between two requests to one host.
        attempts: Requests for one thing, retries included.
        longest_wait: Most seconds that a host's ``Retry-After`` is heeded; asked for more, it is given up.
    """

    answer_bytes: int = 8_000_000
    pdf_bytes: int = 120_000_000
    timeout: float = 30.0
    total_seconds: float = 300.0
    spacing: float = 1.0
    attempts: int = 3
    longest_wait: float = 60.0


class Courier:
    """Asks services and downloads files. For one thread; close it, or use it in a ``with`` statement.

    Args:
        mailto: Mail address of the caller, named to every host.
        settings: Bounds.
        transport: Stands in for the network in tests.
        sleep: Stands in for ``time.sleep`` in tests.
        clock: Stands in for ``time.monotonic`` in tests.
    """

    def __init__(
        self,
        mailto: str,
        settings: CourierSettings | None = None,
        *,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        import httpx

        self.mailto = mailto
        self._settings = settings or CourierSettings()
        self._sleep, self._clock = sleep, clock
        self._next: dict[str, float] = {}
        agent = f"vectree/{version('vectree-core')} (mailto:{mailto})"
        self._client = httpx.Client(
            transport=transport,
            timeout=self._settings.timeout,
            follow_redirects=True,
            max_redirects=8,
            headers={"User-Agent": agent},
        )

    def __enter__(self) -> Courier:
        """Take it for the body of a ``with`` statement.

        Returns:
            Itself.
        """
        return self

    def __exit__(self, *_: object) -> None:
        """Close its connections."""
        self._client.close()

    def answer(self, url: str) -> Any:
        """Ask a service.

        Args:
            url: The question.

        Returns:
            Its answer as JSON; ``None`` where it knows nothing. `FetchError` says that it cannot be reached,
            refuses, or says too much.
        """
        data = self._fetch(url, self._settings.answer_bytes, accept="application/json")
        if data is None:
            return None
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise FetchError(f"{_host(url)} gave no JSON.") from error

    def pdf(self, url: str) -> bytes:
        """Download a PDF.

        Args:
            url: Its address.

        Returns:
            Its bytes.

        Raises:
            FetchError: If there is none, or what is there is no PDF.
        """
        data = self._fetch(url, self._settings.pdf_bytes, accept="application/pdf,*/*;q=0.5")
        if data is None:
            raise FetchError(f"{_host(url)} has nothing at this address.")
        if not is_pdf(data):
            raise FetchError(f"{_host(url)} gave no PDF, but {data[:12]!r}….")
        return data

    def _fetch(self, url: str, most: int, *, accept: str) -> bytes | None:
        for attempt in range(1, self._settings.attempts + 1):
            with self._request(url, accept) as response:
                if response.status_code in _ABSENT:
                    return None
                if response.status_code in _BUSY and attempt < self._settings.attempts:
                    wait = _asked_to_wait(response.headers.get("Retry-After"), default=2.0**attempt)
                elif response.status_code != 200:
                    raise FetchError(f"{_host(url)} answered {response.status_code}.")
                else:
                    return self._body(response, url, most)
            if wait > self._settings.longest_wait:
                raise FetchError(f"{_host(url)} asks to wait {wait:.0f} seconds.")
            self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")  # pragma: no cover

    @contextmanager
    def _request(self, url: str, accept: str) -> Generator[httpx.Response]:
        import httpx

        self._wait_for_turn(_host(url))
        try:
            with self._client.stream("GET", url, headers={"Accept": accept}) as response:
                yield response
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise FetchError(f"{_host(url)} cannot be reached: {type(error).__name__}.") from error

    def _body(self, response: httpx.Response, url: str, most: int) -> bytes:
        deadline = self._clock() + self._settings.total_seconds
        data = bytearray()
        for piece in response.iter_bytes():
            data += piece
            if len(data) > most:
                raise FetchError(f"{_host(url)} sends more than {most:,} bytes.")
            if self._clock() > deadline:
                raise FetchError(f"{_host(url)} took more than {self._settings.total_seconds:.0f} seconds.")
        return bytes(data)

    def _wait_for_turn(self, host: str) -> None:
        now = self._clock()
        start = max(now, self._next.get(host, now))
        self._next[host] = start + self._settings.spacing
        if start > now:
            self._sleep(start - now)


def is_pdf(data: bytes) -> bool:
    """Whether bytes are a whole PDF, as far as its two ends tell.

    Args:
        data: The bytes.

    Returns:
        True if the first kilobyte holds the mark of a PDF and the last two the mark of its end.
    """
    return b"%PDF-" in data[:1024] and b"%%EOF" in data[-2048:]


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or url[:40]
    except ValueError:
        return url[:40]


def _asked_to_wait(header: str | None, *, default: float) -> float:
    """Seconds; a date counts as the default."""
    try:
        return max(0.0, float(header)) if header is not None else default
    except ValueError:
        return default
