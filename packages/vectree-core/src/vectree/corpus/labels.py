"""How a file becomes a source: the label of a folder, and the path below it.

A source must be the same string on every run, must not be an absolute path, and must not confuse two folders
that have the same name. So each folder that papers were added from has a label in ``corpus.json``, and is
known again by hashes of its path. A folder below a labelled one needs no label of its own.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from vectree.store.manifest import FolderMark


class Labels:
    """The labelled folders of a corpus, old ones and those met in this run.

    Args:
        root: The corpus folder.
        known: Labels from ``corpus.json``.
    """

    def __init__(self, root: Path, known: Mapping[str, FolderMark]) -> None:
        self._root = Path(os.path.realpath(root))
        self._marks = dict(known)
        self._found: dict[Path, str | None] = {}

    @property
    def marks(self) -> dict[str, FolderMark]:
        """All labels, to be kept in ``corpus.json``."""
        return dict(self._marks)

    def source(self, file: Path, *, within: Path) -> str:
        """Name a file.

        Args:
            file: A file in ``within`` or below it.
            within: An absolute folder without links in its path; it gets a label unless it lies below one
                that has one.

        Returns:
            Label and path below the labelled folder, with ``/`` between; undecodable bytes are escaped.
        """
        for folder in file.parents:
            label = self._label(folder)
            if label is not None:
                return _printable(str(PurePosixPath(label, *file.relative_to(folder).parts)))
        self._found[within] = label = self._new_label(within)
        return _printable(str(PurePosixPath(label, *file.relative_to(within).parts)))

    def prefix(self, folder: Path, *, within: Path) -> str:
        """What the sources of a folder's files begin with.

        Args:
            folder: ``within`` or a folder below it.
            within: As for ``source``.

        Returns:
            For example ``"papers/2024/"``.
        """
        return self.source(folder / "x", within=within)[:-1]

    def _label(self, folder: Path) -> str | None:
        if folder not in self._found:
            self._found[folder] = self._known_label(self._mark(folder))
        return self._found[folder]

    def _known_label(self, mark: FolderMark) -> str | None:
        same_place = (label for label, known in self._marks.items() if known.absolute == mark.absolute)
        moved_along = (label for label, known in self._marks.items() if known.relative == mark.relative)
        label = next(same_place, None) or next(moved_along, None)
        if label is not None:
            self._marks[label] = mark
        return label

    def _new_label(self, folder: Path) -> str:
        name = _printable(folder.name) or "root"
        label, number = name, 1
        while label in self._marks:
            number += 1
            label = f"{name}-{number}"
        self._marks[label] = self._mark(folder)
        return label

    def _mark(self, folder: Path) -> FolderMark:
        try:
            relative = os.path.relpath(folder, self._root)
        except ValueError:  # another drive, on Windows
            relative = str(folder)
        return FolderMark(absolute=_hash(str(folder)), relative=_hash(relative))


def _hash(path: str) -> str:
    return hashlib.blake2b(os.fsencode(path), digest_size=8).hexdigest()


def _printable(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "backslashreplace")
