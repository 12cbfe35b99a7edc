"""A file of JSON Lines that a run killed at any moment leaves fit to be taken up again.

Each row is one line, written with one call. What a killed process left of its last line is cut off by the
next one that writes, and skipped by all that read.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from vectree.errors import StoreError, UsageError

_TAIL = 1 << 20
_log = logging.getLogger(__name__)


class JsonLinesFile:
    """Lines on disk. Appending is safe from several threads; one process writes at a time.

    Args:
        path: The file; it need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    def lines(self) -> list[tuple[int, bytes]]:
        """Read the file.

        Returns:
            Number, from 1, and content of every line that is whole and not blank; none if there is no file.

        Raises:
            StoreError: If it cannot be read.
        """
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreError(f"{str(self.path)!r} cannot be read: {error.strerror or error}.") from error
        *lines, torn = data.split(b"\n")
        if torn:
            _log.warning("%s: the last line is incomplete and is skipped", self.path.name)
        return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]

    def append_line(self, line: bytes) -> None:
        """Write a line at the end.

        Args:
            line: Without its line end.

        Raises:
            StoreError: If the file cannot be written to.
        """
        line += b"\n"
        try:
            with self._lock, self.path.open("ab", buffering=0) as file:
                written = file.write(line)
                while written < len(line):
                    written += file.write(line[written:])
        except OSError as error:
            raise StoreError(f"{str(self.path)!r} cannot be written: {error.strerror or error}.") from error

    @contextmanager
    def writing(self) -> Generator[None]:
        """Be the one process that writes; cuts off a torn last line first.

        Yields:
            None: once the file is ready to be appended to.

        Raises:
            UsageError: If another process is writing.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(f"{self.path}.lock", timeout=0)
        try:
            lock.acquire()
        except Timeout as error:
            raise UsageError(
                f"Another run is writing to {str(self.path)!r}.", hint="Wait for it, or choose another file."
            ) from error
        try:
            self._cut_torn_line()
            yield
        finally:
            lock.release()

    def _cut_torn_line(self) -> None:
        try:
            with self.path.open("r+b") as file:
                size = file.seek(0, os.SEEK_END)
                end = size
                while end > 0:
                    start = max(0, end - _TAIL)
                    file.seek(start)
                    newline = file.read(end - start).rfind(b"\n")
                    if newline >= 0:
                        end = start + newline + 1
                        break
                    end = start
                if end < size:
                    file.truncate(end)
        except FileNotFoundError:
            return
