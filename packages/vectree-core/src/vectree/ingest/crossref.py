"""Crossref, asked politely (§3.2): few requests, bounded in time, each answer kept on disk (C10).

The service allows callers who say who they are 10 requests a second for single works and 3 for searches,
others 5 and 1. Whatever goes wrong ends as a status, never as an error: a look-up must not cost a document.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from vectree.document import Metadata
from vectree.ingest.bibliography_source import LookUp, LookUpStatus, Work, same_work
from vectree.ingest.crossref_cache import AnswerCache
from vectree.ingest.crossref_records import works_of

if TYPE_CHECKING:
    import httpx

BASE_URL = "https://api.crossref.org"
MAILTO_VARIABLE = "VECTREE_MAILTO"
_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
_ABSENT = frozenset({404, 410})
_MAX_BYTES = 4_000_000
_ROWS = 3
_FIELDS = (
    "DOI,title,subtitle,author,container-title,volume,page,article-number,"
    "published-print,published-online,issued"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossrefSettings:
    """How the service is asked.

    Attributes:
        mailto: Address of the caller, which the service asks for; ``None`` reads ``VECTREE_MAILTO``.
        timeout: Seconds without an answer after which a request is given up.
        attempts: Requests for one question, retries included.
        total_seconds: Time for one document, waiting included; then the service counts as unavailable.
        patience: Failures in a row after which it is not asked again for a while.
        pause: Seconds of that while.
    """

    mailto: str | None = None
    timeout: float = 10.0
    attempts: int = 3
    total_seconds: float = 45.0
    patience: int = 3
    pause: float = 120.0


class Crossref:
    """Looks works up at Crossref. Safe to use from several threads; connections are opened when needed.

    Args:
        cache: Folder where answers are kept, also that there is none.
        settings: How it is asked.
        transport: Stands in for the network in tests.
        sleep: Stands in for ``time.sleep`` in tests.
        clock: Stands in for ``time.monotonic`` in tests.
    """

    def __init__(
        self,
        cache: Path,
        settings: CrossrefSettings | None = None,
        *,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cache = AnswerCache(cache)
        self._settings = settings or CrossrefSettings()
        self._mailto = self._settings.mailto or os.environ.get(MAILTO_VARIABLE) or None
        self._transport = transport
        self._sleep, self._clock = sleep, clock
        self._lock = threading.Lock()
        self._slots = threading.BoundedSemaphore(3 if self._mailto else 1)
        self._next_start = 0.0
        self._failures = 0
        self._closed_until = 0.0

    def find(self, metadata: Metadata, front: str) -> LookUp:
        """Look a document up: by its DOI if it has one, else by title and authors.

        Args:
            metadata: What is known of it.
            front: Text of its first pages.

        Returns:
            A record whose title and an author agree with the document, or why there is none.
        """
        deadline = self._clock() + self._settings.total_seconds
        if metadata.doi:
            key, path = f"doi {metadata.doi}", f"/works/{quote(metadata.doi, safe='')}"
            params: dict[str, str] = {}
        elif metadata.title:
            names = " ".join(metadata.authors[:3])
            key, path = f"search {metadata.title} | {names}", "/works"
            params = {"query.bibliographic": f"{metadata.title} {names}".strip(), "rows": str(_ROWS)}
            params["select"] = _FIELDS
        else:
            return LookUp(status=LookUpStatus.NOT_FOUND, detail="neither DOI nor title is known")
        try:
            answer = self._answer(key, path, params, deadline)
        except _Unavailable as error:
            return LookUp(status=LookUpStatus.UNAVAILABLE, detail=str(error))
        return _chosen(metadata, front, works_of(answer))

    def _answer(self, key: str, path: str, params: Mapping[str, str], deadline: float) -> Any:
        kept = self._cache.get(key)
        if kept is not None:
            return kept.answer
        answer = self._ask(path, params, deadline)
        self._cache.put(key, answer if works_of(answer) else None)
        return answer

    def _ask(self, path: str, params: Mapping[str, str], deadline: float) -> Any:
        """The service's answer; ``None`` where it has none."""
        if self._clock() < self._closed_until:
            raise _Unavailable("it did not answer a moment ago")
        problem = ""
        for attempt in range(1, self._settings.attempts + 1):
            wait: float | None = None
            try:
                status, retry_after, answer = self._request(path, params)
            except _Unavailable as error:
                problem = str(error)
            else:
                if status == 200 or status in _ABSENT:
                    self._note(failed=False)
                    return answer if status == 200 else None
                problem, wait = f"status {status}", retry_after
                if status not in _BUSY:
                    break
            wait = wait if wait is not None else min(2.0**attempt, 8.0)
            if attempt == self._settings.attempts or self._clock() + wait > deadline:
                break
            self._sleep(wait)
        self._note(failed=True)
        raise _Unavailable(problem)

    def _request(self, path: str, params: Mapping[str, str]) -> tuple[int, float | None, Any]:
        import httpx

        query = {**params, **({"mailto": self._mailto} if self._mailto else {})}
        with self._slots:
            self._take_turn(search=bool(params))
            try:
                with (
                    httpx.Client(
                        base_url=BASE_URL,
                        timeout=self._settings.timeout,
                        transport=self._transport,
                        headers={"User-Agent": self._user_agent()},
                    ) as client,
                    client.stream("GET", path, params=query or None) as response,
                ):
                    body = _bounded(response, self._clock() + 2 * self._settings.timeout, self._clock)
                    return response.status_code, _retry_after(response), _json(response.status_code, body)
            except httpx.HTTPError as error:
                raise _Unavailable(type(error).__name__) from error

    def _user_agent(self) -> str:
        return f"VecTree (mailto:{self._mailto})" if self._mailto else "VecTree"

    def _take_turn(self, *, search: bool) -> None:
        """Wait until the service's limit allows another request."""
        per_second = (3 if search else 10) if self._mailto else (1 if search else 5)
        with self._lock:
            now = self._clock()
            start = max(now, self._next_start)
            self._next_start = start + 1 / per_second
        if start > now:
            self._sleep(start - now)

    def _note(self, *, failed: bool) -> None:
        """After a few failures in a row leave the service alone, so that no paper of a folder waits again."""
        with self._lock:
            self._failures = self._failures + 1 if failed else 0
            if self._failures >= self._settings.patience:
                self._closed_until, self._failures = self._clock() + self._settings.pause, 0


class CachedAnswers:
    """What was learnt from Crossref before; opens no connection.

    Args:
        cache: The folder of a `Crossref`.
    """

    def __init__(self, cache: Path) -> None:
        self._cache = AnswerCache(cache)

    def find(self, metadata: Metadata, front: str) -> LookUp:
        """Look a document up among kept answers.

        Args:
            metadata: What is known of it.
            front: Text of its first pages.

        Returns:
            The record, or that the service was not asked.
        """
        kept = self._cache.get(f"doi {metadata.doi}") if metadata.doi else None
        if kept is None:
            return LookUp(status=LookUpStatus.OFFLINE)
        return _chosen(metadata, front, works_of(kept.answer))


class _Unavailable(Exception):
    """The service cannot be asked now."""


def _chosen(metadata: Metadata, front: str, works: list[Work]) -> LookUp:
    if not works:
        return LookUp(status=LookUpStatus.NOT_FOUND)
    for work in works:
        if same_work(metadata, front, work, by_doi=metadata.doi is not None):
            return LookUp(status=LookUpStatus.VERIFIED, work=work)
    rejected = works[0]
    return LookUp(
        status=LookUpStatus.UNVERIFIED,
        detail=f"the record {rejected.doi} ({rejected.title[:120]}) does not agree in title and author",
    )


def _bounded(response: httpx.Response, deadline: float, clock: Callable[[], float]) -> bytes:
    body = bytearray()
    for part in response.iter_bytes():
        body += part
        if len(body) > _MAX_BYTES or clock() > deadline:
            raise _Unavailable("its answer is too long or too slow")
    return bytes(body)


def _json(status: int, body: bytes) -> Any:
    if status != 200:
        return None
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _Unavailable("its answer is no JSON") from error


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds the service asks to wait; dates are left to the usual pause."""
    value = response.headers.get("retry-after", "").strip()
    return min(float(value), 3600.0) if value.isdecimal() else None
