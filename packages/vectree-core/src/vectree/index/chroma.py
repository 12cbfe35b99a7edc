"""Vectors in Chroma, embedded in a folder or behind a server (extra ``chroma``).

What was learnt of Chroma 1.5 and is seen to here: cosine has to be asked for; two collections cost nothing where
a filter on metadata costs more than the search; telemetry is on unless turned off; the client waits for a server
for ever; and an embedded client searches only what its own process has written or found when it was opened, so
that it is opened anew when another process has written.
"""

from __future__ import annotations

import random
import threading
import weakref
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from vectree._extras import require
from vectree.index.chroma_answers import CONNECT_TIMEOUT, TIMEOUT, within
from vectree.index.chroma_space import ChromaSpace, Client

_ALIAS_PARTS = 48


class ChromaFolder:
    """Chroma embedded in this process, in a folder.

    Args:
        folder: Absolute path; made by the first `put`.
        word: What ``corpus.json`` records.
    """

    def __init__(self, folder: Path, word: str) -> None:
        self.folder = folder
        self._word = word
        self._lock = threading.RLock()
        self._client: Client | None = None

    @property
    def word(self) -> str:
        """What ``corpus.json`` records."""
        return self._word

    def space(self, name: str, dimension: int) -> ChromaSpace:
        """Name a space; nothing is opened yet.

        Args:
            name: Its collections begin with it.
            dimension: Chroma learns it from the first vector.

        Returns:
            The space.
        """
        del dimension
        return ChromaSpace(self, name)

    @property
    def place(self) -> str:
        """What errors call it."""
        return f"Chroma in {str(self.folder)!r}"

    def exists(self) -> bool:
        """Whether there is anything to read."""
        return self.folder.is_dir()

    def turn(self) -> AbstractContextManager[object]:
        """One caller at a time: a client must not be replaced while another thread uses it."""
        return self._lock

    def client(self) -> Client:
        """The open client; opened if there is none.

        Returns:
            The client.
        """
        if self._client is None:
            chromadb = _chromadb()
            # Chroma shares clients of one path within a process, and with them what they do not see. A path
            # that is spelt as nobody else does is a client of our own.
            spelling = "".join(random.SystemRandom().choices(("/.", "/"), k=_ALIAS_PARTS))
            client = chromadb.PersistentClient(str(self.folder) + spelling, settings=_settings())
            weakref.finalize(self, client.close)
            self._client = client
        return self._client

    def renew(self) -> None:
        """Close the client, so that the next one sees what other processes have written."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None


class ChromaServer:
    """Chroma behind a server, as ``chroma run --path DIR --port N`` starts one.

    Args:
        url: ``http://host:port`` or ``https://…``.
    """

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._lock = threading.Lock()
        self._client: Client | None = None

    @property
    def word(self) -> str:
        """What ``corpus.json`` records."""
        return f"chroma:{self.url}"

    def space(self, name: str, dimension: int) -> ChromaSpace:
        """Name a space; the server is not asked yet.

        Args:
            name: Its collections begin with it.
            dimension: Chroma learns it from the first vector.

        Returns:
            The space.
        """
        del dimension
        return ChromaSpace(self, name)

    @property
    def place(self) -> str:
        """What errors call it."""
        return f"the Chroma server at {self.url}"

    def exists(self) -> bool:
        """Whether there is anything to read; a server always has to be asked."""
        return True

    def turn(self) -> AbstractContextManager[object]:
        """Its client may be used by many threads."""
        return nullcontext()

    def client(self) -> Client:
        """The connected client.

        Returns:
            The client; `VectorStoreUnavailable` comes if the server does not answer in time.
        """
        with self._lock:
            if self._client is None:
                _chromadb()  # loading it takes its time on a busy machine, which is not the server's
                self._client = within(CONNECT_TIMEOUT, self._connect, self.place)
            return self._client

    def renew(self) -> None:
        """A server sees everything that was written through it."""

    def _connect(self) -> Client:
        import httpx

        parts = urlsplit(self.url)
        secure = parts.scheme == "https"
        port = parts.port or (443 if secure else 80)
        client = _chromadb().HttpClient(
            host=parts.hostname or "", port=port, ssl=secure, settings=_settings()
        )
        weakref.finalize(self, client.close)
        for holder in (client, getattr(client, "_admin_client", None)):
            session = getattr(getattr(holder, "_server", None), "_session", None)
            if isinstance(session, httpx.Client):
                session.timeout = httpx.Timeout(TIMEOUT, connect=CONNECT_TIMEOUT)
                weakref.finalize(self, session.close)  # Chroma's own close leaves it open
        return client


def _chromadb() -> Any:
    return require("chromadb", extra="chroma")


def _settings() -> Any:
    return require("chromadb.config", extra="chroma").Settings(anonymized_telemetry=False)
