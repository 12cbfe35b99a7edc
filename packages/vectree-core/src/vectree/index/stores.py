"""The one place where a word for an index becomes a vector store."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from vectree.errors import UsageError
from vectree.index.manifest import EXACT
from vectree.index.vector_store import VectorStore

CHROMA = "chroma:"
"""Begins the words for Chroma."""

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def resolve_store(index: str | VectorStore, root: Path) -> VectorStore | None:
    """Find the store that a caller asks for; nothing is opened yet.

    A relative folder is one from the current directory, and is recorded as seen from the corpus, so that both
    can be moved together; an absolute one is recorded as it is.

    Args:
        index: ``"exact"``, ``"chroma:PATH"``, ``"chroma:http://host:port"``, or a store, which is returned as
            it is.
        root: The corpus folder, absolute.

    Returns:
        The store; ``None`` for an index that keeps its vectors itself.

    Raises:
        UsageError: If there is no index of that name.
    """
    if not isinstance(index, str):
        return index
    if index == EXACT:
        return None
    if not index.startswith(CHROMA) or not (place := index.removeprefix(CHROMA).strip()):
        raise UsageError(
            f"Unknown index {index!r}; there are 'exact', 'chroma:PATH' and 'chroma:http://host:port'."
        )
    if "://" in place:
        return _server(place)
    typed = Path(place).expanduser()
    recorded = typed if typed.is_absolute() else Path(_seen_from(root, typed.absolute()))
    return _folder(root, recorded.as_posix())


def recorded_store(word: str, root: Path) -> VectorStore | None:
    """Find the store that a corpus names.

    Args:
        word: From ``corpus.json``.
        root: The corpus folder, absolute.

    Returns:
        The store; ``None`` for an index that keeps its vectors itself.

    Raises:
        UsageError: If the word stands for an object, which has to be passed in, or for a server on another
            machine, which has to be named: a folder from someone else must not open connections by itself.
    """
    if word == EXACT:
        return None
    place = word.removeprefix(CHROMA)
    if not word.startswith(CHROMA):
        raise UsageError(
            f"The index of the corpus lies in a vector store of your own, {word!r}.",
            hint="Pass it in: Corpus.open(path, index=…). Or move the index: vectree reindex --index exact.",
        )
    if "://" not in place:
        return _folder(root, place)
    if urlsplit(place).hostname not in _LOOPBACK:
        raise UsageError(
            f"The index of the corpus lies on another machine: {word!r}.",
            hint=f"Allow the connection by naming it: --index {word}, or VECTREE_INDEX.",
        )
    return _server(place)


def is_recorded(store: VectorStore | None, word: str, root: Path) -> bool:
    """Whether a store is the one that a corpus names.

    Args:
        store: What a caller brings; ``None`` for an index that keeps its vectors itself.
        word: From ``corpus.json``.
        root: The corpus folder, absolute.

    Returns:
        True for the same word, and for the same folder by another name.
    """
    if word == word_of(store):
        return True
    folder = getattr(store, "folder", None)
    if not isinstance(folder, Path) or not word.startswith(CHROMA) or "://" in word:
        return False
    return os.path.realpath(folder) == os.path.realpath(root / word.removeprefix(CHROMA))


def word_of(store: VectorStore | None) -> str:
    """What ``corpus.json`` records of a store.

    Args:
        store: A store, or ``None`` for an index that keeps its vectors itself.

    Returns:
        Its word, or `EXACT`.
    """
    return EXACT if store is None else store.word


def _folder(root: Path, recorded: str) -> VectorStore:
    from vectree.index.chroma import ChromaFolder

    return ChromaFolder(Path(os.path.normpath(root / recorded)), CHROMA + recorded)


def _server(url: str) -> VectorStore:
    from vectree.index.chroma import ChromaServer

    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"{url!r} is no address of a server: {error}.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.path.strip("/"):
        raise UsageError(
            f"{url!r} is no address of a Chroma server.",
            hint="It reads http://host:port, without a user name or a path; 'chroma run' prints it.",
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return ChromaServer(f"{parts.scheme}://{host}{f':{port}' if port else ''}")


def _seen_from(root: Path, folder: Path) -> str:
    try:
        return os.path.relpath(folder, root)
    except ValueError:  # another drive, on Windows
        return str(folder)
