"""Which files the paths of an ``add`` stand for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from vectree.corpus.labels import Labels
from vectree.corpus.reports import FailedSource
from vectree.errors import UsageError

SUFFIX = ".pdf"

_HEADER = b"%PDF-"
_HEADER_WITHIN = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file to add.

    Attributes:
        path: Where it is now.
        source: What it is called in the corpus.
    """

    path: Path
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What was found.

    Attributes:
        files: Each file once, in the order of the paths, folders sorted by name.
        failed: Files named explicitly that cannot be added, and folders that cannot be opened.
    """

    files: tuple[SourceFile, ...]
    failed: tuple[FailedSource, ...]


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
        raise UsageError("There is nothing to add.", hint="Name at least one PDF or folder of PDFs.")
    for path in found:
        if not _exists(path):
            raise UsageError(
                f"There is no file or folder {str(path)!r}.", hint="Check the path; nothing was changed."
            )
    return found


def find_sources(paths: Iterable[Path], *, labels: Labels, corpus: Path) -> Sources:
    """Find the files to add: the PDFs of folders, at any depth, and files named explicitly.

    In folders, hidden files and folders, files of other kinds and the corpus itself are passed over; a folder
    that links lead to twice is visited once. A file named explicitly may have any name, if it begins like a
    PDF.

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
    return Sources(files=tuple(search.files.values()), failed=tuple(search.failed))


class _Search:
    def __init__(self, labels: Labels, corpus: Path) -> None:
        self._labels = labels
        self._visited = {key for folder in (corpus,) if (key := _identity(folder)) is not None}
        self.files: dict[str, SourceFile] = {}
        self.failed: list[FailedSource] = []

    def file(self, path: Path) -> None:
        source = self._labels.source(path, within=path.parent)
        reason = _why_not(path)
        if reason:
            self.failed.append(FailedSource(source=source, reason=reason))
        else:
            self.files.setdefault(source, SourceFile(path=path, source=source))

    def folder(self, top: Path) -> None:
        waiting = [top]
        while waiting:
            folder = waiting.pop()
            identity = _identity(folder)
            if identity is None or identity in self._visited:
                continue
            self._visited.add(identity)
            below = list(self._children(folder, top))
            for path in below:
                if not path.is_dir():
                    source = self._labels.source(path, within=top)
                    self.files.setdefault(source, SourceFile(path=path, source=source))
            waiting.extend(reversed([path for path in below if path.is_dir()]))

    def _children(self, folder: Path, top: Path) -> Iterator[Path]:
        try:
            with os.scandir(folder) as entries:
                found = sorted(entry.name for entry in entries if not _is_hidden(entry.name))
        except OSError as error:
            source = self._labels.source(folder, within=top) if folder != top else folder.name
            self.failed.append(
                FailedSource(source=source, reason=f"The folder cannot be opened: {error.strerror}.")
            )
            return
        for name in found:
            path = folder / name
            if path.is_dir() or (path.suffix.lower() == SUFFIX and path.is_file()):
                yield path


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and not name.startswith("..")


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


def _why_not(path: Path) -> str:
    if not path.is_file():
        return "It is neither a file nor a folder."
    if path.suffix.lower() == SUFFIX:
        return ""
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER_WITHIN)
    except OSError as error:
        return f"It cannot be read: {error.strerror or error}."
    return "" if _HEADER in head else "It is not a PDF, and no other format can be added."
