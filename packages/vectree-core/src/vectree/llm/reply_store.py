"""Replies in a folder, one small JSON file each, under the hash of their request."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import tempfile
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from vectree.errors import StoreError
from vectree.llm.chat import Reply

_REPLY = TypeAdapter(Reply)
_log = logging.getLogger(__name__)


class ReplyStore:
    """A folder of replies, safe for many threads and processes: a file is there wholly or not at all.

    Args:
        folder: Created with the first reply.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> Reply | None:
        """Read a reply.

        Args:
            key: Hash of its request.

        Returns:
            The reply; ``None`` if there is none, or its file is damaged.
        """
        try:
            written = json.loads(self._path(key).read_bytes())
            return _REPLY.validate_python(written["reply"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            _log.warning(
                "the kept reply %s cannot be read and is asked for anew: %s", key[:12], type(error).__name__
            )
            return None

    def put(self, key: str, reply: Reply, *, request: dict[str, Any] | None = None) -> None:
        """Keep a reply, in place of one that may be there.

        Args:
            key: Hash of its request.
            reply: The reply.
            request: The request as plain JSON, for people to read; left out to save space.

        Raises:
            StoreError: If the folder cannot be written to.
        """
        content: dict[str, Any] = {"reply": _REPLY.dump_python(reply, mode="json")}
        if request is not None:
            content["request"] = request
        try:
            write_json(self._path(key), content)
        except OSError as error:
            raise StoreError(
                f"Cannot keep a model's reply in {str(self.folder)!r}: {error.strerror or error}.",
                hint="Free some space, or choose a folder that can be written to.",
            ) from error

    def drop(self, key: str) -> None:
        """Remove a reply if it is there.

        Args:
            key: Hash of its request.
        """
        with contextlib.suppress(OSError):
            self._path(key).unlink()

    def __len__(self) -> int:
        return sum(1 for _ in self.folder.glob("??/*.json"))

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a file so that readers see the old content or the new, never a part.

    Args:
        path: The file; its folder is created.
        content: Plain JSON.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            json.dump(content, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)  # still there only if something failed
