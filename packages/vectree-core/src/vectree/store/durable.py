"""The few ways this package changes a disk. Everything else in the store is built of these.

A write counts only once it cannot be lost: bytes are flushed before the rename that makes them visible, and
the folder that holds the new name is flushed after it. Every change becomes visible by one rename.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import time
from collections.abc import Callable
from pathlib import Path

_ATTEMPTS = 20
_PAUSE = 0.02


def write_new(path: Path, data: bytes) -> None:
    """Create a file and flush it to the disk.

    Args:
        path: A name that does not exist yet; not as a link either.
        data: Its content.
    """
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def replace_file(path: Path, data: bytes, *, scratch: Path) -> None:
    """Give a file new content: readers see the old bytes or the new ones, never a mixture.

    Args:
        path: The file; it need not exist.
        data: Its new content.
        scratch: A folder on the same file system for the copy in the making.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    copy = scratch / f"file-{secrets.token_hex(8)}"
    write_new(copy, data)
    _patiently(lambda: os.replace(copy, path))
    flush_folder(path.parent)


def move(source: Path, target: Path) -> None:
    """Rename a folder; after the return the new name survives a power cut.

    Args:
        source: A folder.
        target: A name that does not exist, on the same file system.
    """
    _patiently(lambda: os.rename(source, target))
    flush_folder(target.parent)
    flush_folder(source.parent)


def _patiently(rename: Callable[[], None]) -> None:
    """Rename what a reader may hold open for a moment, which Windows refuses."""
    for _ in range(_ATTEMPTS):
        try:
            return rename()
        except PermissionError:
            if os.name != "nt":
                raise
            time.sleep(_PAUSE)
    return rename()


def flush_tree(folder: Path) -> None:
    """Flush every file of a folder, then the folder itself, deepest first.

    Args:
        folder: A folder that nobody else writes to.
    """
    for parent, _, names in os.walk(folder, topdown=False):
        for name in names:
            with open(Path(parent) / name, "rb+") as file:
                os.fsync(file.fileno())
        flush_folder(Path(parent))


def flush_folder(folder: Path) -> None:
    """Flush the names of a folder, where the system lets a folder be opened (Windows does not).

    Args:
        folder: An existing folder.
    """
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def discard(path: Path) -> None:
    """Delete a file or folder that nobody needs; a link is deleted, never followed.

    What cannot be deleted now (on Windows a reader may hold it open) is left for the next sweep.

    Args:
        path: What to delete; it need not exist.
    """
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()
