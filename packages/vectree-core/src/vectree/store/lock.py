"""One writer at a time. Readers never ask for the lock."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from vectree.errors import CorpusLocked, StoreError
from vectree.store.layout import LOCK

LOCK_SECONDS = 10.0


@contextmanager
def write_lock(root: Path, *, timeout: float = LOCK_SECONDS) -> Generator[None]:
    """Hold the right to write to a corpus.

    The system releases the lock when a process dies, however it dies: there is nothing to clean up by hand.

    Args:
        root: The corpus folder; it must exist.
        timeout: Seconds to wait for another writer.

    Yields:
        None: The lock is held inside the block.

    Raises:
        CorpusLocked: If another writer still holds it after ``timeout``.
        StoreError: If the folder cannot be written to.
    """
    import filelock  # it loads asyncio, which readers do not need

    lock = filelock.FileLock(root / LOCK, timeout=timeout)
    try:
        lock.acquire()
    except filelock.Timeout as error:
        raise CorpusLocked(
            f"Another process is writing to the corpus {root.name!r} (waited {timeout:g} s).",
            hint="Wait until it has ended, then try again; reading works meanwhile.",
        ) from error
    except (OSError, NotImplementedError) as error:
        raise StoreError(
            f"The corpus {root.name!r} cannot be locked for writing: {error}.",
            hint="Check the permissions of the folder and the space on the disk.",
        ) from error
    try:
        yield
    finally:
        lock.release()
