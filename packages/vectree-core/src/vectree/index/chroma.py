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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import urlsplit

import numpy as np

from vectree._extras import require
from vectree.errors import VectorStoreError, VectorStoreUnavailable, VecTreeError
from vectree.index.embedder import Vectors
from vectree.index.entry_keys import is_whole
from vectree.index.vector_store import Neighbours, StoredEntry

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

T = TypeVar("T")

TIMEOUT = 30.0
"""Seconds that a server may take for one answer."""

CONNECT_TIMEOUT = 5.0
"""Seconds that it may take to be reached."""

_CONFIGURATION = {"hnsw": {"space": "cosine", "ef_construction": 200, "ef_search": 200}}
_PAGE = 5_000
"""Entries in one call; Chroma takes 5,461 at most."""

_KINDS = ("documents", "sections")
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
        self._client: ClientAPI | None = None

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

    def client(self) -> ClientAPI:
        """The open client; opened if there is none.

        Returns:
            The client.
        """
        if self._client is None:
            chromadb = _chromadb()
            # Chroma shares clients of one path within a process, and with them what they do not see. A path
            # that is spelt as nobody else does is a client of our own.
            spelling = "".join(random.SystemRandom().choices(("/.", "/"), k=_ALIAS_PARTS))
            self._client = chromadb.PersistentClient(str(self.folder) + spelling, settings=_settings())
            weakref.finalize(self, self._client.close)
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
        self._client: ClientAPI | None = None

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

    def client(self) -> ClientAPI:
        """The connected client.

        Returns:
            The client; `VectorStoreUnavailable` comes if the server does not answer in time.
        """
        with self._lock:
            if self._client is None:
                self._client = _within(CONNECT_TIMEOUT, self._connect, self.place)
            return self._client

    def renew(self) -> None:
        """A server sees everything that was written through it."""

    def _connect(self) -> ClientAPI:
        import httpx

        parts = urlsplit(self.url)
        secure = parts.scheme == "https"
        port = parts.port or (443 if secure else 80)
        client = _chromadb().HttpClient(
            host=parts.hostname or "", port=port, ssl=secure, settings=_settings()
        )
        session = getattr(getattr(client, "_server", None), "_session", None)
        if isinstance(session, httpx.Client):
            session.timeout = httpx.Timeout(TIMEOUT, connect=CONNECT_TIMEOUT)
        weakref.finalize(self, client.close)
        return client


class ChromaSpace:
    """One build of an index in Chroma: a collection of document entries and one of section entries.

    Args:
        owner: Where it lies.
        name: Name of the space.
    """

    gives_vectors = True

    def __init__(self, owner: ChromaFolder | ChromaServer, name: str) -> None:
        self._owner = owner
        self._name = name
        self._outdated = False
        self._opened: dict[str, tuple[ClientAPI, Collection]] = {}

    def put(self, entries: Sequence[StoredEntry]) -> None:
        """Add entries.

        Args:
            entries: At least one.
        """
        with self._asked():
            for kind, whole in zip(_KINDS, (True, False), strict=True):
                chosen = [entry for entry in entries if entry.whole == whole]
                if not chosen:
                    continue
                collection = self._collection(kind) or self._create(kind)
                for page in _pages(chosen):
                    collection.upsert(
                        ids=[entry.key for entry in page],
                        embeddings=np.stack([entry.vector for entry in page]),
                    )

    def delete(self, keys: Sequence[str]) -> None:
        """Delete entries.

        Args:
            keys: At least one.
        """
        with self._asked():
            for collection, chosen in self._split(keys):
                for page in _pages(chosen):
                    collection.delete(ids=list(page))

    def nearest(self, query: Vectors, depth: int) -> Neighbours:
        """Propose entries from both collections.

        Args:
            query: Shape (dimension,), norm 1.
            depth: Most entries to propose.

        Returns:
            The nearest by Chroma's graph.
        """
        keys: list[str] = []
        distances: list[float] = []
        with self._asked():
            for collection in self._collections():
                found = collection.query(query_embeddings=query[None], n_results=depth, include=["distances"])
                keys += found["ids"][0]
                distances += (found["distances"] or [[]])[0]
        similarities = 1 - np.array(distances, dtype=np.float32)
        best = np.argsort(-similarities, kind="stable")[:depth]
        return Neighbours(keys=[keys[place] for place in best.tolist()], similarities=similarities[best])

    def vectors(self, keys: Sequence[str]) -> Mapping[str, Vectors]:
        """Give vectors back.

        Args:
            keys: Any number.

        Returns:
            Those that are there.
        """
        try:
            return self._get(keys)
        except VectorStoreUnavailable:
            raise
        except VectorStoreError:
            # An embedded client knows the id of what another process wrote, but not yet its vector.
            self._outdated = True
            return self._get(keys)

    def count(self) -> int:
        """Count the entries.

        Returns:
            Of both collections.
        """
        with self._asked():
            return sum(collection.count() for collection in self._collections())

    def keys(self) -> Sequence[str]:
        """List the entries.

        Returns:
            Their keys.
        """
        found: list[str] = []
        with self._asked():
            for collection in self._collections():
                for offset in range(0, collection.count(), _PAGE):
                    found += collection.get(limit=_PAGE, offset=offset, include=[])["ids"]
        return found

    def notice(self, keys: Sequence[str]) -> None:
        """Open an embedded client anew before it is used again.

        Args:
            keys: Not needed.
        """
        del keys
        self._outdated = True

    def drop(self) -> None:
        """Delete both collections."""
        with self._asked():
            for collection in self._collections():
                self._owner.client().delete_collection(collection.name)
            self._opened.clear()

    def _get(self, keys: Sequence[str]) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        with self._asked():
            for collection, chosen in self._split(keys):
                for page in _pages(chosen):
                    got = collection.get(ids=list(page), include=["embeddings"])
                    vectors = np.asarray(got["embeddings"], dtype=np.float32)
                    found.update(zip(got["ids"], vectors, strict=True))
        return found

    def _split(self, keys: Sequence[str]) -> Iterator[tuple[Collection, list[str]]]:
        for kind, whole in zip(_KINDS, (True, False), strict=True):
            chosen = [key for key in keys if is_whole(key) == whole]
            if chosen and (collection := self._collection(kind)) is not None:
                yield collection, chosen

    def _collections(self) -> list[Collection]:
        found = [self._collection(kind) for kind in _KINDS]
        return [collection for collection in found if collection is not None]

    def _collection(self, kind: str) -> Collection | None:
        """One of the two collections; looked up once for each client."""
        if not self._owner.exists():
            return None
        from chromadb.errors import NotFoundError

        client = self._owner.client()
        opened_by, collection = self._opened.get(kind, (None, None))
        if opened_by is not client or collection is None:
            try:
                collection = client.get_collection(f"{self._name}-{kind}", embedding_function=None)
            except NotFoundError:
                return None
            self._opened[kind] = client, collection
        return collection

    def _create(self, kind: str) -> Collection:
        return self._owner.client().get_or_create_collection(
            f"{self._name}-{kind}", configuration=cast("Any", _CONFIGURATION), embedding_function=None
        )

    @contextmanager
    def _asked(self) -> Iterator[None]:
        """One exchange with Chroma, its errors in our words."""
        with self._owner.turn():
            if self._outdated:
                self._owner.renew()
                self._outdated = False
            try:
                yield
            except VecTreeError:
                raise
            except Exception as error:
                raise _in_our_words(error, self._owner.place) from error


def _in_our_words(error: Exception, place: str) -> VectorStoreError:
    import httpx

    hint = "Start it (chroma run --path DIR --port N), or move the index: vectree reindex --index exact."
    if isinstance(error, httpx.TimeoutException):
        return VectorStoreUnavailable(f"{_capital(place)} did not answer within {TIMEOUT:.0f} s.", hint=hint)
    if isinstance(error, (httpx.TransportError, ConnectionError)):
        return VectorStoreUnavailable(f"{_capital(place)} cannot be reached: {error}", hint=hint)
    said = " ".join(str(error).split())[:300] or type(error).__name__
    if "Could not connect to a Chroma server" in said:
        return VectorStoreUnavailable(f"{_capital(place)} cannot be reached.", hint=hint)
    return VectorStoreError(
        f"{_capital(place)} answered: {said}", hint="If it does not pass: vectree reindex --index exact."
    )


def _within(seconds: float, call: Callable[[], T], place: str) -> T:
    """Call in a thread that may be left behind: Chroma waits for ever for a server that accepts and is silent."""
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
        raise _in_our_words(errors[0], place) if not isinstance(errors[0], VecTreeError) else errors[0]
    if not results:
        raise VectorStoreUnavailable(
            f"{_capital(place)} did not answer within {seconds:.0f} s.",
            hint="Look whether it is overloaded, or move the index: vectree reindex --index exact.",
        )
    return results[0]


def _chromadb() -> Any:
    return require("chromadb", extra="chroma")


def _settings() -> Any:
    return require("chromadb.config", extra="chroma").Settings(anonymized_telemetry=False)


def _pages(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for begin in range(0, len(items), _PAGE):
        yield items[begin : begin + _PAGE]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
