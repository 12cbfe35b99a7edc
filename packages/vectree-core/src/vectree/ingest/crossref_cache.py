"""Answers of a bibliographic service on disk, one small file each; that there is no record is kept too."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

_log = logging.getLogger(__name__)

NEGATIVE_DAYS = 30
"""After so many days a record that was missing is asked for again."""

_DAY = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """An answer.

    Attributes:
        answer: JSON as the service sent it; ``None`` if it had no record.
    """

    answer: Any


class AnswerCache:
    """A folder of answers, safe for many threads and processes.

    Args:
        folder: Created with the first answer.
        now: Stands in for ``time.time`` in tests.
    """

    def __init__(self, folder: Path, *, now: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._now = now

    def get(self, key: str) -> KeptAnswer | None:
        """Find an answer.

        Args:
            key: The question.

        Returns:
            The answer; ``None`` if the question was not asked, its file is damaged, or the record may exist
            by now.
        """
        try:
            written: Any = json.loads(self._path(key).read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(written, dict) or "answer" not in written:
            return None
        kept = cast("dict[str, Any]", written)
        asked = kept.get("asked")
        if kept["answer"] is None:
            old = not isinstance(asked, (int, float)) or self._now() - asked > NEGATIVE_DAYS * _DAY
            return None if old else KeptAnswer(answer=None)
        return KeptAnswer(answer=kept["answer"])

    def put(self, key: str, answer: Any) -> None:
        """Keep an answer; a disk that cannot be written to costs only the next request.

        Args:
            key: The question.
            answer: JSON, or ``None`` if there is no record.
        """
        path = self._path(key)
        copy = path.with_suffix(f".{secrets.token_hex(4)}.tmp")
        content = {"question": key, "asked": int(self._now()), "answer": answer}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(json.dumps(content), encoding="ascii")
            os.replace(copy, path)
        except OSError as error:
            _log.warning("an answer of a bibliographic service cannot be kept: %s", error.strerror)
        finally:
            with contextlib.suppress(OSError):
                copy.unlink()

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode('utf-8', 'replace')).hexdigest()}.json"
