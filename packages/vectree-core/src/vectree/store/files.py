"""The papers of a corpus, read from files. Only records are cached, each while its file is the same."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, TypeVar

from vectree.document import Figure, Page, Record, SectionTree
from vectree.errors import CorpusDamaged, InvalidArguments, StoreError, UnknownDocument, UnknownFigure
from vectree.store.identity import is_doc_id
from vectree.store.json_files import decode
from vectree.store.layout import (
    ASIDE,
    FIGURE_FOLDER,
    FIGURES,
    PAGES,
    PAPERS,
    RECORD,
    REPORT,
    STAGING,
    TREE,
)
from vectree.store.plain_files import is_figure_name, open_plain

T = TypeVar("T")

MAX_FIGURE_BYTES = 256 << 20
"""No figure this package writes comes near it; a larger file is refused unread."""

_ATTEMPTS = 4
_Signature = tuple[int, int, int]


class PaperStore:
    """Read access to the papers of one corpus folder. Safe to use from several threads; never locks.

    Every call reads what is on disk at that moment, so a paper that another process commits is seen at once.
    While a paper is being replaced, the old one is read until the new one is in its place.

    Every method that takes a ``doc_id`` raises `UnknownDocument` if there is no such paper, `CorpusDamaged`
    if a file of it is missing, cut short or altered, and `StoreError` if a file cannot be read.

    Args:
        root: The corpus folder; it need not exist.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._papers = root / PAPERS
        self._staging = root / STAGING
        self._records: dict[str, tuple[_Signature, Record]] = {}
        self._lock = threading.Lock()

    def doc_ids(self) -> tuple[str, ...]:
        """List the papers.

        Returns:
            Every ``doc_id``, sorted.
        """
        # A paper that is being replaced is absent from `papers/` for a moment. Looking there before and after
        # `staging/` finds it in one of the three places.
        found = (
            self._listed(self._papers, "")
            | self._listed(self._staging, ASIDE)
            | self._listed(self._papers, "")
        )
        return tuple(sorted(found))

    def record(self, doc_id: str) -> Record:
        """Look up a paper.

        Args:
            doc_id: The paper.

        Returns:
            Its record.
        """
        if (known := self._known(doc_id)) is not None:
            return known
        with self._open(doc_id, RECORD) as file:
            signature = _signature(os.fstat(file.fileno()))
            data = file.read()
        record = self._decode(Record, data, doc_id, RECORD)
        if record.doc_id != doc_id:
            self._refuse(doc_id, RECORD, f"it belongs to the document {record.doc_id!r}")
        with self._lock:
            self._records[doc_id] = (signature, record)
        return record

    def records(self) -> tuple[Record, ...]:
        """Look up every paper; one that is removed meanwhile is left out.

        Returns:
            Records, sorted by ``doc_id``.
        """
        return tuple(
            record for doc_id in self.doc_ids() if (record := self._record_if_there(doc_id)) is not None
        )

    def tree(self, doc_id: str) -> SectionTree:
        """Read a section tree.

        Args:
            doc_id: The paper.

        Returns:
            Its tree.
        """
        return self._load(SectionTree, doc_id, TREE)

    def pages(self, doc_id: str, numbers: Collection[int] | None = None) -> tuple[Page, ...]:
        """Read pages. Lines of other pages are passed over unparsed, those after the last page wanted unread.

        Args:
            doc_id: The paper.
            numbers: Physical pages, from 1; ``None`` for all.

        Returns:
            The pages, each once, in page order.

        Raises:
            InvalidArguments: If a page does not exist.
        """
        total = self.record(doc_id).total_pages
        wanted = frozenset(range(1, total + 1) if numbers is None else numbers)
        absent = sorted(number for number in wanted if not 1 <= number <= total)
        if absent:
            raise InvalidArguments(
                f"{doc_id} has no page {absent[0]}; it has pages 1 to {total}.",
                hint="Ask for pages in that range.",
            )
        with self._open(doc_id, PAGES) as file:
            pages = tuple(self._wanted_pages(file, wanted, doc_id))
        if len(pages) < len(wanted):
            self._refuse(doc_id, PAGES, f"it ends before page {max(wanted)}")
        return pages

    def figures(self, doc_id: str) -> tuple[Figure, ...]:
        """List the recorded figures.

        Args:
            doc_id: The paper.

        Returns:
            Figures in the order they were recorded.
        """
        return self._load(tuple[Figure, ...], doc_id, FIGURES)

    def figure_bytes(self, doc_id: str, name: str) -> bytes:
        """Read a figure. Its name is looked up in the recorded list; no other name ever becomes a path.

        Args:
            doc_id: The paper.
            name: A recorded name.

        Returns:
            The file's bytes.

        Raises:
            UnknownFigure: If no figure has this name.
        """
        recorded = {figure.name for figure in self.figures(doc_id)}
        if name not in recorded:
            raise UnknownFigure(
                f"{doc_id} has no such figure; it has {len(recorded)}.",
                hint="Use a name listed for this document.",
            )
        if not is_figure_name(name):
            self._refuse(doc_id, FIGURES, "it lists a name that is no figure's")
        with self._open(doc_id, f"{FIGURE_FOLDER}/{name}") as file:
            if os.fstat(file.fileno()).st_size > MAX_FIGURE_BYTES:
                self._refuse(doc_id, f"{FIGURE_FOLDER}/{name}", "it is far too large for a figure")
            return file.read()

    def report(self, doc_id: str) -> dict[str, Any]:
        """Read what happened when the paper was read.

        Args:
            doc_id: The paper.

        Returns:
            Plain JSON.
        """
        return self._load(dict[str, Any], doc_id, REPORT)

    def consistent(self, doc_id: str, read: Callable[[Record], T]) -> T:
        """Read several files of a paper so that all belong to the same version of it.

        Args:
            doc_id: The paper.
            read: Reads what it needs; called again if the paper was replaced meanwhile.

        Returns:
            What ``read`` returned.
        """
        for _ in range(_ATTEMPTS - 1):
            before = self.record(doc_id)
            try:
                result = read(before)
            except (CorpusDamaged, InvalidArguments):
                result = None
            if result is not None and self.record(doc_id).sha256 == before.sha256:
                return result
        return read(self.record(doc_id))

    def _known(self, doc_id: str) -> Record | None:
        """The record as it was read before, if its file is the same; costs one system call."""
        with self._lock:
            known = self._records.get(doc_id)
        if known is None:
            return None
        try:
            found = _signature(os.lstat(f"{self._papers}/{doc_id}/{RECORD}"))
        except OSError:
            return None
        return known[1] if found == known[0] else None

    def _record_if_there(self, doc_id: str) -> Record | None:
        try:
            return self.record(doc_id)
        except UnknownDocument:
            return None

    def _listed(self, folder: Path, prefix: str) -> set[str]:
        try:
            with os.scandir(folder) as entries:
                names = [entry.name for entry in entries if entry.name.startswith(prefix)]
        except (FileNotFoundError, NotADirectoryError):
            return set()
        return {name.removeprefix(prefix) for name in names if is_doc_id(name.removeprefix(prefix))}

    def _wanted_pages(self, file: BinaryIO, wanted: frozenset[int], doc_id: str) -> Iterator[Page]:
        last = max(wanted, default=0)
        for number, line in zip(range(1, last + 1), file, strict=False):
            if number not in wanted:
                continue
            page = self._decode(Page, line, doc_id, PAGES)
            if page.number != number:
                self._refuse(doc_id, PAGES, f"page {page.number} stands in line {number}")
            yield page

    def _load(self, kind: type[T], doc_id: str, name: str) -> T:
        with self._open(doc_id, name) as file:
            return self._decode(kind, file.read(), doc_id, name)

    def _open(self, doc_id: str, name: str) -> BinaryIO:
        for _ in range(_ATTEMPTS):
            folder = self._folder(doc_id)
            try:
                return open_plain(folder, name)
            except FileNotFoundError:
                # The folder may have been replaced between finding and opening it; only then look again.
                if (folder / RECORD).exists():
                    break
            except PermissionError as error:
                message = f"The file {self._name(doc_id, name)!r} cannot be read: {error.strerror or error}."
                raise StoreError(message) from error
            except OSError:
                self._refuse(doc_id, name, "it is not a plain file")
        self._refuse(doc_id, name, "it is missing")

    def _folder(self, doc_id: str) -> Path:
        if is_doc_id(doc_id):
            home = self._papers / doc_id
            for folder in (home, self._staging / f"{ASIDE}{doc_id}", home):
                if folder.is_dir() and not folder.is_symlink():
                    return folder
        raise UnknownDocument(
            f"There is no document {doc_id[:80]!r} in the corpus.",
            hint="Use a doc_id as search and list show them.",
        )

    def _decode(self, kind: type[T], data: bytes, doc_id: str, name: str) -> T:
        return decode(kind, data, name=self._name(doc_id, name), hint=_advice(doc_id))

    def _refuse(self, doc_id: str, name: str, what: str) -> NoReturn:
        raise CorpusDamaged(
            f"The file {self._name(doc_id, name)!r} is damaged: {what}.", hint=_advice(doc_id)
        )

    def _name(self, doc_id: str, name: str) -> str:
        return f"{self._root.name}/{PAPERS}/{doc_id}/{name}"


def _signature(status: os.stat_result) -> _Signature:
    return status.st_mtime_ns, status.st_size, status.st_ino


def _advice(doc_id: str) -> str:
    return f"Remove the document and add its source again: vectree remove {doc_id}."
