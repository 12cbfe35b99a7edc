"""Marks on papers whose index entries may be out of date.

A change of a paper and the change of its entries are two commits. The mark is set before the first and taken
away after the second, so that whoever comes after a crash knows which entries to make anew. A new paper needs
none: it is missing from the index.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from vectree.store.durable import discard, flush_folder
from vectree.store.identity import is_doc_id
from vectree.store.layout import INDEX

_FOLDER = "stale"


class StaleMarks:
    """The marks of one corpus; the caller holds the write lock.

    Args:
        root: The corpus folder.
    """

    def __init__(self, root: Path) -> None:
        self._folder = root / INDEX / _FOLDER

    def set(self, doc_ids: Iterable[str]) -> None:
        """Mark papers.

        Args:
            doc_ids: Papers that are about to change.
        """
        wanted = list(doc_ids)
        if wanted:
            self._folder.mkdir(parents=True, exist_ok=True)
            for doc_id in wanted:
                (self._folder / doc_id).touch()
            flush_folder(self._folder)

    def list(self) -> frozenset[str]:
        """Which papers are marked.

        Returns:
            Their ids.
        """
        if not self._folder.is_dir():
            return frozenset()
        return frozenset(path.name for path in self._folder.iterdir() if is_doc_id(path.name))

    def clear(self, doc_ids: Iterable[str]) -> None:
        """Take marks away.

        Args:
            doc_ids: Papers whose entries are right again.
        """
        for doc_id in doc_ids:
            discard(self._folder / doc_id)
