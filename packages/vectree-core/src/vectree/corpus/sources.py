"""Which files the paths of an ``add`` stand for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from vectree.corpus.labels import Labels
from vectree.corpus.reports import FailedSource
from vectree.errors import ParseError, UsageError
from vectree.ingest.parsers.converted.available import converters_missing
from vectree.ingest.parsers.formats import (
    CONVERTED,
    READABLE,
    Format,
    format_of,
    format_of_named,
    is_housekeeping,
)
from vectree.ingest.parsers.part import BrokenPart, Part
from vectree.ingest.parsers.parts import parts_of

PART_MARK = "#"
"""Between the source of a file and the name of a document in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file to add, or one document of a file that holds many.

    Attributes:
        path: Where the file is now.
        source: What it is called in the corpus; ``file#key`` for a document of a file that holds many.
        part: The document, where the file holds many.
    """

    path: Path
    source: str
    part: Part | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What was found.

    Attributes:
        files: Each file once, in the order of the paths, folders sorted by name.
        failed: Files named explicitly that cannot be added, documents of a file that cannot be read, and
            folders that cannot be opened.
        folders: Every folder that was searched, with what its files' sources begin with.
        containers: Sources of files that hold many documents and were taken apart to their end.
        warnings: Sentences for the user.
    """

    files: tuple[SourceFile, ...]
    failed: tuple[FailedSource, ...]
    folders: tuple[tuple[Path, str], ...] = ()
    containers: frozenset[str] = frozenset()
    warnings: tuple[str, ...] = ()


def check_paths(paths: Iterable[str | os.PathLike[str]]) -> tuple[Path, ...]:
    """Make sure that all paths exist, before anything is done about any of them.

    Args:
        paths: Files and folders.

    Returns:
        The same as paths.

    Raises:
        UsageError: If there are none, or one does not exist.
    """
    found = tuple(Path(path) for path in paths)
    if not found:
        raise UsageError("There is nothing to add.", hint="Name at least one file or folder.")
    for path in found:
        if not _exists(path):
            raise UsageError(
                f"There is no file or folder {str(path)!r}.", hint="Check the path; nothing was changed."
            )
    return found


def find_sources(paths: Iterable[Path], *, labels: Labels, corpus: Path) -> Sources:
    """Find the files to add: those of folders, at any depth, and files named explicitly.

    In folders, hidden files and folders, READMEs and their like, files of other kinds and the corpus itself
    are passed over; a folder
    that links lead to twice is visited once. A file named explicitly may have any name, if it begins like a
    file that can be read.

    Args:
        paths: Existing files and folders.
        labels: Names the sources.
        corpus: The corpus folder.

    Returns:
        Files and failures.
    """
    search = _Search(labels, Path(os.path.realpath(corpus)))
    for path in paths:
        if path.is_dir():
            search.folder(Path(os.path.realpath(path)))
        else:
            search.file(Path(os.path.realpath(path.parent)) / path.name)
    return search.found()


class _Search:
    def __init__(self, labels: Labels, corpus: Path) -> None:
        self._labels = labels
        self._visited = {key for folder in (corpus,) if (key := _identity(folder)) is not None}
        self._files: dict[str, SourceFile] = {}
        self._failed: list[FailedSource] = []
        self._folders: list[tuple[Path, str]] = []
        self._containers: set[str] = set()
        self._passed_over = 0

    def found(self) -> Sources:
        warnings: tuple[str, ...] = ()
        if self._passed_over:
            warnings = (
                f"{self._passed_over} HTML and DOCX files were passed over; to read them: "
                'pip install "vectree-core[docs]".',
            )
        return Sources(
            files=tuple(self._files.values()),
            failed=tuple(self._failed),
            folders=tuple(self._folders),
            containers=frozenset(self._containers),
            warnings=warnings,
        )

    def file(self, path: Path) -> None:
        source = self._labels.source(path, within=path.parent)
        try:
            kind = format_of_named(path) if path.is_file() else None
        except OSError as error:
            self._fail(source, f"It cannot be read: {error.strerror or error}.")
            return
        if kind is not None:
            self._take(path, source, kind)
        elif path.is_file():
            self._fail(source, f"It is of no kind that can be read, which are {READABLE}.")
        else:
            self._fail(source, "It is neither a file nor a folder.")

    def folder(self, top: Path) -> None:
        waiting = [top]
        while waiting:
            folder = waiting.pop()
            identity = _identity(folder)
            if identity is None or identity in self._visited:
                continue
            self._visited.add(identity)
            self._folders.append((folder, self._labels.prefix(folder, within=top)))
            below = [folder / name for name in self._names(folder, top)]
            folders = [path for path in below if path.is_dir()]
            for path in below:
                if path in folders or not path.is_file() or is_housekeeping(path):
                    continue
                if (kind := format_of(path)) is not None:
                    self._meet(path, self._labels.source(path, within=top), kind)
            waiting.extend(reversed(folders))

    def _meet(self, path: Path, source: str, kind: Format) -> None:
        """Take a file of a folder, unless nothing here can read its kind."""
        if kind in CONVERTED and converters_missing():
            self._passed_over += 1
        else:
            self._take(path, source, kind)

    def _take(self, path: Path, source: str, kind: Format) -> None:
        try:
            parts = parts_of(path, kind)
            if parts is None:
                self._files.setdefault(source, SourceFile(path=path, source=source))
                return
            for part in parts:
                name = f"{source}{PART_MARK}{part.key}"
                if isinstance(part, BrokenPart):
                    self._fail(name, part.reason)
                else:
                    self._files.setdefault(name, SourceFile(path=path, source=name, part=part))
            self._containers.add(source)
        except ParseError as error:
            self._fail(source, str(error))

    def _names(self, folder: Path, top: Path) -> list[str]:
        try:
            with os.scandir(folder) as entries:
                return sorted(entry.name for entry in entries if not _is_hidden(entry.name))
        except OSError as error:
            source = self._labels.source(folder, within=top) if folder != top else folder.name
            self._fail(source, f"The folder cannot be opened: {error.strerror}.")
            return []

    def _fail(self, source: str, reason: str) -> None:
        self._failed.append(FailedSource(source=source, reason=reason))


def _is_hidden(name: str) -> bool:
    """Hidden files, and the lock files that Word leaves beside an open document."""
    return (name.startswith(".") and not name.startswith("..")) or name.startswith("~$")


def _exists(path: Path) -> bool:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
    return True


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
